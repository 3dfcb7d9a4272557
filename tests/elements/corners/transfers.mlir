// source: read of four
func.func @f(%a: tensor<?xf32>, %i: index, %j: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %v = vector.transfer_read %a[%c0], %z : tensor<?xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>, %i: index, %j: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %v = vector.transfer_read %a[%c0], %z {in_bounds = [true]} : tensor<?xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>, %i: index, %j: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %v = vector.transfer_read %a[%c1], %z : tensor<?xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>, %i: index, %j: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %k = arith.constant -0.0 : f32
  %v = vector.transfer_read %a[%c0], %k : tensor<?xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<?xf32>, %i: index, %j: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = vector.create_mask %n : vector<4xi1>
  %v = vector.transfer_read %a[%c0], %z, %m : tensor<?xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>, %i: index, %j: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %s = tensor.dim %a, %c0 : tensor<?xf32>
  %n = arith.subi %s, %c1 : index
  %m = vector.create_mask %n : vector<4xi1>
  %v = vector.transfer_read %a[%c0], %z, %m : tensor<?xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>, %i: index, %j: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %m = vector.constant_mask [3] : vector<4xi1>
  %v = vector.transfer_read %a[%c0], %z, %m : tensor<?xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<?xf32>, %i: index, %j: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %m = vector.constant_mask [4] : vector<4xi1>
  %v = vector.transfer_read %a[%c0], %z, %m : tensor<?xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<?xf32>, %i: index, %j: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %u = vector.transfer_read %a[%c0], %z : tensor<?xf32>, vector<4xf32>
  %w = vector.shape_cast %u : vector<4xf32> to vector<2x2xf32>
  %v = vector.shape_cast %w : vector<2x2xf32> to vector<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>, %i: index, %j: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %u = vector.transfer_read %a[%c0], %z : tensor<?xf32>, vector<4xf32>
  %x = vector.shape_cast %u : vector<4xf32> to vector<2x2xf32>
  %w = vector.transpose %x, [1, 0] : vector<2x2xf32> to vector<2x2xf32>
  %v = vector.shape_cast %w : vector<2x2xf32> to vector<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: masked square
func.func @f(%a: tensor<?x?xf32>, %i: index, %j: index) -> tensor<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %m = vector.create_mask %i, %j : vector<2x2xi1>
  %v = vector.transfer_read %a[%c0, %c0], %z, %m : tensor<?x?xf32>, vector<2x2xf32>
  %r = vector.transfer_write %v, %e[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xf32>, tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?x?xf32>, %i: index, %j: index) -> tensor<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %m = vector.create_mask %j, %i : vector<2x2xi1>
  %v = vector.transfer_read %a[%c0, %c0], %z, %m : tensor<?x?xf32>, vector<2x2xf32>
  %r = vector.transfer_write %v, %e[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xf32>, tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?x?xf32>, %i: index, %j: index) -> tensor<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %m = vector.create_mask %i, %j : vector<2x2xi1>
  %v = vector.transfer_read %a[%c0, %c0], %z, %m {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : tensor<?x?xf32>, vector<2x2xf32>
  %r = vector.transfer_write %v, %e[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xf32>, tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
// -----
// proved
func.func @f(%a: tensor<?x?xf32>, %i: index, %j: index) -> tensor<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %m = vector.create_mask %i, %j : vector<2x2xi1>
  %w = vector.transfer_read %a[%c0, %c0], %z, %m {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : tensor<?x?xf32>, vector<2x2xf32>
  %v = vector.transpose %w, [1, 0] : vector<2x2xf32> to vector<2x2xf32>
  %r = vector.transfer_write %v, %e[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xf32>, tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?x?xf32>, %i: index, %j: index) -> tensor<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %m = vector.create_mask %j, %i : vector<2x2xi1>
  %w = vector.transfer_read %a[%c0, %c0], %z, %m {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : tensor<?x?xf32>, vector<2x2xf32>
  %v = vector.transpose %w, [1, 0] : vector<2x2xf32> to vector<2x2xf32>
  %r = vector.transfer_write %v, %e[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xf32>, tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?x?xf32>, %i: index, %j: index) -> tensor<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %m = vector.create_mask %j : vector<2xi1>
  %v = vector.transfer_read %a[%c0, %c0], %z, %m {permutation_map = affine_map<(d0, d1) -> (0, d1)>} : tensor<?x?xf32>, vector<2x2xf32>
  %r = vector.transfer_write %v, %e[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xf32>, tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
// -----
// source: sum of a square
func.func @f(%a: vector<2x3xf32>, %s: f32) -> f32 {
  %r = vector.multi_reduction <add>, %a, %s [0, 1] : vector<2x3xf32> to f32
  return %r : f32
}
// -----
// wrong
func.func @f(%a: vector<2x3xf32>, %s: f32) -> f32 {
  %z = arith.constant 0.0 : f32
  %t = vector.multi_reduction <add>, %a, %z [0, 1] : vector<2x3xf32> to f32
  %r = arith.addf %t, %s : f32
  return %r : f32
}
// -----
// source: greatest of a vector
func.func @f(%a: vector<4xf32>, %s: f32) -> f32 {
  %r = vector.multi_reduction <maximumf>, %a, %s [0] : vector<4xf32> to f32
  return %r : f32
}
// -----
// wrong
func.func @f(%a: vector<4xf32>, %s: f32) -> f32 {
  %r = vector.multi_reduction <maxnumf>, %a, %s [0] : vector<4xf32> to f32
  return %r : f32
}
// -----
// source: least unsigned of a vector
func.func @f(%a: vector<4xi8>, %s: i8) -> i8 {
  %r = vector.multi_reduction <minui>, %a, %s [0] : vector<4xi8> to i8
  return %r : i8
}
// -----
// wrong
func.func @f(%a: vector<4xi8>, %s: i8) -> i8 {
  %r = vector.multi_reduction <minsi>, %a, %s [0] : vector<4xi8> to i8
  return %r : i8
}
// -----
// proved
func.func @f(%a: vector<4xi8>, %s: i8) -> i8 {
  %b = vector.shape_cast %a : vector<4xi8> to vector<1x4xi8>
  %c = vector.extract %b[0] : vector<4xi8> from vector<1x4xi8>
  %r = vector.multi_reduction <minui>, %c, %s [0] : vector<4xi8> to i8
  return %r : i8
}
// -----
// source: vectors along a loop
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = arith.negf %a : tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c4) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = vector.broadcast %x : f32 to vector<4xf32>
    %w = arith.negf %y : vector<4xf32>
    vector.transfer_write %w, %r[%i] : vector<4xf32>, memref<?xf32>
    scf.reduce
  }
  return %r : memref<?xf32>
}
// -----
// proved
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c4) {
    %y = vector.transfer_read %a[%i], %z : memref<?xf32>, vector<4xf32>
    %w = arith.negf %y : vector<4xf32>
    vector.transfer_write %w, %r[%i] : vector<4xf32>, memref<?xf32>
    scf.reduce
  }
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c4) {
    %y = vector.transfer_read %a[%i], %z {in_bounds = [true]} : memref<?xf32>, vector<4xf32>
    %w = arith.negf %y : vector<4xf32>
    vector.transfer_write %w, %r[%i] : vector<4xf32>, memref<?xf32>
    scf.reduce
  }
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c4) {
    %y = vector.transfer_read %a[%i], %z : memref<?xf32>, vector<4xf32>
    %w = arith.negf %y : vector<4xf32>
    vector.transfer_write %w, %r[%i] {in_bounds = [true]} : vector<4xf32>, memref<?xf32>
    scf.reduce
  }
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c4) {
    %y = vector.transfer_read %a[%i], %z : memref<?xf32>, vector<4xf32>
    %w = arith.negf %y : vector<4xf32>
    vector.transfer_write %w, %r[%c0] : vector<4xf32>, memref<?xf32>
    scf.reduce
  }
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 2 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c4) {
    %y0 = vector.transfer_read %a[%i], %z : memref<?xf32>, vector<2xf32>
    %y1 = vector.broadcast %y0 : vector<2xf32> to vector<2x2xf32>
    %y = vector.shape_cast %y1 : vector<2x2xf32> to vector<4xf32>
    %w = arith.negf %y : vector<4xf32>
    vector.transfer_write %w, %r[%i] : vector<4xf32>, memref<?xf32>
    scf.reduce
  }
  return %r : memref<?xf32>
}
