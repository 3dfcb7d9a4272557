// Element types take no part.
func.func @example(%arg0: tensor<2xi1>, %arg1: tensor<2xi32>) -> tensor<2xi64> {
  %result = "test.broadcastable"(%arg0, %arg1) : (tensor<2xi1>, tensor<2xi32>) -> tensor<2xi64>
  return %result : tensor<2xi64>
}
