// Nothing is inferred from operands of unknown rank.
func.func @example(%arg0: tensor<*xi32>, %arg1: tensor<*xi32>) -> tensor<2xi32> {
  %result = "test.broadcastable"(%arg0, %arg1) : (tensor<*xi32>, tensor<*xi32>) -> tensor<2xi32>
  return %result : tensor<2xi32>
}
