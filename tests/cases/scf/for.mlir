func.func @kept(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  // expect: proved
  // expect: shape [a[0]]
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<?xf32> {
    // expect: proved
    %e = tensor.extract %a[%i] : tensor<?xf32>
    // expect: proved
    %s = arith.addf %x, %a : tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

func.func @step(%n: index, %s: index) {
  %c0 = arith.constant 0 : index
  // expect: refuted C1
  scf.for %i = %c0 to %n step %s {
    %inside = arith.cmpi slt, %i, %n : index
    // expect: proved C1
    cf.assert %inside, "below the bound"
  }
  return
}

func.func @swapped(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expect: proved
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<?xf32>, tensor<?xf32>) {
    // expect: refuted C1 with a[0] = 2, b[0] = 3, n = 2
    %s = arith.addf %x, %a : tensor<?xf32>
    scf.yield %y, %x : tensor<?xf32>, tensor<?xf32>
  }
  return
}

func.func @counted(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  // expect: proved
  // expect: shape [4*a[0]]
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> tensor<?xf32> {
    %s = tensor.concat dim(0) %x, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

func.func @grown(%a: tensor<?x8xf32>, %n: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %row = tensor.empty() : tensor<1x8xf32>
  // expect: proved
  // expect: shape [a[0] + max(0, n), 8]
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<?x8xf32> {
    %l = tensor.dim %x, %c0 : tensor<?x8xf32>
    %d = tensor.concat dim(0) %x, %row : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xf32>
    // expect: proved C1
    %last = tensor.extract %d[%l, %c7] : tensor<?x8xf32>
    scf.yield %d : tensor<?x8xf32>
  }
  %l = tensor.dim %0, %c0 : tensor<?x8xf32>
  %some = arith.cmpi sge, %l, %n : index
  // expect: proved C1
  cf.assert %some, "a row for every iteration"
  %m = tensor.dim %a, %c0 : tensor<?x8xf32>
  %sum = arith.addi %m, %n : index
  %all = arith.cmpi eq, %l, %sum : index
  // expect: refuted C1 with n = -1
  cf.assert %all, "no iteration where n is negative"
  return %0 : tensor<?x8xf32>
}

func.func @steps(%a: tensor<?xf32>, %lo: index, %hi: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expect: proved
  %0:2 = scf.for %i = %lo to %hi step %c4 iter_args(%x = %c0, %y = %lo) -> (index, index) {
    %p = arith.addi %x, %c4 : index
    %q = arith.addi %y, %c4 : index
    %same = arith.cmpi eq, %y, %i : index
    // expect: proved C1
    cf.assert %same, "a counter beside the counter"
    scf.yield %p, %q : index, index
  }
  %r = arith.remsi %0#0, %c4 : index
  %whole = arith.cmpi eq, %r, %c0 : index
  // expect: proved C1
  cf.assert %whole, "whole steps"
  %beyond = arith.cmpi sge, %0#1, %hi : index
  // expect: proved C1
  cf.assert %beyond, "the end is reached"
  return
}

func.func @alike(%a: tensor<?xf32>, %k: tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %k, %c0 : tensor<?xindex>
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expect: proved
  // expect: approximated
  %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a, %s = %c8) -> (tensor<?xf32>, tensor<?xf32>, index) {
    %l = tensor.extract %k[%i] : tensor<?xindex>
    %m = arith.maxsi %l, %c0 : index
    %e = tensor.empty(%m) : tensor<?xf32>
    %p = tensor.concat dim(0) %x, %e : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %q = tensor.concat dim(0) %e, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    // expect: proved C1
    %f = arith.addf %x, %y : tensor<?xf32>
    %m8 = arith.muli %m, %c8 : index
    %t = arith.addi %s, %m8 : index
    scf.yield %p, %q, %t : tensor<?xf32>, tensor<?xf32>, index
  }
  // expect: proved C1
  %f = arith.addf %0#0, %0#1 : tensor<?xf32>
  %l = tensor.dim %a, %c0 : tensor<?xf32>
  %longer = tensor.dim %0#1, %c0 : tensor<?xf32>
  %grown = arith.cmpi sge, %longer, %l : index
  // expect: proved C1
  cf.assert %grown, "it never shrinks"
  %r = arith.remsi %0#2, %c8 : index
  %whole = arith.cmpi eq, %r, %c0 : index
  // expect: proved C1
  cf.assert %whole, "eight at a time"
  %some = arith.cmpi sge, %0#2, %c8 : index
  // expect: proved C1
  cf.assert %some, "at least eight"
  return
}

func.func @summed(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expect: proved
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> index {
    %t = arith.addi %s, %i : index
    scf.yield %t : index
  }
  %some = arith.cmpi sge, %0, %c0 : index
  // expect: proved C1
  cf.assert %some, "it never falls"
  %c2 = arith.constant 2 : index
  %d = arith.muli %0, %c2 : index
  %m = arith.subi %n, %c1 : index
  %p = arith.muli %m, %n : index
  %known = arith.cmpi eq, %d, %p : index
  %none = arith.cmpi sle, %n, %c0 : index
  %either = arith.ori %known, %none : i1
  // expect: proved C1
  cf.assert %either, "the sum of all counters"
  return
}

func.func @what_is_carried_does_not_decide(%a: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  // The sum of all squares is not followed, only that it never falls. The counter itself is.
  // expect: approximated
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%x = %n) -> (index) {
    %inside = arith.cmpi slt, %i, %d : index
    // expect: refuted C1 with a[0] = 2, n = 3
    cf.assert %inside, "a counter of the extent"
    %square = arith.muli %i, %i : index
    %y = arith.addi %x, %square : index
    scf.yield %y : index
  }
  %enough = arith.cmpi sge, %sum, %n : index
  // expect: proved C1
  cf.assert %enough, "it never falls"
  %small = arith.cmpi slt, %sum, %d : index
  // expect: undecided C1
  cf.assert %small, "a sum of the extent"
  return %sum : index
}

// As unsigned numbers, 200 of 8 bits is greater than 100, and a step of 255 is positive.
func.func @unsigned(%a: tensor<?xf32>) {
  %c100 = arith.constant 100 : i8
  %c200 = arith.constant 200 : i8
  %c1 = arith.constant 1 : i8
  // expect: proved C1
  // expect: proved C2
  scf.for unsigned %i = %c100 to %c200 step %c1 : i8 {
    %j = arith.index_castui %i : i8 to index
    // expect: refuted C1 with a[0] = 2
    %e = tensor.extract %a[%j] : tensor<?xf32>
  }
  // expect: proved C1
  scf.for %i = %c100 to %c200 step %c1 : i8 {
    %j = arith.index_castui %i : i8 to index
    // expect: unreachable C1
    %e = tensor.extract %a[%j] : tensor<?xf32>
  }
  return
}

func.func @unsigned_by_255(%n: i8) {
  %c0 = arith.constant 0 : i8
  %c255 = arith.constant 255 : i8
  // expect: proved C1
  // expect: proved C2
  scf.for unsigned %i = %c0 to %n step %c255 : i8 {
  }
  // expect: refuted C1
  // expect: unreachable C2
  scf.for %i = %c0 to %n step %c255 : i8 {
  }
  return
}
