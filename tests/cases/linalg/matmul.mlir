func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %x: f32) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  // expect: shape [a[0], b[1]]
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  // expect: refuted C1
  // expect: shape [a[0], b[1]]
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// assume: a[1] == b[0]
func.func @fitting(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %x: f32) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  // expect: proved
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// An empty product touches nothing, whatever the other extents are.
func.func @empty(%a: tensor<0x?xf32>, %b: tensor<?x4xf32>, %c: tensor<0x4xf32>) -> tensor<0x4xf32> {
  // expect: proved
  // expect: shape [0, 4]
  %0 = linalg.matmul ins(%a, %b : tensor<0x?xf32>, tensor<?x4xf32>) outs(%c : tensor<0x4xf32>) -> tensor<0x4xf32>
  return %0 : tensor<0x4xf32>
}

func.func @batches(%a: tensor<?x2x3xf32>, %b: tensor<?x3x5xf32>, %c: tensor<?x2x5xf32>) -> tensor<?x2x5xf32> {
  // expect: refuted C1
  // expect: shape [c[0], 2, 5]
  %0 = linalg.batch_matmul ins(%a, %b : tensor<?x2x3xf32>, tensor<?x3x5xf32>) outs(%c : tensor<?x2x5xf32>) -> tensor<?x2x5xf32>
  return %0 : tensor<?x2x5xf32>
}
