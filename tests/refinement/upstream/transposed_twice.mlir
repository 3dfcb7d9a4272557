func.func @back(%a: tensor<?x?xf32>, %o: tensor<?x?xf32>, %p: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) permutation = [1, 0]
  %s = linalg.transpose ins(%r : tensor<?x?xf32>) outs(%p : tensor<?x?xf32>) permutation = [1, 0]
  return %s : tensor<?x?xf32>
}
