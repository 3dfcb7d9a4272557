func.func @shapes(%a: tensor<?x3xi32>, %f: tensor<?x3xf32>, %p: tensor<?x3xi1>) -> tensor<?x3xf32> {
  // expect: shape [a[0], 3]
  %0 = tosa.abs %a : (tensor<?x3xi32>) -> tensor<?x3xi32>
  %1 = tosa.bitwise_not %0 : (tensor<?x3xi32>) -> tensor<?x3xi32>
  %2 = tosa.clz %1 : (tensor<?x3xi32>) -> tensor<?x3xi32>
  %3 = tosa.cast %2 : (tensor<?x3xi32>) -> tensor<?x3xf32>
  %4 = tosa.ceil %3 : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %5 = tosa.clamp %4 {min_val = 0.0 : f32, max_val = 1.0 : f32} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %6 = tosa.cos %5 : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %7 = tosa.erf %6 : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %8 = tosa.exp %7 : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %9 = tosa.floor %8 : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %10 = tosa.identity %9 : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %11 = tosa.log %10 : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %12 = tosa.logical_not %p : (tensor<?x3xi1>) -> tensor<?x3xi1>
  %13 = tosa.reciprocal %11 : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %14 = tosa.rsqrt %13 : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %15 = tosa.sigmoid %14 : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %16 = tosa.sin %15 : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %17 = tosa.tanh %16 : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %18 = tosa.negate %17, %zero, %zero : (tensor<?x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x3xf32>
  // expect: shape [f[0], 3]
  %19 = tosa.reverse %f {axis = 1 : i32} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  return %18 : tensor<?x3xf32>
}

func.func @scaled(%a: tensor<?xi8>, %t: tensor<256xi8>) -> tensor<?xi8> {
  // expect: shape [a[0]]
  %0 = tosa.table %a, %t : (tensor<?xi8>, tensor<256xi8>) -> tensor<?xi8>
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expect: shape [a[0]]
  %1 = tosa.rescale %0, %m, %s, %z, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<?xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<?xi8>
  return %1 : tensor<?xi8>
}

// A declared size is a promise about the one that is computed.
func.func @declared(%a: tensor<?xf32>) -> tensor<4xf32> {
  // expect: refuted T2 with a[0] = 2
  %0 = tosa.exp %a : (tensor<?xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Tables, multipliers, shifts and zero points have lengths of their own.
func.func @looked_up(%a: tensor<4xi8>, %b: tensor<4xi16>, %t: tensor<?xi8>, %u: tensor<?xi16>) -> (tensor<4xi8>, tensor<4xi32>) {
  // expect: refuted C1
  %0 = tosa.table %a, %t : (tensor<4xi8>, tensor<?xi8>) -> tensor<4xi8>
  // expect: refuted C1
  %1 = tosa.table %b, %u : (tensor<4xi16>, tensor<?xi16>) -> tensor<4xi32>
  return %0, %1 : tensor<4xi8>, tensor<4xi32>
}

func.func @scaled_per_channel(%a: tensor<?x?xi8>, %m: tensor<?xi32>, %s: tensor<?xi8>, %z: tensor<1xi8>) -> tensor<?x?xi8> {
  // expect: refuted C1 with a[1] = 2, m[0] = 3
  // expect: refuted C1 with a[1] = 2, s[0] = 3
  %0 = tosa.rescale %a, %m, %s, %z, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<?x?xi8>, tensor<?xi32>, tensor<?xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<?x?xi8>
  return %0 : tensor<?x?xi8>
}

func.func @scaled_as_a_whole(%a: tensor<?x?xi8>, %m: tensor<?xi32>, %s: tensor<1xi8>, %z: tensor<*xi8>) -> tensor<?x?xi8> {
  // expect: refuted C1 with m[0] = 2
  // expect: refuted C2
  %0 = tosa.rescale %a, %m, %s, %z, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<?x?xi8>, tensor<?xi32>, tensor<1xi8>, tensor<*xi8>, tensor<*xi8>) -> tensor<?x?xi8>
  // expect: proved C1
  %1 = tosa.negate %a, %z, %z : (tensor<?x?xi8>, tensor<*xi8>, tensor<*xi8>) -> tensor<?x?xi8>
  return %1 : tensor<?x?xi8>
}

func.func @negated(%a: tensor<?xi8>, %z: tensor<*xi8>) -> tensor<?xi8> {
  // expect: refuted C1
  %0 = tosa.negate %a, %z, %z : (tensor<?xi8>, tensor<*xi8>, tensor<*xi8>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func @reversed_along_no_axis(%a: tensor<*xf32>) -> tensor<*xf32> {
  // expect: refuted C1 with a = (1,)
  %0 = tosa.reverse %a {axis = 1 : i32} : (tensor<*xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

func.func @reversed_along_the_first_axis(%a: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  // expect: shape [a[0], a[1], a[2]]
  %0 = tosa.reverse %a {axis = 0 : i32} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
