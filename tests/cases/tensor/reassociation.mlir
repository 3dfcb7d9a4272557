func.func @flat(%a: tensor<?x3x?xf32>) -> tensor<?x?xf32> {
  // expect: shape [3*a[0], a[2]]
  %0 = tensor.collapse_shape %a [[0, 1], [2]] : tensor<?x3x?xf32> into tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @heads(%a: tensor<?xf32>, %n: index) -> tensor<?x4xf32> {
  // expect: refuted C1
  // expect: refuted C2
  // expect: shape [n, 4]
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

func.func @rounded_down(%a: tensor<?xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %q = arith.divui %n, %c4 : index
  // expect: proved C1
  // expect: refuted C2 with a[0] = 2
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [%q, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// No elements are as many as 0 times -1, and no extent is -1.
// assume: a[0] == 0
func.func @by_less_than_nothing(%a: tensor<?xf32>) -> tensor<?x?xf32> {
  %none = arith.constant 0 : index
  %less = arith.constant -1 : index
  // expect: refuted C1
  // expect: unreachable C2
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [%less, %none] : tensor<?xf32> into tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
