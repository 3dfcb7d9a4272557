func.func @carry(%a: i8, %b: i8) -> i1 {
  %c0 = arith.constant 0 : i8
  %s, %carry = arith.addui_extended %a, %c0 : i8, i1
  %true = arith.constant true
  %none = arith.xori %carry, %true : i1
  // expect: proved C1
  cf.assert %none, "adding nothing carries nothing"
  return %carry : i1
}
