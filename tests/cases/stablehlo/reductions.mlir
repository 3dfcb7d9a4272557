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
