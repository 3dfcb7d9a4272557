func.func @on_sizes(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  // expect: value 2*a[0]
  %0 = arith.muli %n, %c2 : index
  // expect: value 2*a[0] + 2
  %1 = arith.addi %0, %c2 : index
  // expect: value 2*a[0]
  %2 = arith.subi %1, %c2 : index
  return %2 : index
}

func.func @same_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  // expect: refuted C1
  // expect: shape [a[0]]
  %0 = arith.addi %a, %b : tensor<?xi32>
  // expect: proved
  %1 = arith.muli %0, %a : tensor<?xi32>
  return %1 : tensor<?xi32>
}

func.func @flagged(%a: i8) -> i8 {
  // expect: refuted C2
  %0 = arith.addi %a, %a overflow<nsw> : i8
  return %0 : i8
}

func.func @wraps(%a: i8) -> i1 {
  %c1 = arith.constant 1 : i8
  %next = arith.addi %a, %c1 : i8
  %more = arith.cmpi sgt, %next, %a : i8
  // expect: refuted C1 with a = 127
  cf.assert %more, "a number has a successor"
  return %more : i1
}
