func.func @read(%m: memref<?x?xf32>, %x: f32) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  // expect: refuted C1
  // expect: refuted C2
  // expect: shape [8]
  %0 = vector.transfer_read %m[%c0, %c0], %x {in_bounds = [true]} : memref<?x?xf32>, vector<8xf32>
  return %0 : vector<8xf32>
}

// assume: t[0] >= 1
func.func @written(%v: vector<8xf32>, %t: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  // expect: proved
  // expect: shape [t[0], t[1]]
  %0 = vector.transfer_write %v, %t[%c0, %c0] : vector<8xf32>, tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A transfer that is not marked in bounds may run past the end, and not begin before the beginning.
func.func @before(%m: memref<?xf32>, %x: f32, %i: index) -> vector<4xf32> {
  // expect: refuted C3
  %0 = vector.transfer_read %m[%i], %x : memref<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}

// assume: %i >= 0
func.func @beyond(%m: memref<?xf32>, %v: vector<4xf32>, %i: index) {
  // expect: proved C3
  vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<?xf32>
  return
}

func.func @written_before(%m: memref<?xf32>, %v: vector<4xf32>, %i: index) {
  // expect: refuted C3
  vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<?xf32>
  return
}

// What no mask could select outside is proved whatever the mask is.
// assume: m[0] >= 4
func.func @masked(%m: memref<?xf32>, %v: vector<4xf32>, %i: index, %mask: vector<4xi1>) {
  %c0 = arith.constant 0 : index
  // expect: approximated which elements its mask selects
  // expect: proved C2
  vector.transfer_write %v, %m[%c0], %mask {in_bounds = [true]} : vector<4xf32>, memref<?xf32>
  // expect: approximated which elements its mask selects
  // expect: undecided C2 because which elements its mask selects
  vector.transfer_write %v, %m[%i], %mask {in_bounds = [true]} : vector<4xf32>, memref<?xf32>
  %x = arith.constant 0.0 : f32
  // expect: approximated which elements its mask selects
  // expect: undecided C3 because which elements its mask selects
  %0 = vector.transfer_read %m[%i], %x, %mask : memref<?xf32>, vector<4xf32>
  return
}
