// 64-bit arithmetic is presumed not to wrap, except where it certainly does, or does so for small sizes.

func.func @constants_that_wrap() {
  %most = arith.constant 9223372036854775807 : i64
  %least = arith.constant -9223372036854775808 : i64
  %c1 = arith.constant 1 : i64
  %cm1 = arith.constant -1 : i64
  %c63 = arith.constant 63 : i64
  // expect: value -2**63
  %0 = arith.addi %most, %c1 : i64
  // expect: value 9223372036854775807
  %1 = arith.subi %least, %c1 : i64
  // expect: value -2**63
  %2 = arith.muli %least, %cm1 : i64
  // expect: value 1
  %3 = arith.muli %most, %most : i64
  // expect: value -2**63
  %4 = arith.shli %c1, %c63 : i64
  // expect: value -2
  %5 = arith.shli %most, %c1 : i64
  // expect: value -2**63
  %6 = math.absi %least : i64
  return
}

func.func @flags_that_are_broken() {
  %most = arith.constant 9223372036854775807 : i64
  %c1 = arith.constant 1 : i64
  %cm1 = arith.constant -1 : i64
  // expect: refuted C2
  %0 = arith.addi %most, %c1 overflow<nsw> : i64
  return
}

func.func @unsigned_flags_that_are_broken() {
  %c1 = arith.constant 1 : i64
  %cm1 = arith.constant -1 : i64
  // expect: refuted C2
  %0 = arith.addi %c1, %cm1 overflow<nuw> : i64
  return
}

func.func @flag_on_a_difference(%n: i64, %m: i64) {
  %zero = arith.constant 0 : i64
  %d = arith.subi %n, %m overflow<nuw> : i64
  %n_is_positive = arith.cmpi sge, %n, %zero : i64
  %m_is_positive = arith.cmpi sge, %m, %zero : i64
  %positive = arith.andi %n_is_positive, %m_is_positive : i1
  scf.if %positive {
    %less = arith.cmpi slt, %d, %zero : i64
    %true = arith.constant true
    %not_less = arith.xori %less, %true : i1
    // expect: undecided C1 because it fails only for sizes for which arith.subi wraps around
    cf.assert %not_less, "the difference is negative"
  }
  return
}

func.func @constant_checks() {
  %most = arith.constant 9223372036854775807 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %0 = arith.addi %most, %c1 : index
  %negative = arith.cmpi slt, %0, %c0 : index
  // expect: proved
  cf.assert %negative, "it wraps to a negative number"
  %great = arith.cmpi ugt, %0, %most : index
  // expect: proved
  cf.assert %great, "which is a great one without a sign"
  %more = arith.cmpi sgt, %0, %c1 : index
  // expect: refuted C1
  cf.assert %more, "no greater number"
  return
}

// What certainly wraps for all sizes that get somewhere says nothing there.
func.func @a_product_that_wraps_where_it_matters(%n: index) {
  %zero = arith.constant 0 : index
  %great = arith.constant 1099511627776 : index
  %product = arith.muli %n, %n : index
  %more = arith.cmpi sge, %product, %n : index
  // expect: proved
  cf.assert %more, "assuming that the product does not wrap"
  %positive = arith.cmpi sge, %n, %great : index
  scf.if %positive {
    // expect: undecided C1 because arith.muli wraps around
    cf.assert %more, "it certainly wraps here"
    %less = arith.cmpi slt, %product, %zero : index
    // expect: undecided C1 because arith.muli wraps around
    cf.assert %less, "always fails, if nothing wraps"
  }
  return
}

// What wraps for sizes that anybody may have is followed.
func.func @a_sum_with_the_greatest_number(%n: index) {
  %most = arith.constant 9223372036854775807 : index
  %zero = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %sum = arith.addi %n, %most : index
  %positive = arith.cmpi sge, %n, %c2 : index
  scf.if %positive {
    %less = arith.cmpi slt, %sum, %zero : index
    // expect: proved
    cf.assert %less, "it is negative here"
  }
  %more = arith.cmpi sgt, %sum, %n : index
  // expect: refuted C1 with n = 1
  cf.assert %more, "it is negative from 1 on"
  return
}

func.func @a_product_with_a_great_number(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %great = arith.constant 4611686018427387905 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %product = arith.muli %n, %great : index
  %positive = arith.cmpi sge, %product, %c0 : index
  // expect: refuted C1 with a[0] = 2
  cf.assert %positive, "twice that is negative"
  return %product : index
}

func.func @a_shift_into_the_sign(%n: index) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c62 = arith.constant 62 : index
  %size = arith.andi %n, %c3 : index
  %shifted = arith.shli %size, %c62 : index
  %positive = arith.cmpi sge, %shifted, %c0 : index
  // expect: refuted C1
  cf.assert %positive, "2 becomes the sign"
  return
}

func.func @an_affine_product_with_a_great_number(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %product = affine.apply affine_map<(d0) -> (d0 * 4611686018427387905)>(%n)
  %positive = arith.cmpi sge, %product, %c0 : index
  // expect: refuted C1 with a[0] = 2
  cf.assert %positive, "twice that is negative"
  return %product : index
}

// What has wrapped around is any number, and a sum with it may wrap again.
func.func @a_linear_congruence(%n: i64) {
  %zero = arith.constant 0 : i64
  %factor = arith.constant 6364136223846793005 : i64
  %shift = arith.constant 1442695040888963407 : i64
  %product = arith.muli %n, %factor : i64
  %sum = arith.addi %product, %shift : i64
  %small = arith.cmpi ult, %n, %shift : i64
  scf.if %small {
    %positive = arith.cmpi sge, %sum, %product : i64
    // expect: refuted C1
    cf.assert %positive, "7 times the factor and the shift"
  }
  return
}

func.func @a_product_that_wraps_inside(%n: index) {
  %great = arith.constant 4611686018427387904 : index
  %zero = arith.constant 0 : index
  %big = arith.cmpi sge, %n, %great : index
  scf.if %big {
    %double = arith.addi %n, %n : index
    %positive = arith.cmpi sge, %double, %zero : index
    // expect: undecided C1 because arith.addi wraps around
    cf.assert %positive, "not so"
  }
  %other = arith.cmpi sge, %n, %zero : index
  // expect: refuted C1
  cf.assert %other, "the rest of the function is judged"
  return
}

func.func @a_loop_whose_counter_wraps() {
  %from = arith.constant 9223372036854775800 : index
  %to = arith.constant 9223372036854775807 : index
  %step = arith.constant 100 : index
  %zero = arith.constant 0 : index
  scf.for %i = %from to %to step %step {
    %positive = arith.cmpi sge, %i, %zero : index
    // expect: undecided C1 because scf.for wraps around
    cf.assert %positive, "the second iteration has a negative counter"
  }
  return
}

// Sizes that wrap are no counterexample.
func.func @fails_only_where_it_wraps(%n: index, %m: index) {
  %zero = arith.constant 0 : index
  %limit = arith.constant 9223372036854775807 : index
  %product = arith.muli %n, %m : index
  %fits = arith.cmpi sle, %product, %limit : index
  // expect: undecided C1 because it fails only for sizes for which arith.muli wraps around
  cf.assert %fits, "every index is at most the greatest one"
  return
}

func.func @fails_elsewhere_too(%n: index) {
  %great = arith.constant 9223372036854775806 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : index
  %sum = arith.addi %n, %great : index
  %no = arith.cmpi eq, %sum, %great : index
  // expect: refuted C1 with n = 1
  cf.assert %no, "the smallest sizes that fail without wrapping"
  return
}

func.func @affine(%n: index) {
  %great = arith.constant 9223372036854775807 : index
  // expect: value -2**63
  %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%great)
  return
}
