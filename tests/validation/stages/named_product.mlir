// passes: func.func(linalg-generalize-named-ops)
// shown: sizes, checks and elements
// wrong (refuted): swapped axes
//   (d0, d1, d2, d3) -> (d0, d3, d2) => (d0, d1, d2, d3) -> (d0, d2, d3)
// wrong (refuted): dropped initial
//   arith.addf %out, %1 => arith.addf %1, %1

func.func @f(%a: tensor<?x?x4xf32>, %b: tensor<?x4x5xf32>, %c: tensor<?x?x5xf32>) -> tensor<?x?x5xf32> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<?x?x4xf32>, tensor<?x4x5xf32>) outs(%c : tensor<?x?x5xf32>) -> tensor<?x?x5xf32>
  return %0 : tensor<?x?x5xf32>
}
