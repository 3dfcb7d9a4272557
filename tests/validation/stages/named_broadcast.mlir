// passes: func.func(linalg-generalize-named-ops)
// shown: sizes, checks and elements
// wrong (refuted): wrong axis
//   (d0, d1) -> (d1)> => (d0, d1) -> (d0)>
// wrong (refuted): swapped
//   arith.subf %in, %in_1 => arith.subf %in_1, %in

func.func @f(%a: tensor<?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %b, %c0 : tensor<?x?xf32>
  %m = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %0 = linalg.broadcast ins(%a : tensor<?xf32>) outs(%e : tensor<?x?xf32>) dimensions = [0]
  %1 = linalg.sub ins(%0, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
