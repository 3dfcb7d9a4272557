func.func @one_after_the_other(%m: memref<?x?xf32>, %out: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %m, %c0 : memref<?x?xf32>
  %k = memref.dim %m, %c1 : memref<?x?xf32>
  %full = arith.divui %k, %c4 : index
  %end = arith.muli %full, %c4 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %end step %c4 {
      // expect: proved C1
      // expect: shape [4]
      // expect: approximated beyond the end
      %0 = vector.load %m[%i, %j] : memref<?x?xf32>, vector<4xf32>
      // expect: undecided C1 because beyond the end
      // expect: approximated beyond the end
      vector.store %0, %out[%i, %j] : memref<?x?xf32>, vector<4xf32>
    }
  }
  return
}

// Beyond the end it is the machine's matter, and before the beginning too: the description says so.
func.func @outside(%m: memref<7xf32>, %i: index) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  // expect: undecided C1 because beyond the end
  // expect: approximated beyond the end
  %0 = vector.load %m[%c0] : memref<7xf32>, vector<8xf32>
  // expect: undecided C1 because beyond the end
  // expect: approximated beyond the end
  %1 = vector.load %m[%i] : memref<7xf32>, vector<8xf32>
  return %0 : vector<8xf32>
}

func.func @of_vectors(%m: memref<?xvector<4xf32>>, %v: vector<4xf32>, %i: index, %j: index) {
  // expect: refuted C1 with m[0] = 2, i = -1
  %0 = vector.load %m[%i] : memref<?xvector<4xf32>>, vector<4xf32>
  // expect: refuted C1
  vector.store %v, %m[%j] : memref<?xvector<4xf32>>, vector<4xf32>
  return
}

// assume: m[0] >= 1
func.func @of_no_dimensions(%m: memref<?xf32>, %v: vector<f32>) {
  %c0 = arith.constant 0 : index
  // expect: proved C1
  // expect: shape []
  // expect: approximated beyond the end
  %0 = vector.load %m[%c0] : memref<?xf32>, vector<f32>
  // expect: proved C1
  // expect: approximated beyond the end
  vector.store %v, %m[%c0] : memref<?xf32>, vector<f32>
  return
}

func.func @scalable(%m: memref<?xf32>, %v: vector<[4]xf32>) {
  %c0 = arith.constant 0 : index
  // expect: approximated the lengths of scalable vectors
  vector.store %v, %m[%c0] : memref<?xf32>, vector<[4]xf32>
  return
}

// What no mask could select outside is proved whatever the mask is.
// assume: m[0] >= 4
func.func @masked(%m: memref<?xi32>, %mask: vector<1x4xi1>, %other: vector<4xi32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %row = vector.shape_cast %mask : vector<1x4xi1> to vector<4xi1>
  // expect: proved C1
  // expect: shape [4]
  // expect: approximated which elements its mask selects
  %0 = vector.maskedload %m[%c0], %row, %other : memref<?xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  // expect: undecided C1 because which elements its mask selects
  // expect: approximated which elements its mask selects
  vector.maskedstore %m[%c1], %row, %0 : memref<?xi32>, vector<4xi1>, vector<4xi32>
  // expect: undecided C1 because which elements its mask selects
  // expect: approximated which elements its mask selects
  %1 = vector.expandload %m[%i], %row, %other : memref<?xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  // expect: proved C1
  // expect: approximated which elements its mask selects
  vector.compressstore %m[%c0], %row, %0 : memref<?xi32>, vector<4xi1>, vector<4xi32>
  return
}

// The last vector of a row is cut off where the row ends.
func.func @cut_off(%m: memref<?x?xf32>, %out: memref<?x?xf32>, %other: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %m, %c0 : memref<?x?xf32>
  %k = memref.dim %m, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %k step %c4 {
      %left = arith.subi %k, %j : index
      %mask = vector.create_mask %left : vector<4xi1>
      // expect: proved C1
      %0 = vector.maskedload %m[%i, %j], %mask, %other : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
      // expect: proved C1
      %1 = vector.expandload %m[%i, %j], %mask, %0 : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
      // expect: refuted C1
      vector.maskedstore %out[%i, %j], %mask, %1 : memref<?x?xf32>, vector<4xi1>, vector<4xf32>
    }
  }
  return
}

// What a mask selects one after the other needs as much room as it selects.
func.func @compressed(%m: memref<?xf32>, %first: vector<2xi1>, %v: vector<2xf32>) {
  %c0 = arith.constant 0 : index
  // expect: refuted C1 with m[0] = 1, first.values[0] = 1, first.values[1] = 1
  vector.compressstore %m[%c0], %first, %v : memref<?xf32>, vector<2xi1>, vector<2xf32>
  // expect: proved C1
  %0 = vector.expandload %m[%c0], %first, %v : memref<?xf32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  %none = vector.constant_mask [0] : vector<2xi1>
  // expect: proved C1
  vector.compressstore %m[%c0], %none, %v : memref<?xf32>, vector<2xi1>, vector<2xf32>
  %one = vector.constant_mask [1] : vector<2xi1>
  // expect: refuted C1
  %1 = vector.maskedload %m[%c0], %one, %v : memref<?xf32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  return
}

// assume: m[0] >= 4
func.func @aligned(%m: memref<?xf32>, %mask: vector<4xi1>, %other: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  // expect: approximated beyond the end
  // expect: approximated alignment
  %0 = vector.load %m[%c0] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
  // expect: approximated beyond the end
  // expect: proved
  vector.store %0, %m[%c0] {alignment = 4 : i64} : memref<?xf32>, vector<4xf32>
  // expect: approximated alignment
  %1 = vector.expandload %m[%c0], %mask, %other {alignment = 16 : i64} : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  // expect: approximated alignment
  vector.compressstore %m[%c0], %mask, %1 {alignment = 16 : i64} : memref<?xf32>, vector<4xi1>, vector<4xf32>
  return
}

// A mask that ends somewhere is one number, however many elements it has.
// assume: m[0] >= n
func.func @ending(%m: memref<?xf32>, %n: index, %other: vector<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mask = vector.create_mask %n : vector<64xi1>
  // expect: proved C1
  %0 = vector.maskedload %m[%c0], %mask, %other : memref<?xf32>, vector<64xi1>, vector<64xf32> into vector<64xf32>
  // expect: refuted C1 with m[0] = 2, n = 2
  vector.compressstore %m[%c1], %mask, %0 : memref<?xf32>, vector<64xi1>, vector<64xf32>
  return
}
