func.func @rounded(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = stablehlo.reduce_precision %a, format = e5m10 : tensor<?xf32>
  return %r : tensor<?xf32>
}
