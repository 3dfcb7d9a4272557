func.func @known(%a: tensor<?x3xf32>) -> index {
  %c1 = arith.constant 1 : index
  // expect: proved C1
  // expect: value 3
  %0 = tensor.dim %a, %c1 : tensor<?x3xf32>
  return %0 : index
}

func.func @beyond_the_rank(%a: tensor<?x3xf32>) -> index {
  %c2 = arith.constant 2 : index
  // expect: refuted C1
  %0 = tensor.dim %a, %c2 : tensor<?x3xf32>
  return %0 : index
}

func.func @of_any_rank(%a: tensor<*xf32>) -> index {
  %r = tensor.rank %a : tensor<*xf32>
  %c1 = arith.constant 1 : index
  %last = arith.subi %r, %c1 : index
  // A scalar has no last dimension.
  // expect: refuted C1
  %0 = tensor.dim %a, %last : tensor<*xf32>
  return %0 : index
}
