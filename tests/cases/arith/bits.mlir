func.func @low_bits(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  // expect: value a[0] % 8
  %0 = arith.andi %n, %c7 : index
  return %0 : index
}

func.func @truths(%p: i1, %q: i1) {
  %true = arith.constant true
  %both = arith.andi %p, %q : i1
  %not_p = arith.xori %p, %true : i1
  %not_q = arith.xori %q, %true : i1
  %neither = arith.ori %not_p, %not_q : i1
  %one = arith.xori %both, %neither : i1
  // expect: proved C1
  cf.assert %one, "de Morgan"
  return
}

func.func @unknown(%a: index, %b: index) -> index {
  // expect: approximated
  %0 = arith.ori %a, %b : index
  return %0 : index
}
