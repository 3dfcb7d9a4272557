func.func @pooled(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %zero: tensor<f32>) -> tensor<?x?xf32> {
  %n = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %w = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %window = stablehlo.concatenate %w, %one, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %strides = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %gaps = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %padding = stablehlo.constant dense<[[0, 0], [1, 2]]> : tensor<2x2xi32>
  // expect: refuted C3 with b[0] = 0
  // expect: shape [select(a[0] >= 1 and a[0] >= b[0], a[0] - b[0] + 1, 0), (a[1] + 2)//3 + 1]
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%a, %zero, %window, %strides, %ones, %gaps, %padding) {called_computations = [@sum]} : (tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x?xf32>
  // expect: refuted C2
  %1:2 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%a, %b, %zero, %zero, %ones, %strides, %ones, %gaps, %padding) {called_computations = [@sum]} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<f32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
  return %0 : tensor<?x?xf32>
}

func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}

func.func @greatest(%a: tensor<?x?xf32>, %s: tensor<2xui64>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %b = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %n = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  // expect: proved C4
  // expect: shape [a[0], a[1]]
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%a, %n) {api_version = 2 : i32} : (tensor<?x?xf32>, tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
  %less = stablehlo.subtract %n, %one : tensor<i32>
  // expect: refuted C4 with a[1] = 0
  // expect: shape [a[0], a[1] - 1]
  %1:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%a, %less) {api_version = 2 : i32} : (tensor<?x?xf32>, tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
  %rows = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %columns = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %extents = stablehlo.concatenate %columns, %rows, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  // expect: shape [2]
  %2:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %extents) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x?xui32>)
  // expect: shape [a[1], a[0]]
  %3 = stablehlo.not %2#1 : tensor<?x?xui32>
  // expect: shape [a[1], a[0]]
  %4:2 = stablehlo.custom_call @stablehlo.dynamic_approx_top_k(%a, %a, %less, %extents, %extents) {indices_of_shape_operands = dense<[3, 4]> : tensor<2xi64>} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
  return
}

func.func @sizes_that_are_computed(%a: tensor<?xf32>, %s: tensor<?xui64>, %n: tensor<1xi32>) -> (tensor<?xui32>, tensor<?xf32>) {
  // expect: refuted C5 with n.values[0] = -1
  // expect: refuted C6
  // expect: shape [s[0]]
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<?xui64>, tensor<1xi32>) -> (tensor<?xui64>, tensor<?xui32>)
  // expect: proved C5
  %1:2 = stablehlo.custom_call @stablehlo.dynamic_approx_top_k(%a, %a, %n) {indices_of_shape_operands = dense<[2, 2]> : tensor<2xi64>} : (tensor<?xf32>, tensor<?xf32>, tensor<1xi32>) -> (tensor<?xf32>, tensor<?xi32>)
  return %0#1, %1#0 : tensor<?xui32>, tensor<?xf32>
}

// What is not known may end the program; its results have the extents that it is given.
func.func @of_a_library(%a: tensor<?x?x?xf32>, %n: tensor<1xi32>) -> tensor<?x?x?xf32> {
  %rows = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x?x?xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?x?xf32>) -> tensor<i32>
  %o = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %p = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %all = stablehlo.concatenate %o, %p, %p, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  // expect: approximated what @factors does is not known
  // expect: shape [a[0], a[1], a[1]]
  %0:2 = stablehlo.custom_call @factors(%a, %all, %o) {indices_of_shape_operands = dense<[1, 2]> : tensor<2xi64>} : (tensor<?x?x?xf32>, tensor<3xi32>, tensor<1xi32>) -> (tensor<?x?x?xf32>, tensor<?xi32>)
  // expect: undecided C1
  %1 = stablehlo.add %0#0, %a : tensor<?x?x?xf32>
  // expect: approximated what @factors does is not known
  // expect: undecided C5
  %2:2 = stablehlo.custom_call @factors(%a, %all, %n) {indices_of_shape_operands = dense<[1, 2]> : tensor<2xi64>} : (tensor<?x?x?xf32>, tensor<3xi32>, tensor<1xi32>) -> (tensor<?x?x?xf32>, tensor<?xi32>)
  // expect: approximated the operands that hold the shapes of its results are not known
  %3:2 = stablehlo.custom_call @factors(%a, %all, %o) {indices_of_shape_operands = dense<[1, 7]> : tensor<2xi64>} : (tensor<?x?x?xf32>, tensor<3xi32>, tensor<1xi32>) -> (tensor<?x?x?xf32>, tensor<?xi32>)
  return %0#0 : tensor<?x?x?xf32>
}
