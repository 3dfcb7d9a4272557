func.func @size(%a: tensor<?xf32>, %b: tensor<?xf32>, %o: tensor<?xf32>) -> index {
  %0 = arith.constant 0 : index
  %r = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  %n = tensor.dim %r, %0 : tensor<?xf32>
  return %n : index
}
