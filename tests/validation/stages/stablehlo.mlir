// passes: stablehlo-legalize-to-linalg
// shown: sizes, checks and elements
// wrong (refuted): wrong offset
//   %arg0[1, 0] [3, 4] => %arg0[0, 0] [3, 4]
// wrong (refuted): wrong part
//   %14 = arith.subi %10, %11 : index => %14 = arith.subi %10, %c0 : index

func.func @f(%a: tensor<6x4xf32>, %b: tensor<2x4xf32>) -> tensor<5x4xf32> {
  %0 = stablehlo.slice %a [1:6:2, 0:4] : (tensor<6x4xf32>) -> tensor<3x4xf32>
  %1 = stablehlo.concatenate %0, %b, dim = 0 : (tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<5x4xf32>
  %2 = stablehlo.subtract %1, %1 : tensor<5x4xf32>
  %3 = stablehlo.reverse %1, dims = [1] : tensor<5x4xf32>
  %4 = stablehlo.add %2, %3 : tensor<5x4xf32>
  return %4 : tensor<5x4xf32>
}
