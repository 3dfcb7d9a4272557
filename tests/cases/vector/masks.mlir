// Registers demand nothing, whatever the mask selects.
func.func @registers(%v: vector<4xi32>, %mask: vector<4xi1>) -> i32 {
  // expect: approximated the contents of vectors
  %0 = vector.mask %mask { vector.reduction <add>, %v : vector<4xi32> into i32 } : vector<4xi1> -> i32
  return %0 : i32
}

// A transfer is proved where it would be without the mask, and not refuted.
// assume: t[0] >= 4
func.func @transfers(%t: tensor<?xf32>, %m: memref<?xf32>, %mask: vector<4xi1>, %i: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %x = arith.constant 0.0 : f32
  // expect: proved C2
  // expect: shape [4]
  // expect: approximated which elements its mask selects
  %0 = vector.mask %mask { vector.transfer_read %t[%c0], %x {in_bounds = [true]} : tensor<?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  // expect: undecided C2 because which elements its mask selects
  // expect: approximated which elements its mask selects
  vector.mask %mask { vector.transfer_write %0, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<?xf32> } : vector<4xi1>
  // expect: undecided C3 because which elements its mask selects
  // expect: shape [t[0]]
  // expect: approximated which elements its mask selects
  %1 = vector.mask %mask { vector.transfer_write %0, %t[%i] : vector<4xf32>, tensor<?xf32> } : vector<4xi1> -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// assume: t[0] >= 4
func.func @passed_through(%t: tensor<?xf32>, %mask: vector<4xi1>, %other: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %x = arith.constant 0.0 : f32
  // expect: proved C2
  // expect: shape [4]
  // expect: approximated which elements its mask selects
  %0 = vector.mask %mask, %other { vector.transfer_read %t[%c0], %x {in_bounds = [true]} : tensor<?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %0 : vector<4xf32>
}

func.func @others(%m: memref<?xf32>, %at: vector<4xi32>, %v: vector<4xf32>, %mask: vector<4xi1>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  // expect: approximated what vector.gather demands
  // expect: shape [4]
  %0 = vector.mask %mask { vector.gather %m[%c0] [%at], %mask, %v : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %0 : vector<4xf32>
}
