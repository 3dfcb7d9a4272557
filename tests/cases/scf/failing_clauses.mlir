// What the rules of this dialect demand, and sizes for which it does not hold: one clause or two for each function.

func.func @a_loop_whose_end_is_not_representable(%n: i8) {
  %c0 = arith.constant 0 : i8
  %c3 = arith.constant 3 : i8
  // expect: refuted C2
  scf.for %i = %c0 to %n step %c3 : i8 {
  }
  return
}

func.func @parallel_steps_that_are_not_positive(%n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expect: refuted C1
  scf.parallel (%i) = (%c0) to (%c4) step (%n) {
  }
  return
}

func.func @forall_steps_that_are_not_positive(%n: index) {
  // expect: refuted C1
  scf.forall (%i) = (0) to (4) step (%n) {
  }
  return
}
