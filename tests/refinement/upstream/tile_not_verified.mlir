func.func @tiled(%a: tensor<4xf32>) -> tensor<9xf32> {
  %twice = tosa.const_shape {values = dense<[2]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %r = tosa.tile %a, %twice : (tensor<4xf32>, !tosa.shape<1>) -> tensor<9xf32>
  return %r : tensor<9xf32>
}
