func.func @last(%m: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expect: proved
  // expect: value m[0]
  %n = memref.dim %m, %c0 : memref<?xf32>
  %i = arith.subi %n, %c1 : index
  // expect: refuted C1 with m[0] = 0
  %x = memref.load %m[%i] : memref<?xf32>
  // expect: proved
  memref.store %x, %m[%i] : memref<?xf32>
  return %x : f32
}

func.func @counted(%m: memref<?xi32>, %x: i32) -> i32 {
  %c3 = arith.constant 3 : index
  // expect: refuted C1 with m[0] = 2
  // expect: approximated
  %0 = memref.atomic_rmw addi %x, %m[%c3] : (i32, memref<?xi32>) -> i32
  // expect: approximated
  // expect: proved
  %1 = memref.generic_atomic_rmw %m[%c3] : memref<?xi32> {
  ^bb0(%old: i32):
    memref.atomic_yield %old : i32
  }
  return %1 : i32
}

// Which addresses are aligned to more than an element is, nobody knows.
func.func @aligned(%m: memref<8xf32>, %x: f32) {
  %c1 = arith.constant 1 : index
  // expect: approximated alignment
  // expect: proved
  %0 = memref.load %m[%c1] {alignment = 64 : i64} : memref<8xf32>
  // expect: approximated alignment
  // expect: proved
  memref.store %x, %m[%c1] {alignment = 8 : i64} : memref<8xf32>
  // expect: proved
  memref.store %x, %m[%c1] {alignment = 4 : i64} : memref<8xf32>
  return
}
