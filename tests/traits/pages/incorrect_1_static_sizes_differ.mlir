// Static sizes that differ.
func.func @example(%arg0: tensor<3xi32>, %arg1: tensor<2xi32>) -> tensor<?xi32> {
  %result = "test.broadcastable"(%arg0, %arg1) : (tensor<3xi32>, tensor<2xi32>) -> tensor<?xi32>
  return %result : tensor<?xi32>
}
