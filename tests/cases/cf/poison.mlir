func.func @chosen_never(%c: i1) -> index {
  %c1 = arith.constant 1 : index
  // expect: approximated
  %p = ub.poison : index
  %0 = arith.select %c, %c1, %p : index
  return %0 : index
}

func.func @reached(%c: i1) {
  // expect: refuted C1
  cf.assert %c, "never"
  // expect: refuted C1
  ub.unreachable
}
