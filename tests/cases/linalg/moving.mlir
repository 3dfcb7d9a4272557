func.func @transposed(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  // expect: proved
  // expect: shape [a[1], a[0]]
  %0 = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  // expect: refuted C1
  %1 = linalg.transpose ins(%0 : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  return %1 : tensor<?x?xf32>
}

func.func @repeated(%a: tensor<?xf32>, %c: tensor<?x7xf32>) -> tensor<?x7xf32> {
  // expect: refuted C1
  // expect: shape [c[0], 7]
  %0 = linalg.broadcast ins(%a : tensor<?xf32>) outs(%c : tensor<?x7xf32>) dimensions = [1]
  return %0 : tensor<?x7xf32>
}

func.func @filled(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<2xindex>
  %0 = linalg.fill ins(%n : index) outs(%e : tensor<2xindex>) -> tensor<2xindex>
  // expect: proved
  // expect: value n
  %1 = tensor.extract %0[%c0] : tensor<2xindex>
  return %1 : index
}
