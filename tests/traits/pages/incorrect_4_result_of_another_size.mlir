// 2 is inferred; the result says 4.
func.func @example(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>) -> tensor<4xi32> {
  %result = "test.broadcastable"(%arg0, %arg1) : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
  return %result : tensor<4xi32>
}
