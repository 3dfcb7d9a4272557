func.func @read(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %n = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x3xf32>) -> tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %same = stablehlo.compare EQ, %n, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expect: proved
  stablehlo.custom_call @shape_assertion(%same) {api_version = 2 : i32, error_message = "three", has_side_effect = true} : (tensor<i1>) -> ()
  %m = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %positive = stablehlo.compare GE, %m, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // A size of 2^31 would read as a negative number; a program that asks is checked for sizes below that.
  // expect: proved C1
  stablehlo.custom_call @shape_assertion(%positive) {api_version = 2 : i32, error_message = "{0} is a size", has_side_effect = true} : (tensor<i1>) -> ()
  return %a : tensor<?x3xf32>
}

func.func @made(%s: tensor<2xi64>, %low: tensor<f32>) -> tensor<?x?xf32> {
  // expect: refuted C1
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> tensor<?x?xi32>
  // expect: proved
  %1 = stablehlo.rng %low, %low, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  %2 = stablehlo.iota dim = 0 : tensor<4xi32>
  %state = stablehlo.constant dense<1> : tensor<2xui64>
  %next, %bits = stablehlo.rng_bit_generator %state, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x4xui32>)
  return %1 : tensor<?x?xf32>
}

func.func @bounded(%a: tensor<5xf32>, %n: tensor<i32>) -> tensor<?xf32> {
  // expect: refuted C1
  %0 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<5xf32>, tensor<i32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
