// -0.0 plus 0.0 is 0.0. canonicalize returns %a.
func.func @f(%a: tensor<3xf32>) -> tensor<3xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<3xf32>}> : () -> tensor<3xf32>
  %r = tosa.add %a, %zero : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
