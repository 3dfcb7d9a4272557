// A buffer of static extents as one vector: the same memory under another type.

func.func @shape(%b: memref<5x4xf32>) -> index {
  %c0 = arith.constant 0 : index
  // expect: shape []
  %0 = vector.type_cast %b : memref<5x4xf32> to memref<vector<5x4xf32>>
  %1 = memref.load %0[] : memref<vector<5x4xf32>>
  %2 = memref.dim %b, %c0 : memref<5x4xf32>
  return %2 : index
}

// What is written through the vector is read from the buffer.
func.func @alias(%v: vector<2xi64>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : i64
  %b = memref.alloc() : memref<2xi64>
  memref.store %c3, %b[%c0] : memref<2xi64>
  %0 = vector.type_cast %b : memref<2xi64> to memref<vector<2xi64>>
  memref.store %v, %0[] : memref<vector<2xi64>>
  // expect: approximated not followed
  // expect: approximated may be anything
  %1 = memref.load %b[%c0] : memref<2xi64>
  %2 = arith.cmpi eq, %1, %c3 : i64
  // expect: undecided
  cf.assert %2, "the first element is three"
  return
}
