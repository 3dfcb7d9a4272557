func.func @sizes_of_another(%a: tensor<?x3xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x3xf32>
  // expect: proved C1
  // expect: shape [a[0]]
  %0 = tensor.empty(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @less_than_nothing(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = arith.subi %n, %c2 : index
  // expect: refuted C1 with a[0] = 1
  // expect: shape [a[0] - 2]
  %0 = tensor.empty(%m) : tensor<?xf32>
  return %0 : tensor<?xf32>
}
