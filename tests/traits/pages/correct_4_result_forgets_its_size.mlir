// The inferred size is 4; the result says `?`.
func.func @example(%arg0: tensor<4xi32>) -> tensor<?xi32> {
  %result = "test.broadcastable"(%arg0) : (tensor<4xi32>) -> tensor<?xi32>
  return %result : tensor<?xi32>
}
