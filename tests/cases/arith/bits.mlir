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

func.func @middle_bits(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %mask = arith.constant 12 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %0 = arith.andi %n, %mask : index
  %fits = arith.cmpi sle, %0, %mask : index
  // expect: proved C1
  cf.assert %fits, "no more than the mask"
  %1 = arith.xori %n, %mask : index
  %2 = arith.xori %1, %mask : index
  %same = arith.cmpi eq, %2, %n : index
  // expect: proved C1
  cf.assert %same, "twice is never"
  return %0 : index
}

func.func @odd_and_even_bits(%a: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %five = arith.constant 5 : index
  %ten = arith.constant 10 : index
  %all = arith.constant 15 : index
  %rest = arith.constant -11 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %even = arith.andi %n, %five : index
  %odd = arith.andi %n, %ten : index
  %both = arith.addi %even, %odd : index
  %low = arith.andi %n, %all : index
  %same = arith.cmpi eq, %both, %low : index
  // expect: proved C1
  cf.assert %same, "all bits"
  %without = arith.andi %n, %rest : index
  %sum = arith.addi %without, %odd : index
  %whole = arith.cmpi eq, %sum, %n : index
  // expect: proved C1
  cf.assert %whole, "a mask and its complement"
  %with = arith.ori %n, %ten : index
  %more = arith.addi %without, %ten : index
  %or = arith.cmpi eq, %with, %more : index
  // expect: proved C1
  cf.assert %or, "the bits of a mask are set"
  return
}

// assume: a[0] <= 3
func.func @fails_for_two(%a: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %mask = arith.constant 10 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %0 = arith.andi %n, %mask : index
  %none = arith.cmpi eq, %0, %c0 : index
  // expect: refuted C1 with a[0] = 2
  cf.assert %none, "no bit of the mask is set"
  return
}
