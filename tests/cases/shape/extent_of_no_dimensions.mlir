// An extent of what has none. Of the extents here MLIR's own canonicalization makes one of a `tensor<f32>`, which its
// verifier refuses.

func.func @an_extent(%a: tensor<f32>) -> index {
  %v = tensor.cast %a : tensor<f32> to tensor<*xf32>
  %r = tensor.rank %v : tensor<*xf32>
  // expect: refuted C1
  %d = tensor.dim %v, %r : tensor<*xf32>
  return %d : index
}

func.func @of_another_rank(%a: tensor<f32>) -> tensor<?xf32> {
  %u = tensor.cast %a : tensor<f32> to tensor<*xf32>
  // expect: refuted C1
  // expect: unreachable T1
  %w = tensor.cast %u : tensor<*xf32> to tensor<?xf32>
  return %w : tensor<?xf32>
}
