// passes: resolve-shaped-type-result-dims
// shown: sizes, checks and elements
// wrong (refuted): wrong operand
//   %dim = tensor.dim %arg1, %c1 => %dim = tensor.dim %arg0, %c1
// wrong (refuted): off by one
//   (s0 + s1 + 3) => (s0 + s1 + 2)

func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %k: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) -> tensor<?x?xf32>
  %n = tensor.dim %0, %c1 : tensor<?x?xf32>
  %1 = tensor.pad %a low[%k, 1] high[3, %k] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %m = tensor.dim %1, %c1 : tensor<?x?xf32>
  %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %l = tensor.dim %2, %c0 : tensor<?xf32>
  return %n, %m, %l : index, index, index
}
