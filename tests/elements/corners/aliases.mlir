// source: a copy of the argument
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
// -----
// proved
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  %t = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %t : memref<?xf32> to memref<?xf32>
  memref.copy %t, %r : memref<?xf32> to memref<?xf32>
  linalg.fill ins(%z : f32) outs(%t : memref<?xf32>)
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %b, %r : memref<?xf32> to memref<?xf32>
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  linalg.fill ins(%z : f32) outs(%r : memref<?xf32>)
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  %s = memref.subview %r[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  linalg.fill ins(%z : f32) outs(%s : memref<?xf32, strided<[1]>>)
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  %d = memref.cast %r : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  linalg.fill ins(%z : f32) outs(%d : memref<?xf32, strided<[?], offset: ?>>)
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  %d = memref.reinterpret_cast %r to offset: [0], sizes: [%n], strides: [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  linalg.fill ins(%z : f32) outs(%d : memref<?xf32, strided<[1]>>)
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  %p = arith.cmpi eq, %n, %c1 : index
  %d = scf.if %p -> (memref<?xf32>) {
    scf.yield %r : memref<?xf32>
  } else {
    scf.yield %b : memref<?xf32>
  }
  linalg.fill ins(%z : f32) outs(%d : memref<?xf32>)
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  %p = arith.cmpi eq, %n, %c1 : index
  %d = arith.select %p, %r, %b : memref<?xf32>
  linalg.fill ins(%z : f32) outs(%d : memref<?xf32>)
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%q = %r) -> (memref<?xf32>) {
    memref.store %z, %q[%i] : memref<?xf32>
    scf.yield %q : memref<?xf32>
  }
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  %p = arith.cmpi eq, %n, %c1 : index
  scf.if %p {
    %d = memref.expand_shape %r [[0, 1]] output_shape [1, %n] : memref<?xf32> into memref<1x?xf32>
    memref.store %z, %d[%c0, %c0] : memref<1x?xf32>
  }
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  memref.dealloc %r : memref<?xf32>
  return %r : memref<?xf32>
}
// -----
// source: negated in place
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %r = arith.negf %a : tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// proved
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  linalg.map { arith.negf } ins(%r : memref<?xf32>) outs(%r : memref<?xf32>)
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  linalg.map { arith.negf } ins(%r : memref<?xf32>) outs(%r : memref<?xf32>)
  linalg.map { arith.negf } ins(%r : memref<?xf32>) outs(%r : memref<?xf32>)
  return %r : memref<?xf32>
}
// -----
// open
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  linalg.map { arith.negf } ins(%r : memref<?xf32>) outs(%r : memref<?xf32>)
  linalg.map { arith.negf } ins(%r : memref<?xf32>) outs(%r : memref<?xf32>)
  linalg.map { arith.negf } ins(%r : memref<?xf32>) outs(%r : memref<?xf32>)
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  %m = arith.subi %n, %c1 : index
  %s = memref.subview %r[1] [%m] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: 1>>
  %t = memref.subview %r[0] [%m] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
    ins(%t : memref<?xf32, strided<[1]>>) outs(%s : memref<?xf32, strided<[1], offset: 1>>) {
  ^bb0(%in: f32, %o: f32):
    %g = arith.negf %in : f32
    linalg.yield %g : f32
  }
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  %m = arith.subi %n, %c1 : index
  %s = memref.subview %r[1] [%m] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: 1>>
  %t = memref.subview %r[0] [%m] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
    ins(%s : memref<?xf32, strided<[1], offset: 1>>) outs(%t : memref<?xf32, strided<[1]>>) {
  ^bb0(%in: f32, %o: f32):
    %g = arith.negf %in : f32
    linalg.yield %g : f32
  }
  return %r : memref<?xf32>
}
// -----
// source: two arguments
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  return %b : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  memref.store %z, %a[%c0] : memref<?xf32>
  %n = memref.dim %b, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %b, %r : memref<?xf32> to memref<?xf32>
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %b, %c0 : memref<?xf32>
  %r = memref.alloca(%n) : memref<?xf32>
  memref.copy %b, %r : memref<?xf32> to memref<?xf32>
  return %r : memref<?xf32>
}
// -----
// proved
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %b, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  %p = arith.cmpi ne, %n, %c0 : index
  scf.if %p {
    memref.copy %b, %r : memref<?xf32> to memref<?xf32>
  }
  return %r : memref<?xf32>
}
// -----
// source: gathered
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = scf.forall (%i) in (%n) shared_outs(%o = %e) -> (tensor<?xf32>) {
    %s = tensor.extract_slice %a[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}
// -----
// proved
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = scf.forall (%i) in (%n) shared_outs(%o = %a) -> (tensor<?xf32>) {
    %s = tensor.extract_slice %a[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[0] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}
