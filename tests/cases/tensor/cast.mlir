func.func @believed(%a: tensor<?x3xf32>) -> tensor<4x3xf32> {
  // expect: proved C1
  // expect: refuted C2
  // expect: shape [4, 3]
  %0 = tensor.cast %a : tensor<?x3xf32> to tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

func.func @forgotten(%a: tensor<2x3xf32>) -> tensor<?x?xf32> {
  // expect: proved
  // expect: shape [2, 3]
  %0 = tensor.cast %a : tensor<2x3xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// assume: a[0] == 4
func.func @assumed(%a: tensor<?x3xf32>) -> tensor<4x3xf32> {
  // expect: proved
  %0 = tensor.cast %a : tensor<?x3xf32> to tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

func.func @of_any_rank(%a: tensor<*xf32>) -> tensor<?xf32> {
  // expect: refuted C1
  %0 = tensor.cast %a : tensor<*xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @there_and_back(%a: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %0 = tensor.cast %a : tensor<?x5xf32> to tensor<*xf32>
  // expect: proved
  // expect: shape [a[0], 5]
  %1 = tensor.cast %0 : tensor<*xf32> to tensor<?x5xf32>
  return %1 : tensor<?x5xf32>
}
