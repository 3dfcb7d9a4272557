func.func @gathered(%a: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x4xf32> {
  // expect: refuted C1
  // expect: shape [i[0], 4]
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>, indices_are_sorted = false}> : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

func.func @sliced(%a: tensor<?x4xf32>, %i: tensor<?x?xi32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  // expect: refuted C1
  // expect: refuted C2
  // expect: refuted C4 with s.values[0] = 2
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<?x4xf32>, tensor<?x?xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @scattered(%a: tensor<?x4xf32>, %i: tensor<?x1xi32>, %u: tensor<?x?xf32>) -> tensor<?x4xf32> {
  // expect: refuted C4
  // expect: refuted C5
  // expect: shape [a[0], 4]
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      stablehlo.return %y : tensor<f32>
  }) : (tensor<?x4xf32>, tensor<?x1xi32>, tensor<?x?xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// What the result has no dimension for is one element of a slice.
func.func @sliced_in_batches(%a: tensor<?x4xf32>, %i: tensor<?x1xi32>, %s: tensor<1xi32>) -> tensor<?x2xf32> {
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %sizes = stablehlo.concatenate %s, %two, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  // expect: refuted C1
  // expect: refuted C3
  // expect: refuted C4
  %0 = "stablehlo.dynamic_gather"(%a, %i, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<?x4xf32>, tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// A slice may be empty, and may be all of the operand; it is not longer than that.
func.func @slices_at_the_borders(%a: tensor<?x4xf32>, %i: tensor<?x1xi32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %zero = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
  %all = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %none = stablehlo.concatenate %zero, %zero, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  // expect: shape [i[0], 0]
  %0 = "stablehlo.dynamic_gather"(%a, %i, %none) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<?x4xf32>, tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %rows = stablehlo.concatenate %one, %all, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  // expect: refuted C1 with a[0] = 0
  // expect: shape [i[0], 4]
  %1 = "stablehlo.dynamic_gather"(%a, %i, %rows) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<?x4xf32>, tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
