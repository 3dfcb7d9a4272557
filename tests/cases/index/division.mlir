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

func.func @least_by_minus_one(%a: index, %b: index) -> index {
  // expect: refuted C2
  // expect: refuted C3 with a = -9223372036854775808, b = -1
  %0 = index.floordivs %a, %b
  return %0 : index
}

// A size is never the least number, and neither is a difference of two sizes.
func.func @sizes_by_minus_one(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (index, index) {
  %c0 = index.constant 0
  %minus = index.constant -1
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %less = index.sub %n, %m
  // expect: proved
  // expect: value -a[0]
  %0 = index.divs %n, %minus
  // expect: proved
  // expect: value 0
  %1 = index.rems %less, %minus
  return %0, %1 : index, index
}
