// What the rules of this dialect demand, and sizes for which it does not hold: one clause or two for each function.

func.func @subtract_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = stablehlo.subtract %a, %b : tensor<?xi32>
  return
}

func.func @multiply_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = stablehlo.multiply %a, %b : tensor<?xi32>
  return
}

func.func @power_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = stablehlo.power %a, %b : tensor<?xi32>
  return
}

func.func @divide_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = stablehlo.divide %a, %b : tensor<?xi32>
  return
}

func.func @remainder_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = stablehlo.remainder %a, %b : tensor<?xi32>
  return
}

func.func @maximum_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = stablehlo.maximum %a, %b : tensor<?xi32>
  return
}

func.func @minimum_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = stablehlo.minimum %a, %b : tensor<?xi32>
  return
}

func.func @and_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = stablehlo.and %a, %b : tensor<?xi32>
  return
}

func.func @or_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = stablehlo.or %a, %b : tensor<?xi32>
  return
}

func.func @xor_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = stablehlo.xor %a, %b : tensor<?xi32>
  return
}

func.func @shift_left_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = stablehlo.shift_left %a, %b : tensor<?xi32>
  return
}

func.func @shift_right_arithmetic_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = stablehlo.shift_right_arithmetic %a, %b : tensor<?xi32>
  return
}

func.func @shift_right_logical_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = stablehlo.shift_right_logical %a, %b : tensor<?xi32>
  return
}

func.func @complex_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  // expect: refuted C1
  %0 = stablehlo.complex %a, %b : tensor<?xcomplex<f32>>
  return
}

func.func @compare_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = stablehlo.compare LT, %a, %b : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
  return
}

func.func @select_of_other_extents(%p: tensor<?xi1>, %a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = stablehlo.select %p, %a, %b : tensor<?xi1>, tensor<?xi32>
  return
}

func.func @clamp_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>, %c: tensor<?xi32>) {
  // expect: refuted C1
  %0 = stablehlo.clamp %a, %b, %c : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return
}

func.func @bitcast_to_wider_elements(%a: tensor<4x?xi8>) {
  // expect: refuted C1
  %0 = stablehlo.bitcast_convert %a : (tensor<4x?xi8>) -> tensor<4xi32>
  return
}

func.func @map_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  // expect: refuted C1
  %0 = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @windows_over_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>, %i: tensor<f32>) {
  // expect: refuted C1
  %0:2 = "stablehlo.reduce_window"(%a, %b, %i, %i) <{window_dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  }) : (tensor<?xf32>, tensor<?xf32>, tensor<f32>, tensor<f32>) -> (tensor<?xf32>, tensor<?xf32>)
  return
}

func.func @outputs_that_do_not_divide_into_feature_groups(%a: tensor<2x5x?xf32>, %w: tensor<3x?x?xf32>) {
  // expect: refuted C1
  // expect: refuted C2
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x5x?xf32>, tensor<3x?x?xf32>) -> tensor<2x3x?xf32>
  return
}

func.func @a_batch_that_does_not_divide_into_groups(%a: tensor<?x5x2xf32>, %w: tensor<3x2x4xf32>) {
  // expect: refuted C3
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<?x5x2xf32>, tensor<3x2x4xf32>) -> tensor<?x3x4xf32>
  return
}

func.func @padded_features_that_differ(%a: tensor<2x5x?xf32>, %w: tensor<3x?x4xf32>) {
  %p = stablehlo.constant dense<0> : tensor<1x2xi32>
  // expect: refuted C1
  %0 = "stablehlo.dynamic_conv"(%a, %w, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x?xf32>, tensor<3x?x4xf32>, tensor<1x2xi32>) -> tensor<2x3x4xf32>
  return
}

func.func @padded_outputs_that_do_not_divide_into_feature_groups(%a: tensor<2x5x2xf32>, %w: tensor<3x1x?xf32>) {
  %p = stablehlo.constant dense<0> : tensor<1x2xi32>
  // expect: refuted C2
  %0 = "stablehlo.dynamic_conv"(%a, %w, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x5x2xf32>, tensor<3x1x?xf32>, tensor<1x2xi32>) -> tensor<2x3x?xf32>
  return
}

func.func @a_padded_batch_that_does_not_divide_into_groups(%a: tensor<?x5x2xf32>, %w: tensor<3x2x4xf32>) {
  %p = stablehlo.constant dense<0> : tensor<1x2xi32>
  // expect: refuted C3
  %0 = "stablehlo.dynamic_conv"(%a, %w, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<?x5x2xf32>, tensor<3x2x4xf32>, tensor<1x2xi32>) -> tensor<?x3x4xf32>
  return
}

func.func @batches_of_a_gather_that_differ(%a: tensor<?x4xf32>, %i: tensor<?x1xi32>) {
  // expect: refuted C1
  // expect: refuted C3
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<?x4xf32>, tensor<?x1xi32>) -> tensor<?x2xf32>
  return
}

func.func @an_index_vector_of_another_length(%a: tensor<?x4xf32>, %i: tensor<3x?xi32>) {
  // expect: refuted C1
  // expect: refuted C2
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<?x4xf32>, tensor<3x?xi32>) -> tensor<3x2xf32>
  return
}

func.func @batches_of_a_dynamic_gather_that_differ(%a: tensor<?x4xf32>, %i: tensor<?x1xi32>) {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  // expect: refuted C1
  // expect: refuted C3
  %0 = "stablehlo.dynamic_gather"(%a, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>}> : (tensor<?x4xf32>, tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x2xf32>
  return
}

func.func @scattered_into_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>, %v: tensor<3xf32>) {
  // expect: refuted C1
  %0:2 = "stablehlo.scatter"(%a, %b, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p0: tensor<f32>, %p1: tensor<f32>, %p2: tensor<f32>, %p3: tensor<f32>):
    stablehlo.return %p0, %p1 : tensor<f32>, tensor<f32>
  }) : (tensor<?xf32>, tensor<?xf32>, tensor<3x1xi32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  return
}

func.func @a_scatter_index_of_another_length(%a: tensor<5xf32>, %i: tensor<3x?xi32>, %u: tensor<3xf32>) {
  // expect: refuted C2
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p0: tensor<f32>, %p1: tensor<f32>):
    stablehlo.return %p0 : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x?xi32>, tensor<3xf32>) -> tensor<5xf32>
  return
}

func.func @batches_of_a_scatter_that_differ(%a: tensor<?x5xf32>, %i: tensor<?x1xi32>, %u: tensor<?xf32>) {
  // expect: refuted C3
  // expect: refuted C4
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%p0: tensor<f32>, %p1: tensor<f32>):
    stablehlo.return %p0 : tensor<f32>
  }) : (tensor<?x5xf32>, tensor<?x1xi32>, tensor<?xf32>) -> tensor<?x5xf32>
  return
}

func.func @scale_of_another_extent_in_training(%a: tensor<4x?xf32>, %s: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0:3 = "stablehlo.batch_norm_training"(%a, %s, %o) <{epsilon = 1.0 : f32, feature_index = 1 : i64}> : (tensor<4x?xf32>, tensor<?xf32>, tensor<?xf32>) -> (tensor<4x?xf32>, tensor<?xf32>, tensor<?xf32>)
  return
}

func.func @scale_of_another_extent_in_gradients(%a: tensor<4x?xf32>, %s: tensor<?xf32>, %m: tensor<?xf32>, %v: tensor<?xf32>, %g: tensor<4x?xf32>) {
  // expect: refuted C1
  // expect: refuted C2
  %0:3 = "stablehlo.batch_norm_grad"(%a, %s, %m, %v, %g) <{epsilon = 1.0 : f32, feature_index = 1 : i64}> : (tensor<4x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<?xf32>, tensor<?xf32>)
  return
}

func.func @a_triangular_matrix_that_is_not_square(%a: tensor<?x?xf32>, %b: tensor<?x3xf32>) {
  // expect: refuted C1
  // expect: refuted C2
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<?x?xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return
}

func.func @triangular_batches_that_differ(%a: tensor<?x2x2xf32>, %b: tensor<?x2x3xf32>) {
  // expect: refuted C3
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<?x2x2xf32>, tensor<?x2x3xf32>) -> tensor<?x2x3xf32>
  return
}

func.func @random_numbers_of_a_negative_size(%n: index, %lo: tensor<f32>, %hi: tensor<f32>) {
  %s = tensor.from_elements %n : tensor<1xindex>
  // expect: refuted C1
  %0 = stablehlo.rng %lo, %hi, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xindex>) -> tensor<?xf32>
  return
}

// The verifier compares neither choice with a predicate of another declared size, where the other choice has a `?`.
func.func @select_of_other_declared_extents(%p: tensor<2xi1>, %a: tensor<?xf32>, %b: tensor<3xf32>) {
  // expect: refuted C1
  %0 = "stablehlo.select"(%p, %a, %b) : (tensor<2xi1>, tensor<?xf32>, tensor<3xf32>) -> tensor<?xf32>
  return
}
