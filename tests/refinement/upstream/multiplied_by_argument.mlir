// multiplied_by_zero.mlir with the factor as an argument, which nothing folds.
func.func @f(%a: tensor<3xf32>, %factor: tensor<3xf32>) -> tensor<3xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.mul %a, %factor, %shift : (tensor<3xf32>, tensor<3xf32>, tensor<1xi8>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
