// Two multiples of one divisor are equal or differ by at least that, also where the divisor or the dividend is a sum.

func.func @next_slot_of_a_ring(%ring: tensor<?xf32>, %written: tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %extent = tensor.dim %ring, %c0 : tensor<?xf32>
  %i = tensor.dim %written, %c0 : tensor<?x?xf32>
  %j = tensor.dim %written, %c1 : tensor<?x?xf32>
  %slots = arith.addi %extent, %c5 : index
  %count = arith.addi %i, %j : index
  %now = arith.remui %count, %slots : index
  %later = arith.addi %count, %c1 : index
  %next = arith.remui %later, %slots : index
  %behind = arith.addi %now, %c1 : index
  %is_last = arith.cmpi eq, %behind, %slots : index
  %expected = arith.select %is_last, %c0, %behind : index
  %same = arith.cmpi eq, %next, %expected : index
  // expect: proved
  cf.assert %same, "the next slot is behind this one, or the first"
  return
}

func.func @tiles_that_are_full(%a: tensor<?xf32>, %tile: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4096 = arith.constant 4096 : index
  %positive = arith.cmpi sge, %tile, %c1 : index
  // expect: refuted C1
  cf.assert %positive, "a tile is not empty"
  %small = arith.cmpi sle, %tile, %c4096 : index
  // expect: refuted C1
  cf.assert %small, "a tile is small"
  %extent = tensor.dim %a, %c0 : tensor<?xf32>
  %n = arith.muli %extent, %c3 : index
  %rest = arith.remui %n, %tile : index
  %full = arith.subi %n, %rest : index
  scf.for %i = %c0 to %full step %tile {
    %end = arith.addi %i, %tile : index
    %fits = arith.cmpi ule, %end, %n : index
    // expect: proved
    cf.assert %fits, "a full tile fits"
  }
  return
}

func.func @elements_in_32_bits(%a: tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %most = arith.constant 1000 : i32
  %rows_of_a = tensor.dim %a, %c0 : tensor<?x?xf32>
  %columns_of_a = tensor.dim %a, %c1 : tensor<?x?xf32>
  %rows = arith.index_cast %rows_of_a : index to i32
  %columns = arith.index_cast %columns_of_a : index to i32
  %0 = arith.cmpi sge, %rows, %zero : i32
  // expect: refuted C1
  cf.assert %0, "rows"
  %1 = arith.cmpi sle, %rows, %most : i32
  // expect: refuted C1
  cf.assert %1, "few rows"
  %2 = arith.cmpi sge, %columns, %zero : i32
  // expect: refuted C1
  cf.assert %2, "columns"
  %3 = arith.cmpi sle, %columns, %most : i32
  // expect: refuted C1
  cf.assert %3, "few columns"
  %elements = arith.muli %rows, %columns : i32
  %4 = arith.cmpi sge, %elements, %zero : i32
  // expect: proved
  cf.assert %4, "the product does not wrap"
  return
}
