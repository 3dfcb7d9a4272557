func.func @by_a_size(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  // expect: refuted C2 with b[0] = 0
  // expect: value a[0]//b[0]
  %0 = arith.divui %n, %m : index
  return %0 : index
}

func.func @by_a_number(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  // expect: proved
  // expect: value a[0]//4
  %0 = arith.divsi %n, %c4 : index
  // expect: proved
  // expect: value a[0] % 4
  %1 = arith.remsi %n, %c4 : index
  // expect: proved
  // expect: value a[0]//4
  %2 = arith.floordivsi %n, %c4 : index
  // expect: proved
  // expect: value (a[0] + 3)//4
  %3 = arith.ceildivsi %n, %c4 : index
  return %3 : index
}

func.func @exactly(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  // expect: proved C2
  // expect: refuted C4 with a[0] = 3
  %0 = arith.divsi %n, %c2 exact : index
  return %0 : index
}

func.func @least_by_minus_one(%a: i8, %b: i8) -> i8 {
  %zero = arith.constant 0 : i8
  %some = arith.cmpi ne, %b, %zero : i8
  // expect: refuted C1
  cf.assert %some, "b is not 0"
  // expect: proved C2
  // expect: refuted C3 with a = -128, b = -1
  %0 = arith.divsi %a, %b : i8
  return %0 : i8
}

// The remainder would be 0, but LLVM leaves it undefined, and x86 ends the process with SIGFPE.
func.func @rest_of_the_least_by_minus_one(%a: i32, %b: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %some = arith.cmpi ne, %b, %zero : i32
  // expect: refuted C1
  cf.assert %some, "b is not 0"
  // expect: proved C2
  // expect: refuted C3 with a = -2147483648, b = -1
  %0 = arith.remsi %a, %b : i32
  return %0 : i32
}

func.func @by_a_factor_of_a_product_of_quotients(%a: tensor<?x?xf32>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : i64
  %c32 = arith.constant 32 : i64
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %i = arith.index_cast %n : index to i64
  %j = arith.index_cast %m : index to i64
  %p = arith.divui %i, %c7 : i64
  %q = arith.divui %j, %c7 : i64
  %pq = arith.muli %p, %q : i64
  %all = arith.muli %pq, %c32 : i64
  %each = arith.divui %all, %c32 : i64
  %back = arith.muli %each, %c32 : i64
  %same = arith.cmpi eq, %back, %all : i64
  // expect: proved
  cf.assert %same, "what was multiplied is divided"
  return %each : i64
}

// Whatever the signs are, a number that is not 0 goes into itself once, and into its multiples without a rest.
func.func @by_itself(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %less = arith.subi %n, %m : index
  // expect: refuted C2
  // expect: value select(a[0] == b[0], 0, 1)
  %0 = arith.divsi %less, %less : index
  %product = arith.muli %less, %n : index
  // expect: refuted C2 with a[0] = 0
  // expect: value select(a[0] == 0, 0, a[0] - b[0])
  %1 = arith.divsi %product, %n : index
  return %0, %1 : index, index
}

// LLVM leaves the remainder undefined with the quotient: x86 has one instruction for both, which ends the process.
func.func @rest_of_a_word_by_minus_one(%a: i64) -> i64 {
  %minus = arith.constant -1 : i64
  // expect: refuted C3 with a = -9223372036854775808
  %0 = arith.remsi %a, %minus : i64
  return %0 : i64
}

func.func @quotients_of_a_word_by_minus_one(%a: i64, %b: index, %c: vector<4xi64>) -> (i64, index, vector<4xi64>) {
  %minus = arith.constant -1 : i64
  %minus_index = arith.constant -1 : index
  %minuses = arith.constant dense<-1> : vector<4xi64>
  // expect: refuted C3 with a = -9223372036854775808
  %0 = arith.divsi %a, %minus : i64
  // expect: refuted C3 with b = -9223372036854775808
  %1 = arith.floordivsi %b, %minus_index : index
  // expect: refuted C3
  %2 = arith.ceildivsi %c, %minuses : vector<4xi64>
  return %0, %1, %2 : i64, index, vector<4xi64>
}

func.func @a_guard_keeps_the_least_word_away(%a: i64) -> i64 {
  %minus = arith.constant -1 : i64
  %least = arith.constant -9223372036854775808 : i64
  %more = arith.cmpi ne, %a, %least : i64
  // expect: refuted C1
  cf.assert %more, "a is not the least number"
  // expect: proved C3
  %0 = arith.remsi %a, %minus : i64
  return %0 : i64
}
