// source: forall add
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = arith.addf %a, %a : tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// proved
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = scf.forall (%i) in (%n) shared_outs(%o = %e) -> (tensor<?xf32>) {
    %s = tensor.extract_slice %a[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %y = arith.addf %s, %s : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = scf.forall (%i) = (1) to (%n) step (1) shared_outs(%o = %a) -> (tensor<?xf32>) {
    %s = tensor.extract_slice %a[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %y = arith.addf %s, %s : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = scf.forall (%i) in (%n) shared_outs(%o = %e) -> (tensor<?xf32>) {
    %q = arith.subi %n, %i : index
    %j = arith.subi %q, %c1 : index
    %s = tensor.extract_slice %a[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %y = arith.addf %s, %s : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%j] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = scf.forall (%i) = (0) to (%n) step (2) shared_outs(%o = %a) -> (tensor<?xf32>) {
    %s = tensor.extract_slice %a[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %y = arith.addf %s, %s : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}
// -----
// source: forall transpose
func.func @f(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d1, %d0) : tensor<?x?xf32>
  %r = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  return %r : tensor<?x?xf32>
}
// -----
// proved
func.func @f(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d1, %d0) : tensor<?x?xf32>
  %r = scf.forall (%i, %j) in (%d0, %d1) shared_outs(%o = %e) -> (tensor<?x?xf32>) {
    %s = tensor.extract_slice %a[%i, %j] [1, 1] [1, 1] : tensor<?x?xf32> to tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%j, %i] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<?x?xf32>
    }
  }
  return %r : tensor<?x?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d1, %d0) : tensor<?x?xf32>
  %r = scf.forall (%i, %j) in (%d0, %d1) shared_outs(%o = %e) -> (tensor<?x?xf32>) {
    %s = tensor.extract_slice %a[%i, %c0] [1, 1] [1, 1] : tensor<?x?xf32> to tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%j, %i] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<?x?xf32>
    }
  }
  return %r : tensor<?x?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d1, %d0) : tensor<?x?xf32>
  %r = scf.forall (%i, %j) in (%d0, %d1) shared_outs(%o = %e) -> (tensor<?x?xf32>) {
    %s = tensor.extract_slice %a[%c0, %j] [1, 1] [1, 1] : tensor<?x?xf32> to tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%j, %i] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<?x?xf32>
    }
  }
  return %r : tensor<?x?xf32>
}
// -----
// proved
func.func @f(%a: memref<?x?xf32>) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = memref.dim %a, %c0 : memref<?x?xf32>
  %d1 = memref.dim %a, %c1 : memref<?x?xf32>
  %r = memref.alloc(%d1, %d0) : memref<?x?xf32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%d0, %d1) step (%c1, %c1) {
    %x = memref.load %a[%i, %j] : memref<?x?xf32>
    memref.store %x, %r[%j, %i] : memref<?x?xf32>
    scf.reduce
  }
  return %r : memref<?x?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?x?xf32>) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = memref.dim %a, %c0 : memref<?x?xf32>
  %d1 = memref.dim %a, %c1 : memref<?x?xf32>
  %r = memref.alloc(%d1, %d0) : memref<?x?xf32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%d0, %d1) step (%c1, %c1) {
    %x = memref.load %a[%i, %j] : memref<?x?xf32>
    memref.store %x, %r[%j, %c0] : memref<?x?xf32>
    scf.reduce
  }
  return %r : memref<?x?xf32>
}
// -----
// source: parallel
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = arith.negf %a : tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// proved
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %r[%i] : memref<?xf32>
    scf.reduce
  }
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %q = arith.subi %n, %c1 : index
    %j = arith.subi %q, %i : index
    %x = memref.load %a[%j] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %r[%i] : memref<?xf32>
    scf.reduce
  }
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %r[%c0] : memref<?xf32>
    scf.reduce
  }
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  %t = memref.alloc() : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %t[%c0] : memref<4xf32>
    %w = memref.load %t[%c0] : memref<4xf32>
    memref.store %w, %r[%i] : memref<?xf32>
    scf.reduce
  }
  return %r : memref<?xf32>
}
// -----
// proved
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %t = memref.alloc() : memref<4xf32>
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %t[%c0] : memref<4xf32>
    %w = memref.load %t[%c0] : memref<4xf32>
    memref.store %w, %r[%i] : memref<?xf32>
    scf.reduce
  }
  return %r : memref<?xf32>
}
// -----
// proved
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %r[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %r[%i] : memref<?xf32>
    scf.reduce
  }
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
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %q = arith.subi %n, %c1 : index
    %k = arith.subi %q, %i : index
    %x = memref.load %r[%k] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %r[%i] : memref<?xf32>
    scf.reduce
  }
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c2) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %r[%i] : memref<?xf32>
    scf.reduce
  }
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  %t = memref.alloc() : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    scf.for %k = %c0 to %c4 step %c1 {
      memref.store %y, %t[%k] : memref<4xf32>
    }
    %w = memref.load %t[%c2] : memref<4xf32>
    memref.store %w, %r[%i] : memref<?xf32>
    scf.reduce
  }
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  %t = memref.alloc() : memref<4xf32>
  %u = memref.alloc() : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    scf.for %k = %c0 to %c4 step %c1 {
      memref.store %y, %t[%k] : memref<4xf32>
      %w = memref.load %t[%k] : memref<4xf32>
      memref.store %w, %u[%k] : memref<4xf32>
    }
    %v = memref.load %u[%c1] : memref<4xf32>
    memref.store %v, %r[%i] : memref<?xf32>
    scf.reduce
  }
  return %r : memref<?xf32>
}
// -----
// proved
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %p = arith.cmpi slt, %i, %n : index
    scf.if %p {
      %x = memref.load %a[%i] : memref<?xf32>
      %y = arith.negf %x : f32
      memref.store %y, %r[%i] : memref<?xf32>
    }
    scf.reduce
  }
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %p = arith.cmpi slt, %i, %c2 : index
    scf.if %p {
      %x = memref.load %a[%i] : memref<?xf32>
      %y = arith.negf %x : f32
      memref.store %y, %r[%i] : memref<?xf32>
    }
    scf.reduce
  }
  return %r : memref<?xf32>
}
// -----
// proved
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  scf.forall (%i) in (%n) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %r[%i] : memref<?xf32>
  }
  return %r : memref<?xf32>
}
// -----
// proved
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %k = arith.constant 4 : index
  %t = affine.apply affine_map<()[s0] -> (s0 ceildiv 4)>()[%n]
  %r = scf.forall (%i) in (%t) shared_outs(%o = %e) -> (tensor<?xf32>) {
    %o0 = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %sz = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%o0)[%n]
    %s = tensor.extract_slice %a[%o0] [%sz] [1] : tensor<?xf32> to tensor<?xf32>
    %y = arith.negf %s : tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%o0] [%sz] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %k = arith.constant 4 : index
  %t = affine.apply affine_map<()[s0] -> (s0 floordiv 4)>()[%n]
  %r = scf.forall (%i) in (%t) shared_outs(%o = %e) -> (tensor<?xf32>) {
    %o0 = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %sz = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%o0)[%n]
    %s = tensor.extract_slice %a[%o0] [%sz] [1] : tensor<?xf32> to tensor<?xf32>
    %y = arith.negf %s : tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%o0] [%sz] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %k = arith.constant 4 : index
  %t = affine.apply affine_map<()[s0] -> (s0 ceildiv 4)>()[%n]
  %r = scf.forall (%i) in (%t) shared_outs(%o = %e) -> (tensor<?xf32>) {
    %o0 = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %sz = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%o0)[%n]
    %s = tensor.extract_slice %o[%o0] [%sz] [1] : tensor<?xf32> to tensor<?xf32>
    %y = arith.negf %s : tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%o0] [%sz] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}
// -----
// proved
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %k = arith.constant 4 : index
  %t = affine.apply affine_map<()[s0] -> (s0 ceildiv 4)>()[%n]
  %r = scf.forall (%i) in (%t) shared_outs(%o = %a) -> (tensor<?xf32>) {
    %o0 = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %sz = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%o0)[%n]
    %s = tensor.extract_slice %o[%o0] [%sz] [1] : tensor<?xf32> to tensor<?xf32>
    %y = arith.negf %s : tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%o0] [%sz] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}
// -----
// proved
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  affine.parallel (%i) = (0) to (symbol(%n)) {
    %x = affine.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    affine.store %y, %r[%i] : memref<?xf32>
  }
  return %r : memref<?xf32>
}
