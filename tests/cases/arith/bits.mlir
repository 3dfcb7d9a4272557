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

func.func @bounds_by_the_operands(%a: tensor<?x?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %sum = arith.addi %n, %m : index
  // expect: approximated
  %both = arith.andi %n, %m : index
  %at_most = arith.cmpi sle, %both, %m : index
  // expect: proved C1
  cf.assert %at_most, "a conjunction is at most either"
  // expect: approximated
  %either = arith.ori %n, %m : index
  %at_least = arith.cmpi sge, %either, %n : index
  // expect: proved C1
  cf.assert %at_least, "a disjunction is at least either"
  %below = arith.cmpi sle, %either, %sum : index
  // expect: proved C1
  cf.assert %below, "a disjunction is at most the sum"
  %no_bit = arith.cmpi eq, %either, %c0 : index
  %nothing = arith.cmpi eq, %sum, %c0 : index
  %same = arith.cmpi eq, %no_bit, %nothing : i1
  // expect: proved C1
  cf.assert %same, "a disjunction is 0 where the sum is"
  return %either : index
}

func.func @equal_where_no_bit_differs(%n: index, %m: index) -> index {
  // expect: approximated
  %x = arith.xori %n, %m : index
  %c0 = arith.constant 0 : index
  %none = arith.cmpi eq, %x, %c0 : index
  %equal = arith.cmpi eq, %n, %m : index
  %same = arith.cmpi eq, %none, %equal : i1
  // expect: proved C1
  cf.assert %same, "an exclusive or is 0 where the numbers are equal"
  return %x : index
}

func.func @of_a_result_and_its_operand(%n: index, %m: index) {
  // expect: approximated
  %x = arith.xori %n, %m : index
  %twice = arith.xori %m, %x : index
  %back = arith.cmpi eq, %twice, %n : index
  // expect: proved C1
  cf.assert %back, "the same bits are changed twice"
  // expect: approximated
  %either = arith.ori %n, %m : index
  // expect: approximated
  %both = arith.andi %n, %m : index
  %absorbed = arith.andi %either, %m : index
  %whole = arith.ori %absorbed, %both : index
  %is_m = arith.cmpi eq, %whole, %m : index
  // expect: proved C1
  cf.assert %is_m, "one absorbs the other"
  %only_n = arith.xori %either, %m : index
  %without = arith.xori %both, %n : index
  %same = arith.cmpi eq, %only_n, %without : index
  // expect: proved C1
  cf.assert %same, "bits of the first alone"
  %again = arith.andi %both, %m : index
  %more = arith.ori %either, %n : index
  %sum = arith.addi %again, %more : index
  %total = arith.addi %n, %m : index
  %adds_up = arith.cmpi eq, %sum, %total : index
  // expect: proved C1
  cf.assert %adds_up, "common bits count twice"
  return
}
