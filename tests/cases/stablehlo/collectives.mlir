// Several devices: how many are in a group says how large what they gather or scatter is.

func.func @gathered(%a: tensor<?x3xf32>, %b: tensor<2x?xf32>) -> tensor<?x3xf32> {
  // expect: shape [3*a[0], 3]
  %0:2 = "stablehlo.all_gather"(%a, %b) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<?x3xf32>, tensor<2x?xf32>) -> (tensor<?x3xf32>, tensor<?x?xf32>)
  return %0#0 : tensor<?x3xf32>
}

func.func @gathered_to_another_extent(%a: tensor<?x3xf32>) -> tensor<8x3xf32> {
  // expect: refuted T2 with a[0] = 2
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<?x3xf32>) -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}

func.func @gathered_by_global_numbers(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expect: shape [2*a[0]]
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @gathered_from_all(%a: tensor<?xf32>) -> tensor<12xf32> {
  // expect: approximated how many devices
  // expect: undecided T2
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<> : tensor<0x0xi64>}> : (tensor<?xf32>) -> tensor<12xf32>
  return %0 : tensor<12xf32>
}

func.func @gathered_from_all_partitions_too(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expect: approximated how many devices
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @scattered(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expect: shape [a[0], a[1]//2]
  // expect: refuted C1 with a[0] = 1, a[1] = 3
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @scattered_and_gathered(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expect: refuted C1 with a[0] = 2
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<?xf32>) -> tensor<?xf32>
  // expect: proved C1
  %2 = stablehlo.add %a, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}

func.func @exchanged(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expect: shape [a[0]//2, 2*a[1]]
  // expect: refuted C1 with a[0] = 3, a[1] = 1
  %0 = "stablehlo.all_to_all"(%a) <{concat_dimension = 1 : i64, split_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<?x?xf32>) -> tensor<?x?xf32>
  // expect: shape [a[0] - a[0] % 2, a[1]]
  %1 = "stablehlo.all_to_all"(%0) <{concat_dimension = 0 : i64, split_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<?x?xf32>) -> tensor<?x?xf32>
  // expect: proved C1
  %2 = stablehlo.add %a, %1 : tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

func.func @exchanged_in_one_dimension(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expect: refuted C1 with a[0] = 3
  %0 = "stablehlo.all_to_all"(%a) <{concat_dimension = 0 : i64, split_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<?xf32>) -> tensor<?xf32>
  // expect: proved C1
  %1 = stablehlo.add %a, %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}

func.func @summed(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // expect: shape [a[0], 3]
  %0 = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
