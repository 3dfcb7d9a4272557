// passes: func.func(linalg-generalize-named-ops),func.func(linalg-fuse-elementwise-ops)
// shown: sizes, checks and elements
// wrong (refuted): not turned
//   (d0, d1) -> (d1, d0) => (d0, d1) -> (d0, d1)
// wrong (refuted): swapped
//   subf %in, %in_1 => subf %in_1, %in

func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %0 = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  %1 = linalg.sub ins(%0, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
