// -0.0 plus 0.0 is 0.0. stablehlo-aggressive-simplification returns %a.
func.func @f(%a: tensor<3xf32>) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<3xf32>
  %r = stablehlo.add %a, %zero : tensor<3xf32>
  return %r : tensor<3xf32>
}
