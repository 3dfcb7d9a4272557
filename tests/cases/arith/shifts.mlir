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

// What flags demand of a shift by an unknown amount stays open, and so whether it is safe.
func.func @flags(%a: i32, %by: i32) -> i32 {
  // expect: refuted C2
  // expect: approximated shifts by an unknown number of bits are not followed
  %0 = arith.shrui %a, %by exact : i32
  // expect: approximated shifts by an unknown number of bits are not followed
  %1 = arith.shli %a, %by overflow<nsw> : i32
  // expect: proved C2
  // expect: approximated shifts by an unknown number of bits are not followed
  %2 = arith.shrsi %a, %by : i32
  %false = arith.constant false
  // expect: undecided C1
  cf.assert %false, "behind it"
  return %0 : i32
}
