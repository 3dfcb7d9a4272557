func.func @rows(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expect: refuted C1
  // expect: shape [c[0], c[1]]
  %0 = linalg.softmax dimension(1) ins(%a : tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  // expect: proved
  %1 = linalg.softmax dimension(1) ins(%c : tensor<?x?xf32>) outs(%0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
