// A function that calls itself keeps its contract by induction, wherever it is called from; without one it is not
// followed.
func.func private @countdown(%n: index) -> index attributes {
  shapesolve.requires = "n >= 0", shapesolve.ensures = ["result0 >= 1", "result0 <= n + 1"]
} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %last -> index {
    scf.yield %c1 : index
  } else {
    %less = arith.subi %n, %c1 : index
    // expect: proved C1
    // expect: approximated only what it ensures
    %inner = func.call @countdown(%less) : (index) -> index
    %more = arith.addi %inner, %c1 : index
    scf.yield %more : index
  }
  // expect: proved C1
  return %r : index
}

func.func @counts(%x: tensor<?xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  // expect: refuted C1 with m = -1
  // expect: approximated only what it ensures
  %k = func.call @countdown(%m) : (index) -> index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  // expect: approximated only what it ensures
  %n = func.call @countdown(%d) : (index) -> index
  %positive = arith.cmpi sge, %n, %c0 : index
  // expect: proved C1
  cf.assert %positive, "positive"
  %large = arith.cmpi sge, %d, %m : index
  // expect: undecided C1 because @countdown
  cf.assert %large, "large"
  return
}

// Two that call each other.
func.func private @even(%n: index) -> index attributes {
  shapesolve.requires = "n >= 0", shapesolve.ensures = ["result0 >= 0 and result0 <= 1"]
} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %last -> index {
    scf.yield %c1 : index
  } else {
    %less = arith.subi %n, %c1 : index
    // expect: approximated only what it ensures
    %inner = func.call @odd(%less) : (index) -> index
    scf.yield %inner : index
  }
  return %r : index
}

func.func private @odd(%n: index) -> index attributes {
  shapesolve.requires = "n >= 0", shapesolve.ensures = ["result0 >= 0 and result0 <= 1"]
} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %last -> index {
    scf.yield %c0 : index
  } else {
    %less = arith.subi %n, %c1 : index
    // expect: approximated only what it ensures
    %inner = func.call @even(%less) : (index) -> index
    scf.yield %inner : index
  }
  return %r : index
}

// What is assumed of a function is no part of its contract: it says nothing of the calls inside.
func.func private @only_from_two(%n: index) -> index attributes {
  shapesolve.assume = "n >= 2", shapesolve.ensures = ["result0 == 3"]
} {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %small = arith.cmpi slt, %n, %c2 : index
  %r = scf.if %small -> index {
    scf.yield %c2 : index
  } else {
    %half = arith.divui %n, %c2 : index
    // expect: approximated is not proved to keep its contract
    %inner = func.call @only_from_two(%half) : (index) -> index
    scf.yield %c3 : index
  }
  return %r : index
}

func.func @three(%m: index) {
  %c3 = arith.constant 3 : index
  // expect: approximated is not proved to keep its contract
  %n = func.call @only_from_two(%m) : (index) -> index
  %same = arith.cmpi eq, %n, %c3 : index
  // expect: undecided C1 because @only_from_two
  cf.assert %same, "three"
  return
}

// One that ensures what is wrong deep down is believed by nobody.
func.func private @wrong(%n: index) -> index attributes {shapesolve.ensures = ["result0 >= 1"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %last -> index {
    scf.yield %c0 : index
  } else {
    %less = arith.subi %n, %c1 : index
    // expect: approximated is not proved to keep its contract
    %inner = func.call @wrong(%less) : (index) -> index
    %more = arith.addi %inner, %c1 : index
    scf.yield %more : index
  }
  // expect: undecided C1 because @wrong
  return %r : index
}

func.func @believes(%n: index) {
  %c0 = arith.constant 0 : index
  // expect: approximated is not proved to keep its contract
  %k = func.call @wrong(%n) : (index) -> index
  %positive = arith.cmpi sgt, %k, %c0 : index
  // expect: undecided C1 because @wrong
  cf.assert %positive, "positive"
  return
}

func.func @unsaid(%n: index) -> index {
  // expect: undecided T3
  // expect: approximated recursive
  %m = func.call @unsaid(%n) : (index) -> index
  return %m : index
}
