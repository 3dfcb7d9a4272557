// Rank 1 is inferred; the result has rank 2.
func.func @example(%arg0: tensor<3xi32>, %arg1: tensor<3xi32>) -> tensor<1x3xi32> {
  %result = "test.broadcastable"(%arg0, %arg1) : (tensor<3xi32>, tensor<3xi32>) -> tensor<1x3xi32>
  return %result : tensor<1x3xi32>
}
