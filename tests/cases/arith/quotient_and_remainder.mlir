// A quotient times the divisor and the remainder are the dividend, whatever the signs are.

func.func @rounded_towards_zero(%n: index, %m: index) {
  // expect: refuted C2
  // expect: refuted C3
  %quotient = arith.divsi %n, %m : index
  %rest = arith.remsi %n, %m : index
  %whole = arith.muli %quotient, %m : index
  %sum = arith.addi %whole, %rest : index
  %same = arith.cmpi eq, %sum, %n : index
  // expect: proved
  cf.assert %same, "for all signs"
  return
}

func.func @multiple(%n: index, %m: index) {
  // expect: refuted C2
  // expect: refuted C3
  %quotient = arith.divsi %n, %m : index
  %whole = arith.muli %quotient, %m : index
  %other = arith.cmpi eq, %whole, %n : index
  // expect: refuted C1
  cf.assert %other, "there may be a remainder"
  return
}

// One more fact about the quotient: the conditions of the choices tell the cases of the signs apart.
// assume: n >= 1
// assume: m*select(n >= 0, select(m >= 0, n//m, -(n//(-m))), -select(m >= 0, -ceildiv(n, m), ceildiv(n, -m))) == n
func.func @multiple_with_remainder(%n: index, %m: index) {
  // expect: proved
  %quotient = arith.divsi %n, %m : index
  %rest = arith.remsi %n, %m : index
  %whole = arith.muli %quotient, %m : index
  %sum = arith.addi %whole, %rest : index
  %same = arith.cmpi eq, %sum, %n : index
  // expect: proved
  cf.assert %same, "for all signs"
  return
}

func.func @rounded_down(%n: i64, %m: i64) {
  // expect: refuted C2
  // expect: refuted C3
  %quotient = arith.floordivsi %n, %m : i64
  %whole = arith.muli %quotient, %m : i64
  %rest = arith.subi %n, %whole : i64
  %sum = arith.addi %whole, %rest : i64
  %same = arith.cmpi eq, %sum, %n : i64
  // expect: proved
  cf.assert %same, "for all signs"
  return
}

func.func @what_the_remainder_leaves(%n: i64, %m: i64) {
  // expect: refuted C2
  // expect: refuted C3
  %rest = arith.remsi %n, %m : i64
  %quotient = arith.divsi %n, %m : i64
  %whole = arith.muli %m, %quotient : i64
  %left = arith.subi %n, %rest : i64
  %same = arith.cmpi eq, %left, %whole : i64
  // expect: proved
  cf.assert %same, "a multiple of the divisor"
  return
}

func.func @of_sizes(%a: tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  // expect: refuted C2
  %quotient = arith.divui %n, %m : index
  %rest = arith.remui %n, %m : index
  %whole = arith.muli %quotient, %m : index
  %sum = arith.addi %whole, %rest : index
  %same = arith.cmpi eq, %sum, %n : index
  // expect: proved
  cf.assert %same, "of sizes"
  return
}
