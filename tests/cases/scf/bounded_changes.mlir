// Numbers that change by what data decide, within bounds: in nested loops, together, and in few bits.

func.func @rows(%m: memref<?x?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %m, %c0 : memref<?x?xi1>
  %e = memref.dim %m, %c1 : memref<?x?xi1>
  // expect: approximated
  %n = scf.for %i = %c0 to %d step %c1 iter_args(%a = %c0) -> index {
    // expect: approximated
    %row = scf.for %j = %c0 to %e step %c1 iter_args(%b = %a) -> index {
      // expect: approximated
      // expect: proved
      %x = memref.load %m[%i, %j] : memref<?x?xi1>
      %p = arith.addi %b, %c1 : index
      %s = arith.select %x, %p, %b : index
      scf.yield %s : index
    }
    scf.yield %row : index
  }
  %all = arith.muli %d, %e : index
  %most = arith.cmpi sle, %n, %all : index
  // expect: proved C1
  cf.assert %most, "at most all elements"
  %least = arith.cmpi sge, %n, %c0 : index
  // expect: proved C1
  cf.assert %least, "not negative"
  %half = arith.subi %all, %c1 : index
  %less = arith.cmpi sle, %n, %half : index
  // expect: undecided C1
  cf.assert %less, "not all elements"
  return
}

func.func @both_kinds(%m: memref<?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %m, %c0 : memref<?xi1>
  // expect: approximated
  %n:2 = scf.for %i = %c0 to %d step %c1 iter_args(%a = %c0, %b = %c0) -> (index, index) {
    // expect: approximated
    // expect: proved
    %x = memref.load %m[%i] : memref<?xi1>
    %q:2 = scf.if %x -> (index, index) {
      %p = arith.addi %a, %c1 : index
      scf.yield %p, %b : index, index
    } else {
      %p = arith.addi %b, %c1 : index
      scf.yield %a, %p : index, index
    }
    scf.yield %q#0, %q#1 : index, index
  }
  %u = arith.addi %n#0, %n#1 : index
  %all = arith.cmpi eq, %u, %d : index
  // expect: proved C1
  cf.assert %all, "each is of one kind"
  %less = arith.cmpi slt, %n#0, %d : index
  // expect: undecided C1
  cf.assert %less, "some are of the second kind"
  return
}

func.func @of_few_bits(%m: memref<?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c127 = arith.constant 127 : index
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %d = memref.dim %m, %c0 : memref<?xi1>
  // expect: approximated a value that changes
  // expect: approximated a value that changes
  %n:2 = scf.for %i = %c0 to %d step %c1 iter_args(%a = %zero, %b = %zero) -> (i8, i8) {
    // expect: approximated
    // expect: proved
    %x = memref.load %m[%i] : memref<?xi1>
    %p = arith.addi %a, %one : i8
    %s = arith.select %x, %p, %a : i8
    %q = arith.addi %b, %one : i8
    scf.yield %s, %q : i8, i8
  }
  %k = arith.index_cast %n#0 : i8 to index
  %most = arith.cmpi sle, %k, %d : index
  // expect: proved C1
  cf.assert %most, "wraps around to something negative"
  %natural = arith.cmpi sge, %k, %c0 : index
  // expect: undecided C1
  cf.assert %natural, "is -128 after 128 of them"
  %l = arith.index_cast %n#1 : i8 to index
  %few = arith.cmpi sle, %d, %c127 : index
  scf.if %few {
    // expect: proved C1
    cf.assert %natural, "no wrapping"
    %same = arith.cmpi eq, %l, %d : index
    // expect: proved C1
    cf.assert %same, "counts all"
  }
  return
}

func.func @searched(%m: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %d = memref.dim %m, %c0 : memref<?xindex>
  // expect: approximated
  %r = scf.while (%i = %c0) : (index) -> index {
    %in = arith.cmpi slt, %i, %d : index
    %go = scf.if %in -> i1 {
      // expect: approximated
      // expect: proved
      %x = memref.load %m[%i] : memref<?xindex>
      %ne = arith.cmpi ne, %x, %n : index
      scf.yield %ne : i1
    } else {
      scf.yield %false : i1
    }
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  %end = arith.cmpi sle, %r, %d : index
  // expect: proved C1
  cf.assert %end, "at most the end"
  %before = arith.cmpi slt, %r, %d : index
  // expect: undecided C1
  cf.assert %before, "there is one"
  return
}

// assume: a[1] >= 1
func.func @index_of_a_ring(%a: tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  // expect: approximated
  %at, %slot = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0, %y = %c0) -> (index, index) {
    %inside = arith.cmpi slt, %x, %m : index
    // expect: proved C1
    cf.assert %inside, "an index of the ring"
    %next = arith.addi %x, %c1 : index
    %is_end = arith.cmpi eq, %next, %m : index
    %wrapped = arith.select %is_end, %c0, %next : index
    %sum = arith.addi %y, %i : index
    %of_eight = arith.remui %sum, %c8 : index
    scf.yield %wrapped, %of_eight : index, index
  }
  %still = arith.cmpi slt, %at, %m : index
  // expect: proved C1
  cf.assert %still, "an index of the ring at the end"
  %few = arith.cmpi slt, %slot, %c8 : index
  // expect: proved C1
  cf.assert %few, "one of eight slots"
  %last = arith.subi %m, %c1 : index
  %not_last = arith.cmpi ne, %at, %last : index
  // expect: undecided C1
  cf.assert %not_last, "never the last one"
  return
}

func.func @begins_beyond_its_end(%a: tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  // expect: approximated
  %at = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c1) -> (index) {
    %next = arith.addi %x, %c1 : index
    %is_end = arith.cmpi eq, %next, %m : index
    %wrapped = arith.select %is_end, %c0, %next : index
    scf.yield %wrapped : index
  }
  %still = arith.cmpi sle, %at, %m : index
  // expect: undecided C1
  cf.assert %still, "false where the ring is empty"
  return
}

func.func @tiles_end_with_the_last(%a: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  // expect: approximated
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0) -> (index) {
    %left = arith.subi %n, %x : index
    %some = arith.cmpi sge, %left, %c0 : index
    // expect: proved C1
    cf.assert %some, "no tile begins behind the end"
    %tile = arith.minsi %left, %c8 : index
    %end = arith.addi %x, %tile : index
    scf.yield %end : index
  }
  return
}
