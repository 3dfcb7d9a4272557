// What a function requires is claimed where it is called, in the caller's names; what one without a body ensures is
// trusted, and an equation says what its result is.
func.func private @halves(%x: tensor<?xf32>, %n: index) -> (tensor<?xf32>, index) attributes {
  shapesolve.requires = ["arg0[0] % 2 == 0", "arg1 >= 1"],
  shapesolve.ensures = ["2*result0[0] == arg0[0]", "result1 == arg1 + 1"]
}

func.func @in_the_names_of_the_caller(%a: tensor<?xf32>, %k: index) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  // expect: refuted C1 with a[0] = 3
  // expect: refuted C1 with k = 0
  %r:2 = func.call @halves(%a, %k) : (tensor<?xf32>, index) -> (tensor<?xf32>, index)
  // expect: value a[0]//2
  %h = tensor.dim %r#0, %c0 : tensor<?xf32>
  %d = arith.muli %h, %c2 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %whole = arith.cmpi eq, %d, %n : index
  // expect: proved C1
  cf.assert %whole, "two halves"
  // expect: value k + 1
  %next = arith.addi %r#1, %c0 : index
  return %next : index
}

func.func @on_what_is_given(%a: tensor<6xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  // expect: proved C1
  // expect: approximated only what it ensures
  %r:2 = func.call @twice(%a, %c7) : (tensor<6xf32>, index) -> (tensor<?xf32>, index)
  // expect: value 12
  %h = tensor.dim %r#0, %c0 : tensor<?xf32>
  return %h : index
}

func.func private @twice(%x: tensor<6xf32>, %n: index) -> (tensor<?xf32>, index) attributes {
  shapesolve.requires = "arg1 <= 7", shapesolve.ensures = ["result0[0] == 2*arg0[0]", "result1 >= 0"]
}

// Nobody knows what this one needs, though what it gives is known.
func.func private @says_half(%n: index) -> index attributes {shapesolve.ensures = "result0 >= arg0"}

func.func @who_knows_what_it_needs(%n: index) {
  // expect: approximated does not say what it requires
  %m = func.call @says_half(%n) : (index) -> index
  %grown = arith.cmpi sge, %m, %n : index
  // expect: proved C1
  cf.assert %grown, "not less"
  return
}

// It needs nothing and gives anything.
func.func private @harmless() -> index attributes {shapesolve.requires = []}

func.func @of_any_result() {
  %c0 = arith.constant 0 : index
  // expect: approximated only what it ensures
  %m = func.call @harmless() : () -> index
  %positive = arith.cmpi sge, %m, %c0 : index
  // expect: undecided C1 because @harmless
  cf.assert %positive, "not negative"
  return
}

// Of a function with a body, what is required is assumed inside, and what is ensured is proved where it returns.
func.func @kept(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> attributes {
  shapesolve.requires = ["n >= 2", "x[0] >= n"], shapesolve.ensures = ["result0[0] == x[0] - n", "result0[0] <= x[0]"]
} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %some = arith.cmpi sge, %n, %c2 : index
  // expect: proved C1
  cf.assert %some, "at least two"
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %left = arith.subi %d, %n : index
  %r = tensor.extract_slice %x[%n] [%left] [1] : tensor<?xf32> to tensor<?xf32>
  // expect: proved C1
  return %r : tensor<?xf32>
}

func.func @not_kept(%x: tensor<?xf32>, %n: index) -> index attributes {shapesolve.ensures = ["result0 >= n"]} {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  // expect: refuted C1 with x[0] = 2, n = 3
  return %d : index
}

// Where it is called, its body is followed all the same.
func.func @calls_what_has_a_body(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  // expect: refuted C1 with a[0] = 1
  // expect: shape [a[0] - 2]
  %r = func.call @kept(%a, %c2) : (tensor<?xf32>, index) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// Each way to return ensures it.
func.func @two_ways(%n: index) -> index attributes {shapesolve.ensures = ["result0 >= 1"]} {
  %c1 = arith.constant 1 : index
  %low = arith.cmpi slt, %n, %c1 : index
  cf.cond_br %low, ^raised, ^as_it_is
^raised:
  // expect: proved C1
  return %c1 : index
^as_it_is:
  // expect: proved C1
  return %n : index
}
