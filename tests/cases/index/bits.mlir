func.func @sizes(%a: tensor<?xf32>) -> index {
  %c0 = index.constant 0
  %c3 = index.constant 3
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  // expect: value a[0] % 4
  %0 = index.and %n, %c3
  // expect: proved
  // expect: value 8*a[0]
  %1 = index.shl %n, %c3
  // expect: value 8*a[0] + 3
  %2 = index.or %1, %c3
  return %2 : index
}
