// passes: convert-elementwise-to-linalg
// shown: sizes, checks and elements
// wrong (refuted): swapped branches
//   arith.select %in, %in_0, %in_1 => arith.select %in, %in_1, %in_0
// wrong (refuted): other function
//   math.exp => math.exp2

func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %p: tensor<?x?xi1>) -> tensor<?x?xf32> {
  %0 = arith.subf %a, %b : tensor<?x?xf32>
  %1 = arith.select %p, %0, %a : tensor<?x?xi1>, tensor<?x?xf32>
  %2 = math.exp %1 : tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}
