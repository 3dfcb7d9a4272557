func.func @shapes(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // expect: refuted C1
  %0 = stablehlo.add %a, %b : tensor<?x3xf32>
  // expect: proved
  %1 = stablehlo.multiply %0, %b : tensor<?x3xf32>
  %2 = stablehlo.exponential %1 : tensor<?x3xf32>
  %3 = stablehlo.compare LT, %2, %a : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xi1>
  %4 = stablehlo.select %3, %2, %a : tensor<?x3xi1>, tensor<?x3xf32>
  %low = stablehlo.constant dense<0.0> : tensor<f32>
  %5 = stablehlo.clamp %low, %4, %low : (tensor<f32>, tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %6 = stablehlo.convert %5 : (tensor<?x3xf32>) -> tensor<?x3xf64>
  // expect: shape [a[0], 3, 2]
  %7 = stablehlo.bitcast_convert %6 : (tensor<?x3xf64>) -> tensor<?x3x2xf32>
  // expect: shape [a[0], 3]
  %8 = stablehlo.bitcast_convert %7 : (tensor<?x3x2xf32>) -> tensor<?x3xf64>
  %9 = stablehlo.complex %a, %b : tensor<?x3xcomplex<f32>>
  %10 = stablehlo.real %9 : (tensor<?x3xcomplex<f32>>) -> tensor<?x3xf32>
  return %5 : tensor<?x3xf32>
}

// Another's sizes: not even a 1 is broadcast.
func.func @ones(%a: tensor<?xf32>, %b: tensor<1xf32>) -> tensor<1xf32> {
  // expect: refuted C1 with a[0] = 2
  %0 = "stablehlo.add"(%a, %b) : (tensor<?xf32>, tensor<1xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// assume: a[0] <= 1000
func.func @sizes(%a: tensor<?xf32>) {
  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %minus = stablehlo.constant dense<-3> : tensor<i32>
  %half = stablehlo.divide %n, %two : tensor<i32>
  %rest = stablehlo.remainder %n, %two : tensor<i32>
  %back = stablehlo.multiply %half, %two : tensor<i32>
  %whole = stablehlo.add %back, %rest : tensor<i32>
  %same = stablehlo.compare EQ, %whole, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expect: proved
  stablehlo.custom_call @shape_assertion(%same, %n) {api_version = 2 : i32, error_message = "halves of {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  %down = stablehlo.negate %n : tensor<i32>
  %up = stablehlo.abs %down : tensor<i32>
  %sign = stablehlo.sign %down : tensor<i32>
  %low = stablehlo.minimum %sign, %minus : tensor<i32>
  %high = stablehlo.maximum %up, %low : tensor<i32>
  %difference = stablehlo.subtract %high, %n : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.compare EQ, %difference, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expect: proved
  stablehlo.custom_call @shape_assertion(%none) {api_version = 2 : i32, error_message = "nothing is left", has_side_effect = true} : (tensor<i1>) -> ()
  %not = stablehlo.not %none : tensor<i1>
  %all = stablehlo.and %same, %none : tensor<i1>
  %some = stablehlo.or %not, %all : tensor<i1>
  // expect: proved
  stablehlo.custom_call @shape_assertion(%some) {api_version = 2 : i32, error_message = "logic", has_side_effect = true} : (tensor<i1>) -> ()
  %shifted = stablehlo.shift_left %n, %two : tensor<i32>
  %unshifted = stablehlo.shift_right_arithmetic %shifted, %two : tensor<i32>
  %identical = stablehlo.compare EQ, %unshifted, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expect: proved
  stablehlo.custom_call @shape_assertion(%identical) {api_version = 2 : i32, error_message = "bits", has_side_effect = true} : (tensor<i1>) -> ()
  %bits = stablehlo.popcnt %two : tensor<i32>
  return
}
