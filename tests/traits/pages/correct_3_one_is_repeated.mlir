// A static 1 is repeated four times.
func.func @example(%arg0: tensor<1xi32>, %arg1: tensor<4xi32>) -> tensor<4xi32> {
  %result = "test.broadcastable"(%arg0, %arg1) : (tensor<1xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %result : tensor<4xi32>
}
