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

func.func @bounded_by_nothing(%a: tensor<5xf32>) -> tensor<?xf32> {
  %none = stablehlo.constant dense<0> : tensor<i32>
  // expect: proved C1
  // expect: shape [0]
  %0 = stablehlo.set_dimension_size %a, %none, dim = 0 : (tensor<5xf32>, tensor<i32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// What torch.arange computes in f64.
func.func @counted(%x: tensor<?xf32>) -> tensor<?xi64> {
  %one = stablehlo.constant dense<1> : tensor<i64>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %i = arith.index_cast %n : index to i64
  %t = tensor.from_elements %i : tensor<1xi64>
  %s = stablehlo.reshape %t : (tensor<1xi64>) -> tensor<i64>
  %d = stablehlo.subtract %s, %zero : tensor<i64>
  %f = stablehlo.convert %d : (tensor<i64>) -> tensor<f64>
  %g = stablehlo.convert %one : (tensor<i64>) -> tensor<f64>
  %q = stablehlo.divide %f, %g : tensor<f64>
  %c = stablehlo.ceil %q : tensor<f64>
  %r = stablehlo.convert %c : (tensor<f64>) -> tensor<i64>
  %u = stablehlo.reshape %r : (tensor<i64>) -> tensor<1xi64>
  // expect: shape [x[0]]
  %0 = stablehlo.dynamic_iota %u, dim = 0 : (tensor<1xi64>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

// f32 holds no more than 24 bits: the size of a larger tensor is rounded.
func.func @halved(%x: tensor<?xf32>) -> tensor<?xi32> {
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %low = stablehlo.constant dense<1.0> : tensor<f32>
  %high = stablehlo.constant dense<1024.0> : tensor<f32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %m = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>
  %p = stablehlo.multiply %m, %half : tensor<f32>
  %k = stablehlo.clamp %low, %p, %high : tensor<f32>
  // expect: approximated floats that are rounded
  %is = stablehlo.compare GT, %p, %high : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %o = stablehlo.select %is, %high, %k : tensor<i1>, tensor<f32>
  // expect: approximated floats that are rounded
  %f = stablehlo.round_nearest_afz %o : tensor<f32>
  %r = stablehlo.convert %f : (tensor<f32>) -> tensor<i32>
  %u = stablehlo.reshape %r : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_iota %u, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @generators(%s: tensor<?xui64>) -> (tensor<?xui64>, tensor<3xui64>) {
  // expect: refuted C1 with s[0] = 4
  %1:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<?xui64>) -> (tensor<?xui64>, tensor<3xui64>)
  // expect: refuted C1 with s[0] = 3
  %2:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<?xui64>) -> (tensor<?xui64>, tensor<3xui64>)
  // expect: approximated up to the implementation
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<?xui64>) -> (tensor<?xui64>, tensor<3xui64>)
  return %2#0, %2#1 : tensor<?xui64>, tensor<3xui64>
}

// MLIR's verifier takes a list of sizes that is too long for the result.
func.func @too_many_sizes(%a: tensor<f32>, %s: tensor<2xindex>) -> tensor<f32> {
  // expect: approximated does not hold 0 numbers
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [] : (tensor<f32>, tensor<2xindex>) -> tensor<f32>
  return %0 : tensor<f32>
}

// A state of two or three elements does for every algorithm that is known; of four, the implementation decides.
func.func @states_of_an_unknown_algorithm(%two: tensor<2xui64>, %three: tensor<3xui64>, %four: tensor<4xui64>) {
  %0:2 = stablehlo.rng_bit_generator %two, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
  %1:2 = stablehlo.rng_bit_generator %three, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3xui64>)
  // expect: approximated up to the implementation
  %2:2 = stablehlo.rng_bit_generator %four, algorithm = DEFAULT : (tensor<4xui64>) -> (tensor<4xui64>, tensor<3xui64>)
  return
}

// Sizes that are counted and clamped: 0, 1, 2 and 2, 4, 3.
func.func @counted_and_clamped() -> (tensor<?x?x?xi32>, tensor<?x?x?xi32>) {
  %counted = stablehlo.iota dim = 0 : tensor<3xi32>
  // expect: shape [0, 1, 2]
  %0 = stablehlo.dynamic_iota %counted, dim = 0 : (tensor<3xi32>) -> tensor<?x?x?xi32>
  %low = stablehlo.constant dense<2> : tensor<i32>
  %high = stablehlo.constant dense<4> : tensor<i32>
  %sizes = stablehlo.constant dense<[-1, 5, 3]> : tensor<3xi32>
  %clamped = stablehlo.clamp %low, %sizes, %high : (tensor<i32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  // expect: shape [2, 4, 3]
  %1 = stablehlo.dynamic_iota %clamped, dim = 0 : (tensor<3xi32>) -> tensor<?x?x?xi32>
  return %0, %1 : tensor<?x?x?xi32>, tensor<?x?x?xi32>
}

// The bits of numbers that are counted as floats are other numbers.
func.func @counted_by_floats() -> tensor<?x?x?xi32> {
  %floats = stablehlo.iota dim = 0 : tensor<3xf32>
  %bits = stablehlo.bitcast_convert %floats : (tensor<3xf32>) -> tensor<3xi32>
  // expect: approximated the contents of %bits are not known
  // expect: undecided C1
  %0 = stablehlo.dynamic_iota %bits, dim = 0 : (tensor<3xi32>) -> tensor<?x?x?xi32>
  return %0 : tensor<?x?x?xi32>
}
