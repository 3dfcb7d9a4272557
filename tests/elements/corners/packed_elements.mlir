// source: mask in memory
func.func @f(%a: tensor<4xf32>, %p: tensor<4xi1>) -> tensor<4xf32> {
  %k = arith.constant dense<0.0> : tensor<4xf32>
  %r = arith.select %p, %a, %k : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: memref<4xf32>, %p: memref<4xi1>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %f = arith.constant false
  %r = memref.alloc() : memref<4xf32>
  %m = vector.transfer_read %p[%c0], %f {in_bounds = [true]} : memref<4xi1>, vector<4xi1>
  %v = vector.transfer_read %a[%c0], %z, %m {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
  vector.transfer_write %v, %r[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
  return %r : memref<4xf32>
}
// -----
// wrong
func.func @f(%a: memref<4xf32>, %p: memref<4xi1>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %r = memref.alloc() : memref<4xf32>
  %m = vector.load %p[%c0] : memref<4xi1>, vector<4xi1>
  %v = vector.transfer_read %a[%c0], %z, %m {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
  vector.transfer_write %v, %r[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
  return %r : memref<4xf32>
}
// -----
// source: moved i4
func.func @f(%a: tensor<4xi4>) -> tensor<4xi4> {
  return %a : tensor<4xi4>
}
// -----
// wrong
func.func @f(%a: memref<4xi4>) -> memref<4xi4> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i4
  %r = memref.alloc() : memref<4xi4>
  %v = vector.transfer_read %a[%c0], %z {in_bounds = [true]} : memref<4xi4>, vector<4xi4>
  vector.transfer_write %v, %r[%c0] {in_bounds = [true]} : vector<4xi4>, memref<4xi4>
  return %r : memref<4xi4>
}
// -----
// source: moved i24
func.func @f(%a: tensor<4xi24>) -> tensor<4xi24> {
  return %a : tensor<4xi24>
}
// -----
// wrong
func.func @f(%a: memref<4xi24>) -> memref<4xi24> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i24
  %r = memref.alloc() : memref<4xi24>
  %v = vector.transfer_read %a[%c0], %z {in_bounds = [true]} : memref<4xi24>, vector<4xi24>
  vector.transfer_write %v, %r[%c0] {in_bounds = [true]} : vector<4xi24>, memref<4xi24>
  return %r : memref<4xi24>
}
// -----
// source: moved i8
func.func @f(%a: tensor<4xi8>) -> tensor<4xi8> {
  return %a : tensor<4xi8>
}
// -----
// proved
func.func @f(%a: memref<4xi8>) -> memref<4xi8> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i8
  %r = memref.alloc() : memref<4xi8>
  %v = vector.transfer_read %a[%c0], %z {in_bounds = [true]} : memref<4xi8>, vector<4xi8>
  vector.transfer_write %v, %r[%c0] {in_bounds = [true]} : vector<4xi8>, memref<4xi8>
  return %r : memref<4xi8>
}
// -----
// source: moved i16
func.func @f(%a: tensor<4xi16>) -> tensor<4xi16> {
  return %a : tensor<4xi16>
}
// -----
// proved
func.func @f(%a: memref<4xi16>) -> memref<4xi16> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i16
  %r = memref.alloc() : memref<4xi16>
  %v = vector.transfer_read %a[%c0], %z {in_bounds = [true]} : memref<4xi16>, vector<4xi16>
  vector.transfer_write %v, %r[%c0] {in_bounds = [true]} : vector<4xi16>, memref<4xi16>
  return %r : memref<4xi16>
}
