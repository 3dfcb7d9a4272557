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

func.func @rounded(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  // expect: refuted C1
  %0 = stablehlo.atan2 %a, %b : tensor<?xf32>
  %1 = stablehlo.power %0, %b : tensor<?xf32>
  %2 = stablehlo.cbrt %1 : tensor<?xf32>
  %3 = stablehlo.ceil %2 : tensor<?xf32>
  %4 = stablehlo.cosine %3 : tensor<?xf32>
  %5 = stablehlo.exponential_minus_one %4 : tensor<?xf32>
  %6 = stablehlo.floor %5 : tensor<?xf32>
  %7 = stablehlo.log %6 : tensor<?xf32>
  %8 = stablehlo.log_plus_one %7 : tensor<?xf32>
  %9 = stablehlo.logistic %8 : tensor<?xf32>
  %10 = stablehlo.reduce_precision %9, format = e5m10 : tensor<?xf32>
  %11 = stablehlo.round_nearest_afz %10 : tensor<?xf32>
  %12 = stablehlo.round_nearest_even %11 : tensor<?xf32>
  %13 = stablehlo.rsqrt %12 : tensor<?xf32>
  %14 = stablehlo.sine %13 : tensor<?xf32>
  %15 = stablehlo.sqrt %14 : tensor<?xf32>
  %16 = stablehlo.tan %15 : tensor<?xf32>
  %17 = stablehlo.tanh %16 : tensor<?xf32>
  %18 = stablehlo.is_finite %17 : (tensor<?xf32>) -> tensor<?xi1>
  %19 = stablehlo.complex %a, %17 : tensor<?xcomplex<f32>>
  %20 = stablehlo.imag %19 : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
  %21 = stablehlo.uniform_quantize %20 : (tensor<?xf32>) -> tensor<?x!quant.uniform<i8:f32, 0.5>>
  %22 = stablehlo.uniform_dequantize %21 : (tensor<?x!quant.uniform<i8:f32, 0.5>>) -> tensor<?xf32>
  // expect: shape [a[0]]
  %23 = stablehlo.maximum %22, %a : tensor<?xf32>
  return %23 : tensor<?xf32>
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
  %zeros = stablehlo.count_leading_zeros %two : tensor<i32>
  %sum = stablehlo.add %bits, %zeros : tensor<i32>
  %mask = stablehlo.xor %sum, %sum : tensor<i32>
  %logical = stablehlo.shift_right_logical %sum, %bits : tensor<i32>
  %fifteen = stablehlo.constant dense<15> : tensor<i32>
  %known = stablehlo.compare EQ, %logical, %fifteen, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expect: proved
  stablehlo.custom_call @shape_assertion(%known) {api_version = 2 : i32, error_message = "1 + 30 is 31", has_side_effect = true} : (tensor<i1>) -> ()
  return
}

// A tensor that is quantized along a dimension has as many elements there as there are scales.
func.func @quantized(%a: tensor<?x?xf32>) -> tensor<?x?x!quant.uniform<i8:f32:1, {0.1,0.2,0.3}>> {
  // expect: refuted T2 with a[1] = 2
  %0 = stablehlo.uniform_quantize %a : (tensor<?x?xf32>) -> tensor<?x?x!quant.uniform<i8:f32:1, {0.1,0.2,0.3}>>
  return %0 : tensor<?x?x!quant.uniform<i8:f32:1, {0.1,0.2,0.3}>>
}
