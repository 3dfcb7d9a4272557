// What every iteration of a loop demanded holds behind it.

func.func @the_same_twice(%from: memref<?xf32>, %to: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %from, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %from[%i] : memref<?xf32>
    // expect: refuted C1 to[0] >= from[0]
    memref.store %x, %to[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    // expect: proved C1
    %x = memref.load %to[%i] : memref<?xf32>
    // expect: proved C1
    memref.store %x, %from[%i] : memref<?xf32>
  }
  return
}

func.func @nothing_runs_behind(%from: memref<?xf32>, %to: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %from, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %c1 : index
    // expect: refuted C1 from[0] == 0
    %x = memref.load %from[%j] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    // expect: unreachable C1
    %x = memref.load %to[%i] : memref<?xf32>
  }
  return
}

func.func @a_nest(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %m = memref.dim %a, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      // expect: proved C1
      %x = memref.load %a[%i, %j] : memref<?x?xf32>
      // expect: refuted C1 b[0] >= a[0] (unless a[1] is 0)
      // expect: refuted C1 b[1] >= a[1] (unless a[0] is 0)
      memref.store %x, %b[%i, %j] : memref<?x?xf32>
    }
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) {
    // expect: proved C1
    %x = memref.load %b[%i, %j] : memref<?x?xf32>
    scf.reduce
  }
  return
}

// An iteration of the first loop need not be there: where it never runs nothing is known behind it.
func.func @not_of_a_loop_that_may_not_run(%a: memref<?xf32>, %k: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    // expect: refuted C1
    %x = memref.load %a[%n] : memref<?xf32>
  }
  // expect: refuted C1
  %x = memref.load %a[%n] : memref<?xf32>
  return
}

// What an iteration reads is of that iteration alone.
func.func @not_of_what_varies(%at: memref<?xindex>, %a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %at, %c0 : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    // expect: approximated
    %p = memref.load %at[%i] : memref<?xindex>
    // expect: undecided C1
    %x = memref.load %a[%p] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    // expect: approximated
    %p = memref.load %at[%i] : memref<?xindex>
    // expect: undecided C1
    %x = memref.load %a[%p] : memref<?xf32>
  }
  return
}
