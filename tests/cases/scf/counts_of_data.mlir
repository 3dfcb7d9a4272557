// What a datum decides to add is bounded by what one iteration adds at most, times the iterations.

func.func @counted(%m: memref<10xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  // expect: approximated a value that changes from iteration to iteration
  %n = scf.for %i = %c0 to %c10 step %c1 iter_args(%k = %c0) -> index {
    %in_reach = arith.cmpi sle, %k, %i : index
    // expect: proved
    cf.assert %in_reach, "at most one for each iteration before"
    // expect: approximated depends on the data of %m
    %is_set = memref.load %m[%i] : memref<10xi1>
    %more = arith.addi %k, %c1 : index
    %next = arith.select %is_set, %more, %k : index
    scf.yield %next : index
  }
  %fits = arith.cmpi sle, %n, %c10 : index
  // expect: proved
  cf.assert %fits, "at most all"
  %fewer = arith.cmpi sle, %n, %c9 : index
  // expect: undecided C1
  cf.assert %fewer, "fewer than all"
  return
}

func.func @counted_in_threes(%m: memref<?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %size = memref.dim %m, %c0 : memref<?xi1>
  // expect: approximated a value that changes from iteration to iteration
  %n = scf.for %i = %c0 to %size step %c1 iter_args(%k = %c1) -> index {
    // expect: approximated depends on the data of %m
    %is_set = memref.load %m[%i] : memref<?xi1>
    %next = scf.if %is_set -> index {
      %more = arith.addi %k, %c3 : index
      scf.yield %more : index
    } else {
      scf.yield %k : index
    }
    scf.yield %next : index
  }
  %times = arith.muli %size, %c3 : index
  %limit = arith.addi %times, %c1 : index
  %fits = arith.cmpi sle, %n, %limit : index
  // expect: proved
  cf.assert %fits, "at most three for each element"
  %rest = arith.remsi %n, %c3 : index
  %is_one = arith.cmpi eq, %rest, %c1 : index
  // expect: proved
  cf.assert %is_one, "threes behind the first one"
  %below = arith.cmpi sle, %n, %times : index
  // expect: undecided C1
  cf.assert %below, "the first one counts"
  return
}

func.func @up_and_down(%m: memref<?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = memref.dim %m, %c0 : memref<?xi1>
  // expect: approximated a value that changes from iteration to iteration
  %n = scf.for %i = %c0 to %size step %c1 iter_args(%k = %size) -> index {
    // expect: approximated depends on the data of %m
    %is_set = memref.load %m[%i] : memref<?xi1>
    %more = arith.addi %k, %c1 : index
    %less = arith.subi %k, %c1 : index
    %next = arith.select %is_set, %more, %less : index
    scf.yield %next : index
  }
  %is_size = arith.cmpi sge, %n, %c0 : index
  // expect: proved
  cf.assert %is_size, "never below 0"
  %is_more = arith.cmpi sge, %n, %c1 : index
  // expect: undecided C1
  cf.assert %is_more, "0 where no element is set"
  return
}

func.func @sum_of_bytes(%m: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c255 = arith.constant 255 : index
  %size = memref.dim %m, %c0 : memref<?xi8>
  // expect: approximated a value that changes from iteration to iteration
  %sum = scf.for %i = %c0 to %size step %c2 iter_args(%k = %c0) -> index {
    // expect: approximated depends on the data of %m
    %byte = memref.load %m[%i] : memref<?xi8>
    %number = arith.index_castui %byte : i8 to index
    %more = arith.addi %k, %number : index
    scf.yield %more : index
  }
  %rounds = arith.ceildivsi %size, %c2 : index
  %limit = arith.muli %rounds, %c255 : index
  %fits = arith.cmpi sle, %sum, %limit : index
  // expect: proved
  cf.assert %fits, "every other byte"
  return
}
