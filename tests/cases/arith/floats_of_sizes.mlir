// Sizes that travel through floats. What f64 holds is presumed; of narrower types it is a case.

func.func @arange(%x: tensor<?xf32>) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %i = arith.index_cast %n : index to i64
  %f = arith.sitofp %i : i64 to f64
  %q = arith.divf %f, %one : f64
  %c = math.ceil %q : f64
  // expect: value x[0]
  %r = arith.fptosi %c : f64 to i64
  %d = arith.index_cast %r : i64 to index
  // expect: shape [x[0]]
  %e = tensor.empty(%d) : tensor<?xi64>
  return %e : tensor<?xi64>
}

// A third of an integer is no float, but its ceiling is that of the third.
func.func @steps(%x: tensor<?xf32>) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %step = arith.constant 3.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %i = arith.index_cast %n : index to i64
  %f = arith.sitofp %i : i64 to f64
  %q = arith.divf %f, %step : f64
  %c = math.ceil %q : f64
  // expect: value (x[0] + 2)//3
  %r = arith.fptosi %c : f64 to i64
  %d = arith.index_cast %r : i64 to index
  %e = tensor.empty(%d) : tensor<?xi64>
  return %e : tensor<?xi64>
}

// assume: x[0] <= 2**23
func.func @doubled_in_f32(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %two = arith.constant 2.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %i = arith.index_cast %n : index to i64
  %f = arith.sitofp %i : i64 to f32
  %p = arith.mulf %f, %two : f32
  // expect: approximated floats that are rounded are not followed
  %g = math.floor %p : f32
  %r = arith.fptosi %g : f32 to i64
  %d = arith.index_cast %r : i64 to index
  %double = arith.muli %n, %c2 : index
  // expect: proved C1
  %e = tensor.empty(%d) : tensor<?xf32>
  %same = arith.cmpi eq, %d, %double : index
  // expect: proved C1
  cf.assert %same, "twice the size"
  return %e : tensor<?xf32>
}

// 2^24 + 1 is no float of 24 bits: nothing is said of what becomes of it.
func.func @beyond(%x: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %i = arith.index_cast %n : index to i64
  %f = arith.sitofp %i : i64 to f32
  // expect: approximated floats that are rounded are not followed
  %r = arith.fptosi %f : f32 to i64
  %same = arith.cmpi eq, %r, %i : i64
  // expect: undecided C1 because floats that are rounded
  cf.assert %same, "the same"
  return
}

// assume: x[0] <= 256
func.func @up_to_the_border_of_bf16(%x: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %i = arith.index_cast %n : index to i64
  %f = arith.sitofp %i : i64 to bf16
  // expect: approximated floats that are rounded are not followed
  %r = arith.fptosi %f : bf16 to i64
  %same = arith.cmpi eq, %r, %i : i64
  // expect: proved C1
  cf.assert %same, "the same"
  return
}

func.func @a_wrong_size(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %i = arith.index_cast %n : index to i64
  %f = arith.sitofp %i : i64 to f64
  %p = arith.mulf %f, %half : f64
  %g = math.roundeven %p : f64
  %r = arith.fptosi %g : f64 to i64
  %d = arith.index_cast %r : i64 to index
  %m = tensor.dim %y, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %d, %m : index
  // expect: refuted C1
  cf.assert %same, "half the size"
  return %y : tensor<?xf32>
}

// No divisor is 0 that is 1 at least; of one that may be 0, the quotient may be no number.
func.func @divided(%x: tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %k = arith.maxsi %m, %c1 : index
  %i = arith.index_cast %n : index to i64
  %j = arith.index_cast %k : index to i64
  %l = arith.index_cast %m : index to i64
  %f = arith.sitofp %i : i64 to f64
  %g = arith.sitofp %j : i64 to f64
  %h = arith.sitofp %l : i64 to f64
  %q = arith.divf %f, %g : f64
  %u = math.floor %q : f64
  // expect: value x[0]//max(1, x[1])
  %r = arith.fptosi %u : f64 to i64
  %w = arith.divf %f, %h : f64
  // expect: approximated floats that are rounded are not followed
  %v = math.floor %w : f64
  // expect: approximated floats that are rounded are not followed
  %s = arith.fptosi %v : f64 to i64
  return
}

func.func @compared(%x: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %nan = arith.constant 0x7FF8000000000000 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %i = arith.index_cast %n : index to i64
  %f = arith.sitofp %i : i64 to f64
  %p = arith.cmpf oge, %f, %zero : f64
  // expect: proved C1
  cf.assert %p, "a size is not negative"
  // expect: approximated floats that are rounded are not followed
  %q = arith.cmpf oge, %f, %nan : f64
  // expect: undecided C1
  cf.assert %q, "nothing is less than what is no number"
  return
}

// What may be computed in another way is not followed.
func.func @fast(%x: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %three = arith.constant 3.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %i = arith.index_cast %n : index to i64
  %f = arith.sitofp %i : i64 to f64
  %q = arith.divf %f, %three fastmath<arcp> : f64
  // expect: approximated floats are not followed
  %r = arith.fptosi %q : f64 to i64
  return
}

// Read without its sign, a negative number is no size: f64 does not hold 2^64 - 1.
func.func @a_negative_number_without_its_sign(%n: index) {
  %c0 = arith.constant 0 : i64
  %i = arith.index_cast %n : index to i64
  %negative = arith.subi %c0, %i : i64
  %f = arith.uitofp %negative : i64 to f64
  %most = arith.constant 18446744073709551615.0 : f64
  // expect: approximated rounded
  %less = arith.cmpf olt, %f, %most : f64
  // expect: undecided C1 because rounded
  cf.assert %less, "less than 2^64"
  return
}

func.func @the_greater_of_a_size_and_what_no_size_is(%n: index) {
  %many = arith.constant 9007199254740993 : index
  %m = arith.maxsi %n, %many : index
  %i = arith.index_cast %m : index to i64
  %f = arith.sitofp %i : i64 to f64
  // expect: approximated rounded
  %back = arith.fptosi %f : f64 to i64
  %same = arith.cmpi eq, %back, %i : i64
  // expect: undecided C1 because rounded
  cf.assert %same, "there and back"
  return
}

func.func @the_greater_of_a_size_and_a_multiple_that_no_size_is(%n: index, %k: index) {
  %many = arith.constant 9007199254740993 : index
  %p = arith.muli %n, %many : index
  %m = arith.maxsi %p, %k : index
  %i = arith.index_cast %m : index to i64
  %f = arith.sitofp %i : i64 to f64
  // expect: approximated rounded
  %back = arith.fptosi %f : f64 to i64
  %same = arith.cmpi eq, %back, %i : i64
  // expect: undecided C1 because rounded
  cf.assert %same, "there and back"
  return
}

func.func @constant_fits() -> (i8, i8) {
  %f = arith.constant 127.9 : f32
  // expect: proved C1
  %i = arith.fptosi %f : f32 to i8
  %g = arith.constant -0.9 : f32
  // expect: proved C1
  %u = arith.fptoui %g : f32 to i8
  return %i, %u : i8, i8
}

func.func @constant_does_not_fit() -> i8 {
  %f = arith.constant 128.0 : f32
  // expect: refuted C1
  // expect: approximated floats that are rounded are not followed
  %i = arith.fptosi %f : f32 to i8
  return %i : i8
}

func.func @negative_is_not_unsigned() -> i8 {
  %f = arith.constant -1.0 : f32
  // expect: refuted C1
  // expect: approximated floats that are rounded are not followed
  %u = arith.fptoui %f : f32 to i8
  return %u : i8
}

func.func @infinity_is_no_integer() -> i64 {
  %f = arith.constant 0x7FF0000000000000 : f64
  // expect: refuted C1
  // expect: approximated floats that are rounded are not followed
  %i = arith.fptosi %f : f64 to i64
  return %i : i64
}

// assume: x[0] <= 255
func.func @size_fits(%x: tensor<?xf32>) -> i8 {
  %c0 = arith.constant 0 : index
  // expect: proved
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %i = arith.index_cast %n : index to i64
  %f = arith.sitofp %i : i64 to f64
  %half = arith.constant 0.5 : f64
  %p = arith.mulf %f, %half : f64
  // expect: proved C1
  // expect: approximated floats that are rounded are not followed
  %r = arith.fptosi %p : f64 to i8
  return %r : i8
}

// assume: x[0] <= 256
func.func @size_does_not_fit(%x: tensor<?xf32>) -> i8 {
  %c0 = arith.constant 0 : index
  // expect: proved
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %i = arith.index_cast %n : index to i64
  %f = arith.sitofp %i : i64 to f64
  %half = arith.constant 0.5 : f64
  %p = arith.mulf %f, %half : f64
  // expect: refuted C1 with x[0] = 256
  // expect: approximated floats that are rounded are not followed
  %r = arith.fptosi %p : f64 to i8
  return %r : i8
}

// Nothing is claimed of floating-point data.
func.func @data(%f: f32) -> i8 {
  // expect: approximated depends on the data of %f
  %r = arith.fptosi %f : f32 to i8
  return %r : i8
}
