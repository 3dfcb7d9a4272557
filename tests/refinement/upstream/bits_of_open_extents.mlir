func.func @f(%a: tensor<?xf64>) -> tensor<?x2xf32> {
  %r = stablehlo.bitcast_convert %a : (tensor<?xf64>) -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}
