func.func @known_indices(%m: memref<?x?xf32>, %i: index, %j: index, %other: vector<3xf32>) {
  %at = arith.constant dense<[0, 5, 2]> : vector<3xi32>
  %two = vector.constant_mask [2] : vector<3xi1>
  // expect: refuted C1
  // expect: shape [3]
  %0 = vector.gather %m[%i, %j] [%at], %two, %other : memref<?x?xf32>, vector<3xi32>, vector<3xi1>, vector<3xf32> into vector<3xf32>
  // expect: proved C1
  // expect: proved C2
  vector.scatter %m[%i, %j] [%at], %two, %0 : memref<?x?xf32>, vector<3xi32>, vector<3xi1>, vector<3xf32>
  return
}

// Indices are signed, and only what the mask selects has to lie inside.
// assume: t[0] >= 4
func.func @outside(%t: tensor<?xf32>, %other: vector<3xf32>) -> vector<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %at = arith.constant dense<[-1, 2, 100]> : vector<3xi8>
  %one = vector.constant_mask [1] : vector<3xi1>
  %three = vector.constant_mask [3] : vector<3xi1>
  %none = vector.constant_mask [0] : vector<3xi1>
  // expect: proved C1
  %0 = vector.gather %t[%c1] [%at], %one, %other : tensor<?xf32>, vector<3xi8>, vector<3xi1>, vector<3xf32> into vector<3xf32>
  // expect: proved C1
  %1 = vector.gather %t[%c0] [%at], %none, %0 : tensor<?xf32>, vector<3xi8>, vector<3xi1>, vector<3xf32> into vector<3xf32>
  // expect: refuted C1 with t[0] = 4
  %2 = vector.gather %t[%c1] [%at], %three, %1 : tensor<?xf32>, vector<3xi8>, vector<3xi1>, vector<3xf32> into vector<3xf32>
  return %2 : vector<3xf32>
}

// Two elements of a scatter are written to the same place, unless the mask leaves one out.
// assume: m[0] >= 4
func.func @twice(%m: memref<?xf32>, %v: vector<3xf32>, %first: vector<3xi1>) {
  %c0 = arith.constant 0 : index
  %at = arith.constant dense<[3, 1, 3]> : vector<3xi32>
  %two = vector.constant_mask [2] : vector<3xi1>
  // expect: proved C1
  // expect: proved C2
  vector.scatter %m[%c0] [%at], %two, %v : memref<?xf32>, vector<3xi32>, vector<3xi1>, vector<3xf32>
  // expect: proved C1
  // expect: refuted C2 with first.values[0] = 1, first.values[2] = 1
  vector.scatter %m[%c0] [%at], %first, %v : memref<?xf32>, vector<3xi32>, vector<3xi1>, vector<3xf32>
  return
}

// assume: m[0] >= 4
func.func @scattered_outside(%m: memref<?xf32>, %v: vector<3xf32>) {
  %c0 = arith.constant 0 : index
  %at = arith.constant dense<[3, 1, 4]> : vector<3xi32>
  %three = vector.constant_mask [3] : vector<3xi1>
  // expect: refuted C1 with m[0] = 4
  // expect: proved C2
  vector.scatter %m[%c0] [%at], %three, %v : memref<?xf32>, vector<3xi32>, vector<3xi1>, vector<3xf32>
  return
}

// What no mask could select outside is proved whatever the mask is.
// assume: m[0] >= 4
func.func @unknown_mask(%m: memref<?xf32>, %mask: vector<1x3xi1>, %v: vector<3xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %row = vector.shape_cast %mask : vector<1x3xi1> to vector<3xi1>
  %at = arith.constant dense<[3, 1, 3]> : vector<3xi32>
  // expect: proved C1
  // expect: approximated which elements its mask selects
  %0 = vector.gather %m[%c0] [%at], %row, %v : memref<?xf32>, vector<3xi32>, vector<3xi1>, vector<3xf32> into vector<3xf32>
  // expect: undecided C1 because which elements its mask selects
  // expect: approximated which elements its mask selects
  %1 = vector.gather %m[%c2] [%at], %row, %0 : memref<?xf32>, vector<3xi32>, vector<3xi1>, vector<3xf32> into vector<3xf32>
  // expect: proved C1
  // expect: undecided C2 because which elements its mask selects
  // expect: approximated which elements its mask selects
  vector.scatter %m[%c0] [%at], %row, %1 : memref<?xf32>, vector<3xi32>, vector<3xi1>, vector<3xf32>
  return
}

func.func @unknown_indices(%m: tensor<?xf32>, %at: vector<1x3xi32>, %mask: vector<3xi1>, %v: vector<3xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %row = vector.shape_cast %at : vector<1x3xi32> to vector<3xi32>
  // expect: approximated are not followed
  // expect: shape [3]
  %0 = vector.gather %m[%c0] [%row], %mask, %v : tensor<?xf32>, vector<3xi32>, vector<3xi1>, vector<3xf32> into vector<3xf32>
  // expect: approximated are not followed
  // expect: shape [m[0]]
  %1 = vector.scatter %m[%c0] [%row], %mask, %0 : tensor<?xf32>, vector<3xi32>, vector<3xi1>, vector<3xf32> -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// assume: m[0] >= 4
func.func @aligned(%m: memref<?xf32>, %mask: vector<2xi1>, %v: vector<2xf32>) {
  %c0 = arith.constant 0 : index
  %at = arith.constant dense<[0, 1]> : vector<2xi32>
  // expect: approximated alignment
  %0 = vector.gather %m[%c0] [%at], %mask, %v {alignment = 16 : i64} : memref<?xf32>, vector<2xi32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  // expect: approximated alignment
  vector.scatter %m[%c0] [%at], %mask, %0 {alignment = 16 : i64} : memref<?xf32>, vector<2xi32>, vector<2xi1>, vector<2xf32>
  return
}
