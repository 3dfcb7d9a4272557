// 64-bit arithmetic that wraps, as MLIR defines it, in place of the assumption that it does not.
// options: --check-wraps

func.func @a_sum_that_is_no_greater(%n: index) {
  %c1 = arith.constant 1 : index
  %sum = arith.addi %n, %c1 : index
  %more = arith.cmpi sgt, %sum, %n : index
  // expect: refuted C1 with n = 9223372036854775807
  cf.assert %more, "the greatest number has none above it"
  return
}

func.func @what_wraps_back(%n: i64, %m: i64) {
  %sum = arith.addi %n, %m : i64
  %back = arith.subi %sum, %m : i64
  %same = arith.cmpi eq, %back, %n : i64
  // expect: proved
  cf.assert %same, "a sum less one of its terms is the other, modulo 2^64"
  return
}

func.func @distributive(%n: i64, %m: i64, %k: i64) {
  %sum = arith.addi %n, %m : i64
  %whole = arith.muli %sum, %k : i64
  %first = arith.muli %n, %k : i64
  %second = arith.muli %m, %k : i64
  %parts = arith.addi %first, %second : i64
  %same = arith.cmpi eq, %whole, %parts : i64
  // expect: proved
  cf.assert %same, "modulo 2^64"
  return
}

func.func @half_of_twice(%n: i64) {
  %c2 = arith.constant 2 : i64
  %twice = arith.muli %n, %c2 : i64
  %half = arith.divsi %twice, %c2 : i64
  %same = arith.cmpi eq, %half, %n : i64
  // expect: refuted C1 with n = 4611686018427387904
  cf.assert %same, "not of 2^62"
  return
}

func.func @bounded_by_a_check(%n: index) {
  %c1 = arith.constant 1 : index
  %limit = arith.constant 1000 : index
  %few = arith.cmpi slt, %n, %limit : index
  // expect: refuted C1
  cf.assert %few, "few"
  %sum = arith.addi %n, %c1 : index
  %more = arith.cmpi sgt, %sum, %n : index
  // expect: proved
  cf.assert %more, "it does not wrap below 1000"
  return
}

// Sizes for which nothing wraps are shown where there are some.
func.func @fails_without_wrapping(%n: index, %m: index) {
  %product = arith.muli %n, %m : index
  %same = arith.cmpi eq, %product, %n : index
  // expect: refuted C1 with n = 1, m = 0
  cf.assert %same, "times 1"
  return
}

func.func @fails_only_where_it_wraps(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %positive = arith.cmpi sge, %n, %c0 : index
  // expect: refuted C1
  cf.assert %positive, "n is a size"
  %also = arith.cmpi sge, %m, %c0 : index
  // expect: refuted C1
  cf.assert %also, "m is a size"
  %sum = arith.addi %n, %m : index
  %size = arith.cmpi sge, %sum, %c0 : index
  // expect: refuted C1
  cf.assert %size, "the sum is negative from 2^63 on"
  return
}

func.func @a_wrapped_size(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %positive = arith.cmpi sge, %n, %c0 : index
  // expect: refuted C1
  cf.assert %positive, "n is a size"
  %sum = arith.addi %n, %c1 : index
  // expect: refuted C1 with n = 9223372036854775807
  %e = tensor.empty(%sum) : tensor<?xf32>
  %d = tensor.dim %e, %c0 : tensor<?xf32>
  return %d : index
}

// Arithmetic on sizes of arguments that fit in memory is proved not to wrap.
func.func @sizes_in_memory(%a: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %sum = arith.addi %n, %c1 : index
  %more = arith.cmpi sgt, %sum, %n : index
  // expect: proved
  cf.assert %more, "2^45 at most"
  return
}

func.func @unsigned_order(%n: i64) {
  %c1 = arith.constant 1 : i64
  %sum = arith.addi %n, %c1 : i64
  %more = arith.cmpi ugt, %sum, %n : i64
  // expect: refuted C1 with n = -1
  cf.assert %more, "-1 is the greatest number without a sign"
  return
}

func.func @a_shift(%n: i64) {
  %c1 = arith.constant 1 : i64
  %twice = arith.shli %n, %c1 : i64
  %half = arith.shrsi %twice, %c1 : i64
  %same = arith.cmpi eq, %half, %n : i64
  // expect: refuted C1 with n = 4611686018427387904
  cf.assert %same, "the sign is another from 2^62 on"
  return
}

func.func @an_absolute_value(%n: i64) {
  %c0 = arith.constant 0 : i64
  %abs = math.absi %n : i64
  %positive = arith.cmpi sge, %abs, %c0 : i64
  // expect: refuted C1 with n = -9223372036854775808
  cf.assert %positive, "the least number has no opposite"
  return
}

// With a flag, a sum that wraps is poison.
func.func @a_flag(%n: i64) -> i64 {
  %c1 = arith.constant 1 : i64
  // expect: refuted C2 with n = 9223372036854775807
  %sum = arith.addi %n, %c1 overflow<nsw> : i64
  return %sum : i64
}

// The counter of a loop is assumed not to wrap, and so are the maps of the affine dialect.
func.func @a_counter(%n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c4 {
    %more = arith.cmpi sge, %i, %c0 : index
    // expect: proved
    cf.assert %more, "it starts at 0"
  }
  return
}
