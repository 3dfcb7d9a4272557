func.func @wide(%a: tensor<?xf32>) -> tensor<2x3xf32> {
  %r = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<?xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
