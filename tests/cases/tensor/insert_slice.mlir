func.func @whole(%b: tensor<?xf32>, %a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %b, %c0 : tensor<?xf32>
  // expect: proved C4
  // expect: refuted C3 with a[0] = 2, b[0] = 3
  // expect: shape [a[0]]
  %0 = tensor.insert_slice %b into %a[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @wrong_size(%b: tensor<?xf32>, %a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  // expect: proved C3
  // expect: refuted C4
  %0 = tensor.insert_slice %b into %a[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}
