// Nothing is asked of a result of unknown rank.
func.func @example(%arg0: tensor<2xi32>) -> tensor<*xi32> {
  %result = "test.broadcastable"(%arg0) : (tensor<2xi32>) -> tensor<*xi32>
  return %result : tensor<*xi32>
}
