func.func @folded(%a: tensor<?x3x?xf32>, %zero: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0, 2] : (tensor<?x3x?xf32>, tensor<f32>) -> tensor<3xf32>
  // expect: shape [3]
  %1 = stablehlo.negate %0 : tensor<3xf32>
  return %1 : tensor<3xf32>
}

func.func @together(%a: tensor<?xf32>, %b: tensor<?xi32>, %zero: tensor<f32>, %one: tensor<i32>) -> tensor<f32> {
  // expect: refuted C1
  %0:2 = stablehlo.reduce(%a init: %zero), (%b init: %one) across dimensions = [0] : (tensor<?xf32>, tensor<?xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    reducer(%x: tensor<f32>, %y: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
      stablehlo.return %x, %j : tensor<f32>, tensor<i32>
    }
  return %0#0 : tensor<f32>
}

func.func @sorted(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  // expect: refuted C1
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>, %u: tensor<f32>, %v: tensor<f32>):
      %less = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
  }) : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  // expect: proved
  // expect: shape [a[0]]
  %1 = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      stablehlo.return %x : tensor<f32>
  }) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// StableHLO folds scalars; MLIR's verifier takes larger tensors to start from, whose extents must be right.
func.func @folded_into_rows(%a: tensor<?x?xf32>, %start: tensor<?xf32>) -> tensor<?xf32> {
  // expect: approximated not one on scalars
  %0 = "stablehlo.reduce"(%a, %start) <{dimensions = array<i64: 0>}> ({
    ^bb0(%x: tensor<?xf32>, %y: tensor<?xf32>):
      stablehlo.return %x : tensor<?xf32>
  }) : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// The sizes of a shape folded together: the elements of small tensors of integers are followed.
func.func @of_a_shape(%x: tensor<?x?xf32>) {
  %one = stablehlo.constant dense<1> : tensor<i64>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %a = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %b = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %p = stablehlo.reshape %a : (tensor<i32>) -> tensor<1xi32>
  %q = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %p, %q, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %sizes = stablehlo.convert %s : (tensor<2xi32>) -> tensor<2xi64>
  %count = stablehlo.reduce(%sizes init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  %flat = stablehlo.reshape %count : (tensor<i64>) -> tensor<1xi64>
  // expect: shape [x[0]*x[1]]
  %0 = stablehlo.dynamic_reshape %x, %flat : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?xf32>
  %twice = stablehlo.concatenate %sizes, %sizes, dim = 0 : (tensor<2xi64>, tensor<2xi64>) -> tensor<4xi64>
  %rows = stablehlo.reshape %twice : (tensor<4xi64>) -> tensor<2x2xi64>
  %sums = stablehlo.reduce(%rows init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x2xi64>, tensor<i64>) -> tensor<2xi64>
  // expect: shape [2*x[0], 2*x[1]]
  %1 = stablehlo.dynamic_iota %sums, dim = 0 : (tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// How often the initial value takes part is the implementation's choice.
func.func @from_a_number(%x: tensor<?xf32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %a = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %p = stablehlo.reshape %a : (tensor<i32>) -> tensor<1xi32>
  %sum = stablehlo.reduce(%p init: %one) applies stablehlo.add across dimensions = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<i32>
  %s = stablehlo.reshape %sum : (tensor<i32>) -> tensor<1xi32>
  // expect: undecided C1 because the contents of %s are not known
  // expect: approximated the contents of %s are not known
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return
}
