func.func @passed(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // expect: shape [a[0], 3]
  %0 = stablehlo.optimization_barrier %a : tensor<?x3xf32>
  // expect: shape [a[0], 3]
  %1 = "stablehlo.collective_permute"(%0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<?x3xf32>) -> tensor<?x3xf32>
  // expect: shape [a[0], 3]
  %2 = "stablehlo.collective_broadcast"(%1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<?x3xf32>) -> tensor<?x3xf32>
  // expect: shape [a[0], 3]
  %3 = "stablehlo.all_reduce"(%2) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %sum = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  // expect: approximated which device
  %partition = stablehlo.partition_id : tensor<ui32>
  // expect: approximated which device
  %replica = stablehlo.replica_id : tensor<ui32>
  %token = stablehlo.create_token : !stablehlo.token
  %after = stablehlo.after_all %token : !stablehlo.token
  %pair = stablehlo.tuple %3, %after : tuple<tensor<?x3xf32>, !stablehlo.token>
  // expect: approximated
  %4 = stablehlo.get_tuple_element %pair[0] : (tuple<tensor<?x3xf32>, !stablehlo.token>) -> tensor<?x3xf32>
  return %3 : tensor<?x3xf32>
}

func.func @asked_for_twice() {
  // expect: approximated which device
  %first = stablehlo.partition_id : tensor<ui32>
  // expect: approximated which device
  %again = stablehlo.partition_id : tensor<ui32>
  %same = stablehlo.compare EQ, %first, %again : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  %is = tensor.extract %same[] : tensor<i1>
  // expect: undecided C1
  cf.assert %is, "one device"
  return
}
