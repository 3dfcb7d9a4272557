func.func @kept(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.while (%i = %c0, %x = %a) : (index, tensor<?xf32>) -> (index, tensor<?xf32>) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, %x : index, tensor<?xf32>
  } do {
  ^bb0(%j: index, %y: tensor<?xf32>):
    %below = arith.cmpi slt, %j, %n : index
    // expect: proved C1
    cf.assert %below, "the condition holds in the body"
    %k = arith.addi %j, %c1 : index
    scf.yield %k, %y : index, tensor<?xf32>
  }
  // expect: proved
  // expect: shape [a[0]]
  %1 = arith.addf %0#1, %a : tensor<?xf32>
  return %1 : tensor<?xf32>
}

func.func @counted(%x: tensor<?xf32>, %n: index, %m: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %last = scf.while (%i = %c0) : (index) -> (index) {
    %most = arith.cmpi sle, %i, %n : index
    %first = arith.cmpi eq, %i, %c0 : index
    %fine = arith.ori %most, %first : i1
    // expect: proved C1
    cf.assert %fine, "one more than the rounds"
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    // expect: refuted C1
    %e = tensor.extract %x[%i] : tensor<?xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  %limit = arith.maxsi %n, %c0 : index
  %as_said = arith.cmpi eq, %last, %limit : index
  // expect: proved C1
  cf.assert %as_said, "the counter ends at its limit"
  %narrow = scf.while (%i = %i0) : (i32) -> (i32) {
    %more = arith.cmpi slt, %i, %m : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %j = arith.addi %i, %i1 : i32
    scf.yield %j : i32
  }
  %below = arith.cmpi sge, %narrow, %m : i32
  // expect: proved C1
  cf.assert %below, "a counter of 32 bits does not wrap around before its limit"
  return
}

func.func @until(%n: index, %x: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.while (%i = %c0) : (index) -> (index) {
    %more = arith.cmpi ne, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    // expect: refuted C1
    %e = tensor.extract %x[%i] : tensor<?xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  %there = arith.cmpi eq, %last, %n : index
  // expect: proved C1
  cf.assert %there, "it ends where it should"
  %above = arith.cmpi sge, %n, %c0 : index
  // expect: proved C1
  cf.assert %above, "it ends at all"
  return
}

// Below where it begins it never ends, so that nothing fails behind it.
func.func @for_ever(%n: index) {
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %last = scf.while (%i = %c3) : (index) -> (index) {
    %more = arith.cmpi ne, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  %above = arith.cmpi sge, %n, %c3 : index
  // expect: proved C1
  cf.assert %above, "not below the start"
  %small = arith.cmpi sle, %n, %c3 : index
  // expect: refuted C1 with n = 4
  cf.assert %small, "not far"
  return
}

func.func @grown(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %c0, %x = %a) : (index, tensor<?xf32>) -> (index, tensor<?xf32>) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, %x : index, tensor<?xf32>
  } do {
  ^bb0(%i: index, %x: tensor<?xf32>):
    // expect: proved C1
    %e = tensor.extract_slice %x[%i] [0] [1] : tensor<?xf32> to tensor<0xf32>
    %t = tensor.empty() : tensor<3xf32>
    %y = tensor.concat dim(0) %x, %t : (tensor<?xf32>, tensor<3xf32>) -> tensor<?xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %y : index, tensor<?xf32>
  }
  %d = tensor.dim %r#1, %c0 : tensor<?xf32>
  %e = tensor.dim %a, %c0 : tensor<?xf32>
  %s = arith.cmpi sge, %d, %e : index
  // expect: proved C1
  cf.assert %s, "a cache grows"
  %w = arith.cmpi sgt, %d, %e : index
  // expect: refuted C1
  cf.assert %w, "it need not"
  return %r#1 : tensor<?xf32>
}

// A body that would go on after its first round, which there is not: what the next one would do is never done.
func.func @no_first_round(%x: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.while (%a = %c0) : (index) -> (index) {
    %1 = arith.cmpi ne, %a, %c0 : index
    scf.condition(%1) %a : index
  } do {
  ^bb0(%a: index):
    %no = arith.constant false
    // expect: unreachable C1
    cf.assert %no, "never"
    scf.yield %c1 : index
  }
  return
}

// The same after two rounds: the third would go on again.
func.func @two_rounds(%x: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = scf.while (%a = %c0) : (index) -> (index) {
    %1 = arith.cmpi ne, %a, %c2 : index
    scf.condition(%1) %a : index
  } do {
  ^bb0(%a: index):
    %few = arith.cmpi ult, %a, %c2 : index
    // expect: proved C1
    cf.assert %few, "two rounds"
    %next = arith.addi %a, %c1 : index
    scf.yield %next : index
  }
  return
}

// What is halved while it is more than 1 never rises above what it was at first.
func.func @heap_up(%x: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  // expect: approximated
  %0:2 = scf.while (%i = %n, %s = %zero) : (index, f32) -> (index, f32) {
    %1 = arith.cmpi sgt, %i, %c1 : index
    scf.condition(%1) %i, %s : index, f32
  } do {
  ^bb0(%i: index, %s: f32):
    %up = arith.divsi %i, %c2 : index
    // expect: proved C1
    %e = tensor.extract %x[%up] : tensor<?xf32>
    %t = arith.addf %s, %e : f32
    scf.yield %up, %t : index, f32
  }
  return %0#1 : f32
}

// A search by halves: whichever half data chooses, one end never falls and the other never rises.
func.func @search(%x: tensor<?xf32>, %key: f32) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  // expect: approximated
  %0:2 = scf.while (%lo = %c0, %hi = %n) : (index, index) -> (index, index) {
    %1 = arith.cmpi slt, %lo, %hi : index
    scf.condition(%1) %lo, %hi : index, index
  } do {
  ^bb0(%lo: index, %hi: index):
    %both = arith.addi %lo, %hi : index
    %mid = arith.divsi %both, %c2 : index
    // expect: proved C1
    %e = tensor.extract %x[%mid] : tensor<?xf32>
    // expect: approximated
    %less = arith.cmpf olt, %e, %key : f32
    %after = arith.addi %mid, %c1 : index
    %lo2 = arith.select %less, %after, %lo : index
    %hi2 = arith.select %less, %hi, %mid : index
    scf.yield %lo2, %hi2 : index, index
  }
  // expect: proved C1
  %rest = tensor.extract_slice %x[%0#0] [0] [1] : tensor<?xf32> to tensor<0xf32>
  return %0#0 : index
}

// It may rise after all: one is added.
func.func @not_only_halved(%x: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  // expect: approximated
  %0:2 = scf.while (%i = %n, %s = %zero) : (index, f32) -> (index, f32) {
    %1 = arith.cmpi sge, %i, %c1 : index
    scf.condition(%1) %i, %s : index, f32
  } do {
  ^bb0(%i: index, %s: f32):
    %half = arith.divsi %i, %c2 : index
    %next = arith.addi %half, %c1 : index
    // expect: undecided C1
    %e = tensor.extract %x[%next] : tensor<?xf32>
    %t = arith.addf %s, %e : f32
    scf.yield %next, %t : index, f32
  }
  return %0#1 : f32
}

// The second region runs before the check of the next iteration fails.
func.func @fails_in_its_second_iteration(%a: memref<?xindex>, %n: index) {
  %c1 = arith.constant 1 : index
  %0 = scf.while (%i = %n) : (index) -> index {
    %same = arith.cmpi eq, %i, %n : index
    // gap: refuted with n = 0: other sizes are found, for which the access below fails first
    // expect: undecided
    cf.assert %same, "still the first"
    %on = arith.cmpi sle, %i, %n : index
    scf.condition(%on) %i : index
  } do {
  ^bb0(%i: index):
    // gap: refuted, for a has no elements: the iteration that is shown may be one that is stopped before
    // expect: undecided
    // expect: approximated
    %v = memref.load %a[%n] : memref<?xindex>
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return
}

// Euclid's algorithm: after an iteration each number is at most what one of the two was before.
func.func @greatest_common_divisor(%a: tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  // expect: approximated
  %r:2 = scf.while (%x = %n, %y = %m) : (index, index) -> (index, index) {
    %p = arith.cmpi ne, %y, %c0 : index
    scf.condition(%p) %x, %y : index, index
  } do {
  ^bb0(%x: index, %y: index):
    // expect: proved
    %q = arith.remui %x, %y : index
    scf.yield %y, %q : index, index
  }
  %most = arith.maxsi %n, %m : index
  %le = arith.cmpi sle, %r#0, %most : index
  // expect: proved C1
  cf.assert %le, "no more than the greater"
  %lt = arith.cmpi sle, %r#0, %n : index
  // expect: undecided C1
  cf.assert %lt, "no more than the first, which fails where that is 0"
  return
}

// The greater of two numbers follows none of them where both may grow.
func.func @sums_are_no_divisors(%a: tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %r:2 = scf.while (%x = %n, %y = %m) : (index, index) -> (index, index) {
    %p = arith.cmpi sgt, %y, %c0 : index
    scf.condition(%p) %x, %y : index, index
  } do {
  ^bb0(%x: index, %y: index):
    %sum = arith.addi %x, %y : index
    %less = arith.subi %y, %c1 : index
    scf.yield %sum, %less : index, index
  }
  %most = arith.maxsi %n, %m : index
  %le = arith.cmpi sle, %r#0, %most : index
  // expect: refuted C1 with a[0] = 2, a[1] = 2
  cf.assert %le, "no more than the greater"
  return
}
