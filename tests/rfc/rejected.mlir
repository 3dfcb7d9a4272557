// 2x3 with 4x3: the extents differ and neither is 1, so the operation is no operation.
func.func @two_four(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) -> tensor<?x?xf32> {
  %sum = tosa.add %a, %b : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<?x?xf32>
  return %sum : tensor<?x?xf32>
}
