// source: read padded
func.func @f(%a: tensor<?xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty() : tensor<4xf32>
  %v = vector.transfer_read %a[%c0], %z {in_bounds=[false]} : tensor<?xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<?xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty() : tensor<4xf32>
  %m = vector.create_mask %n : vector<4xi1>
  %v = vector.transfer_read %a[%c0], %z, %m {in_bounds=[false]} : tensor<?xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty() : tensor<4xf32>
  %v = vector.transfer_read %a[%c0], %one {in_bounds=[false]} : tensor<?xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty() : tensor<4xf32>
  %v = vector.transfer_read %a[%c1], %z {in_bounds=[false]} : tensor<?xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty() : tensor<4xf32>
  %m = vector.create_mask %c2 : vector<4xi1>
  %v = vector.transfer_read %a[%c0], %z, %m {in_bounds=[false]} : tensor<?xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: write masked
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %k: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %m = vector.create_mask %k : vector<4xi1>
  %v = vector.transfer_read %a[%c0], %z {in_bounds=[true]} : tensor<4xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %b[%c0], %m {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %k: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %m = vector.create_mask %k : vector<4xi1>
  %v = vector.transfer_read %a[%c0], %z {in_bounds=[true]} : tensor<4xf32>, vector<4xf32>
  %w = vector.transfer_read %b[%c0], %z {in_bounds=[true]} : tensor<4xf32>, vector<4xf32>
  %s = arith.select %m, %v, %w : vector<4xi1>, vector<4xf32>
  %r = vector.transfer_write %s, %b[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %k: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %a[%c0], %z {in_bounds=[true]} : tensor<4xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %b[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %k: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %m = vector.create_mask %k : vector<4xi1>
  %v = vector.transfer_read %a[%c0], %z, %m {in_bounds=[true]} : tensor<4xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %b[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: vector transpose
func.func @f(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %e = tensor.empty() : tensor<3x2xf32>
  %r = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
  return %r : tensor<3x2xf32>
}
// -----
// proved
func.func @f(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %a[%c0, %c0], %z {in_bounds=[true,true]} : tensor<2x3xf32>, vector<2x3xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %t = vector.transpose %v, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %r = vector.transfer_write %t, %e[%c0, %c0] {in_bounds=[true,true]} : vector<3x2xf32>, tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
// -----
// proved
func.func @f(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %a[%c0, %c0], %z {in_bounds=[true,true]} : tensor<2x3xf32>, vector<2x3xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %r = vector.transfer_write %v, %e[%c0, %c0] {in_bounds=[true,true], permutation_map = affine_map<(i, j) -> (j, i)>} : vector<2x3xf32>, tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
// -----
// wrong
func.func @f(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %a[%c0, %c0], %z {in_bounds=[true,true]} : tensor<2x3xf32>, vector<2x3xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %t = vector.shape_cast %v : vector<2x3xf32> to vector<3x2xf32>
  %r = vector.transfer_write %t, %e[%c0, %c0] {in_bounds=[true,true]} : vector<3x2xf32>, tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
// -----
// source: vector returned
func.func @f(%a: vector<4xf32>, %b: vector<4xf32>) -> vector<4xf32> {
  %r = arith.subf %a, %b : vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// proved
func.func @f(%a: vector<4xf32>, %b: vector<4xf32>) -> vector<4xf32> {
  %m = arith.negf %b : vector<4xf32>
  %n = arith.negf %m : vector<4xf32>
  %r = arith.subf %a, %n : vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// wrong
func.func @f(%a: vector<4xf32>, %b: vector<4xf32>) -> vector<4xf32> {
  %r = arith.subf %b, %a : vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// source: data mask
func.func @f(%a: tensor<4xf32>, %p: tensor<4xi1>) -> tensor<4xf32> {
  %f = arith.constant false
  %k = arith.constant dense<0.0> : tensor<4xf32>
  %r = arith.select %p, %a, %k : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// open
func.func @f(%a: tensor<4xf32>, %p: tensor<4xi1>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %f = arith.constant false
  %m = vector.transfer_read %p[%c0], %f {in_bounds=[true]} : tensor<4xi1>, vector<4xi1>
  %v = vector.transfer_read %a[%c0], %z, %m {in_bounds=[true]} : tensor<4xf32>, vector<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %p: tensor<4xi1>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %f = arith.constant false
  %m = vector.transfer_read %p[%c0], %f {in_bounds=[true]} : tensor<4xi1>, vector<4xi1>
  %v = vector.transfer_read %a[%c0], %one, %m {in_bounds=[true]} : tensor<4xf32>, vector<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %p: tensor<4xi1>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %f = arith.constant false
  %m = vector.transfer_read %p[%c0], %f {in_bounds=[true]} : tensor<4xi1>, vector<4xi1>
  %v = vector.transfer_read %a[%c0], %z {in_bounds=[true]} : tensor<4xf32>, vector<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = vector.transfer_write %v, %e[%c0], %m {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: write beyond
func.func @f(%a: tensor<?xf32>, %b: tensor<4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %q = arith.minui %n, %c4 : index
  %s = tensor.extract_slice %b[0] [%q] [1] : tensor<4xf32> to tensor<?xf32>
  %r = tensor.insert_slice %s into %a[0] [%q] [1] : tensor<?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// proved
func.func @f(%a: tensor<?xf32>, %b: tensor<4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %b[%c0], %z {in_bounds=[true]} : tensor<4xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %a[%c0] {in_bounds=[false]} : vector<4xf32>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>, %b: tensor<4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %b[%c0], %z {in_bounds=[true]} : tensor<4xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %a[%c1] {in_bounds=[false]} : vector<4xf32>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// source: mask of a transposed read
func.func @f(%a: tensor<?x?xf32>, %i: index, %j: index) -> tensor<2x3xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3xf32>
  %m = vector.create_mask %i, %j : vector<3x2xi1>
  %v = vector.transfer_read %a[%c0, %c0], %z, %m {permutation_map = affine_map<(i,j)->(j,i)>, in_bounds=[false,false]} : tensor<?x?xf32>, vector<2x3xf32>
  %r = vector.transfer_write %v, %e[%c0, %c0] {in_bounds=[true,true]} : vector<2x3xf32>, tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
// proved
func.func @f(%a: tensor<?x?xf32>, %i: index, %j: index) -> tensor<2x3xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3xf32>
  %m = vector.create_mask %i, %j : vector<3x2xi1>
  %w = vector.transfer_read %a[%c0, %c0], %z, %m {in_bounds=[false,false]} : tensor<?x?xf32>, vector<3x2xf32>
  %v = vector.transpose %w, [1, 0] : vector<3x2xf32> to vector<2x3xf32>
  %r = vector.transfer_write %v, %e[%c0, %c0] {in_bounds=[true,true]} : vector<2x3xf32>, tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?x?xf32>, %i: index, %j: index) -> tensor<2x3xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3xf32>
  %m = vector.create_mask %j, %i : vector<3x2xi1>
  %w = vector.transfer_read %a[%c0, %c0], %z, %m {in_bounds=[false,false]} : tensor<?x?xf32>, vector<3x2xf32>
  %v = vector.transpose %w, [1, 0] : vector<3x2xf32> to vector<2x3xf32>
  %r = vector.transfer_write %v, %e[%c0, %c0] {in_bounds=[true,true]} : vector<2x3xf32>, tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
// source: broadcast read
func.func @f(%a: tensor<3xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %r = linalg.broadcast ins(%a : tensor<3xf32>) outs(%e : tensor<2x3xf32>) dimensions = [0]
  return %r : tensor<2x3xf32>
}
// -----
// proved
func.func @f(%a: tensor<3xf32>) -> tensor<2x3xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3xf32>
  %v = vector.transfer_read %a[%c0], %z {permutation_map = affine_map<(i)->(0, i)>, in_bounds=[true,true]} : tensor<3xf32>, vector<2x3xf32>
  %r = vector.transfer_write %v, %e[%c0, %c0] {in_bounds=[true,true]} : vector<2x3xf32>, tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
// proved
func.func @f(%a: tensor<3xf32>) -> tensor<2x3xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3xf32>
  %w = vector.transfer_read %a[%c0], %z {in_bounds=[true]} : tensor<3xf32>, vector<3xf32>
  %v = vector.broadcast %w : vector<3xf32> to vector<2x3xf32>
  %r = vector.transfer_write %v, %e[%c0, %c0] {in_bounds=[true,true]} : vector<2x3xf32>, tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
// wrong
func.func @f(%a: tensor<3xf32>) -> tensor<2x3xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<2x3xf32>
  %y = tensor.extract %a[%c0] : tensor<3xf32>
  %v = vector.broadcast %y : f32 to vector<2x3xf32>
  %r = vector.transfer_write %v, %e[%c0, %c0] {in_bounds=[true,true]} : vector<2x3xf32>, tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
// source: multi reduction
func.func @f(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.reduce ins(%a : tensor<4x4xf32>) outs(%i : tensor<4xf32>) dimensions = [1]
  (%in: f32, %o: f32) {
    %s = arith.addf %in, %o : f32
    linalg.yield %s : f32
  }
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %w = vector.transfer_read %a[%c0, %c0], %z {in_bounds=[true,true]} : tensor<4x4xf32>, vector<4x4xf32>
  %k = arith.constant dense<0.0> : vector<4xf32>
  %v = vector.multi_reduction <add>, %w, %k [1] : vector<4x4xf32> to vector<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %w = vector.transfer_read %a[%c0, %c0], %z {in_bounds=[true,true]} : tensor<4x4xf32>, vector<4x4xf32>
  %k = arith.constant dense<0.0> : vector<4xf32>
  %v = vector.multi_reduction <add>, %w, %k [0] : vector<4x4xf32> to vector<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %w = vector.transfer_read %a[%c0, %c0], %z {in_bounds=[true,true]} : tensor<4x4xf32>, vector<4x4xf32>
  %k = arith.constant dense<0.0> : vector<4xf32>
  %v = vector.multi_reduction <maximumf>, %w, %k [1] : vector<4x4xf32> to vector<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: strided slice
func.func @f(%a: tensor<8xf32>) -> tensor<4xf32> {
  %r = tensor.extract_slice %a[3] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<8xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %w = vector.transfer_read %a[%c0], %z {in_bounds=[true]} : tensor<8xf32>, vector<8xf32>
  %v = vector.extract_strided_slice %w {offsets=[3], sizes=[4], strides=[1]} : vector<8xf32> to vector<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<8xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %w = vector.transfer_read %a[%c0], %z {in_bounds=[true]} : tensor<8xf32>, vector<8xf32>
  %v = vector.extract_strided_slice %w {offsets=[2], sizes=[4], strides=[1]} : vector<8xf32> to vector<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<8xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %w = vector.transfer_read %a[%c0], %z {in_bounds=[true]} : tensor<8xf32>, vector<8xf32>
  %w2 = vector.shape_cast %w : vector<8xf32> to vector<2x4xf32>
  %v = vector.extract %w2[1] : vector<4xf32> from vector<2x4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: shape cast rows
func.func @f(%a: tensor<8xf32>) -> tensor<4xf32> {
  %r = tensor.extract_slice %a[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<8xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %w = vector.transfer_read %a[%c0], %z {in_bounds=[true]} : tensor<8xf32>, vector<8xf32>
  %w2 = vector.shape_cast %w : vector<8xf32> to vector<2x4xf32>
  %v = vector.extract %w2[1] : vector<4xf32> from vector<2x4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<8xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %w = vector.transfer_read %a[%c0], %z {in_bounds=[true]} : tensor<8xf32>, vector<8xf32>
  %w2 = vector.shape_cast %w : vector<8xf32> to vector<4x2xf32>
  %w3 = vector.transpose %w2, [1, 0] : vector<4x2xf32> to vector<2x4xf32>
  %v = vector.extract %w3[1] : vector<4xf32> from vector<2x4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: vector loop
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = arith.negf %a : tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// proved
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%s = %e) -> (tensor<?xf32>) {
    %v = vector.transfer_read %a[%i], %z {in_bounds=[false]} : tensor<?xf32>, vector<4xf32>
    %w = arith.negf %v : vector<4xf32>
    %t = vector.transfer_write %w, %s[%i] {in_bounds=[false]} : vector<4xf32>, tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 5 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%s = %e) -> (tensor<?xf32>) {
    %v = vector.transfer_read %a[%i], %z {in_bounds=[false]} : tensor<?xf32>, vector<4xf32>
    %w = arith.negf %v : vector<4xf32>
    %t = vector.transfer_write %w, %s[%i] {in_bounds=[false]} : vector<4xf32>, tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// source: vector write buffer
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<2.0> : vector<4xf32>
  %r = vector.transfer_write %v, %a[%c0] {in_bounds=[false]} : vector<4xf32>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// proved
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  %v = arith.constant dense<2.0> : vector<4xf32>
  vector.transfer_write %v, %r[%c0] {in_bounds=[false]} : vector<4xf32>, memref<?xf32>
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  %v = arith.constant dense<2.0> : vector<4xf32>
  vector.transfer_write %v, %r[%c1] {in_bounds=[false]} : vector<4xf32>, memref<?xf32>
  return %r : memref<?xf32>
}
