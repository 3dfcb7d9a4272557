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
