func.func @sizes(%a: tensor<?xf32>, %by: index) -> index {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  // expect: proved
  // expect: value 8*a[0]
  %0 = arith.shli %n, %c3 : index
  // expect: proved
  // expect: value a[0]
  %1 = arith.shrui %0, %c3 : index
  // expect: proved
  // expect: value a[0]//8
  %2 = arith.shrsi %1, %c3 : index
  // expect: refuted C2
  // expect: approximated
  %3 = arith.shli %n, %by : index
  return %3 : index
}
