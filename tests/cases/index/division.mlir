func.func @sizes(%a: tensor<?xf32>) -> index {
  %c0 = index.constant 0
  %c3 = index.constant 3
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  // expect: proved
  // expect: value a[0]//3
  %0 = index.divs %n, %c3
  // expect: proved
  // expect: value a[0] % 3
  %1 = index.remu %n, %c3
  // expect: refuted C2 with a[0] = 0
  %2 = index.floordivs %c3, %n
  return %2 : index
}
