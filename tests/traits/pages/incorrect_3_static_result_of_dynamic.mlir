// `?` is inferred; the result says 4.
func.func @example(%arg0: tensor<?xi32>, %arg1: tensor<?xi32>) -> tensor<4xi32> {
  %result = "test.broadcastable"(%arg0, %arg1) : (tensor<?xi32>, tensor<?xi32>) -> tensor<4xi32>
  return %result : tensor<4xi32>
}
