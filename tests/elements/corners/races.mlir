// source: parallel iterations that share a buffer
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = arith.negf %a : tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  %t = memref.alloc() : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    linalg.fill ins(%y : f32) outs(%t : memref<4xf32>)
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
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %t = memref.alloc() : memref<4xf32>
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    linalg.fill ins(%y : f32) outs(%t : memref<4xf32>)
    %w = memref.load %t[%c0] : memref<4xf32>
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
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  %t = memref.alloc() : memref<1xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %s = memref.subview %a[%i] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
      ins(%s : memref<1xf32, strided<[1], offset: ?>>) outs(%t : memref<1xf32>) {
    ^bb0(%in: f32, %o: f32):
      %g = arith.negf %in : f32
      linalg.yield %g : f32
    }
    %w = memref.load %t[%c0] : memref<1xf32>
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
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %t = memref.alloc() : memref<1xf32>
    %s = memref.subview %a[%i] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
      ins(%s : memref<1xf32, strided<[1], offset: ?>>) outs(%t : memref<1xf32>) {
    ^bb0(%in: f32, %o: f32):
      %g = arith.negf %in : f32
      linalg.yield %g : f32
    }
    %w = memref.load %t[%c0] : memref<1xf32>
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
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  %t = memref.alloc() : memref<1xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %t[%c0] : memref<1xf32>
    %q = memref.subview %r[%i] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
      ins(%t : memref<1xf32>) outs(%q : memref<1xf32, strided<[1], offset: ?>>) {
    ^bb0(%in: f32, %o: f32):
      %g = arith.negf %in : f32
      linalg.yield %g : f32
    }
    scf.reduce
  }
  return %r : memref<?xf32>
}
// -----
// proved
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %t = memref.alloc() : memref<1xf32>
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %t[%c0] : memref<1xf32>
    %q = memref.subview %r[%i] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
      ins(%t : memref<1xf32>) outs(%q : memref<1xf32, strided<[1], offset: ?>>) {
    ^bb0(%in: f32, %o: f32):
      %g = arith.negf %in : f32
      linalg.yield %g : f32
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
  %t = memref.alloc() : memref<1xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %t[%c0] : memref<1xf32>
    %q = memref.subview %r[%i] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
    linalg.map { arith.negf } ins(%t : memref<1xf32>) outs(%q : memref<1xf32, strided<[1], offset: ?>>) 
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
  %t = memref.alloc() : memref<1xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %s = memref.subview %a[%i] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
    memref.copy %s, %t : memref<1xf32, strided<[1], offset: ?>> to memref<1xf32>
    %v = memref.load %t[%c0] : memref<1xf32>
    %w = arith.negf %v : f32
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
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  %t = memref.alloc() : memref<1xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    %o = memref.load %t[%c0] : memref<1xf32>
    memref.store %y, %t[%c0] : memref<1xf32>
    memref.store %y, %r[%i] : memref<?xf32>
    %p = arith.cmpi eq, %i, %n : index
    memref.store %o, %r[%i] : memref<?xf32>
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
  %t = memref.alloc() : memref<1xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    %p = arith.cmpi slt, %i, %n : index
    scf.if %p {
      memref.store %y, %t[%c0] : memref<1xf32>
    }
    %w = memref.load %t[%c0] : memref<1xf32>
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
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  %t = memref.alloc() : memref<1xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    %v = memref.cast %t : memref<1xf32> to memref<?xf32>
    memref.store %y, %v[%c0] : memref<?xf32>
    %w = memref.load %t[%c0] : memref<1xf32>
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
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  %t = memref.alloc() : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    %v = vector.broadcast %y : f32 to vector<4xf32>
    vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
    %w = memref.load %t[%c0] : memref<4xf32>
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
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    %d = affine.apply affine_map<(d) -> (d floordiv 2)>(%i)
    memref.store %y, %r[%d] : memref<?xf32>
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
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %r[%i] : memref<?xf32>
    memref.store %x, %r[%c0] : memref<?xf32>
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
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %j = affine.apply affine_map<(d)[n] -> ((d + 1) mod n)>(%i)[%n]
    %x = memref.load %r[%i] : memref<?xf32>
    %z = memref.load %r[%j] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %r[%i] : memref<?xf32>
    %u = arith.negf %z : f32
    memref.store %u, %r[%j] : memref<?xf32>
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
    memref.copy %a, %r : memref<?xf32> to memref<?xf32>
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
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  %t = memref.alloc() : memref<1xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %r[%i] : memref<?xf32>
    memref.dealloc %t : memref<1xf32>
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
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %r[%i] : memref<?xf32>
    scf.reduce
  }
  memref.dealloc %r : memref<?xf32>
  return %r : memref<?xf32>
}
// -----
// wrong
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloca(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %r[%i] : memref<?xf32>
    scf.reduce
  }
  return %r : memref<?xf32>
}
// -----
// proved
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  %t = memref.alloca(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %t[%i] : memref<?xf32>
    scf.reduce
  }
  memref.copy %t, %r : memref<?xf32> to memref<?xf32>
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
  %t = memref.alloc() : memref<1xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    linalg.fill ins(%y : f32) outs(%t : memref<1xf32>)
    %q = memref.subview %r[%i] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
      outs(%t, %q : memref<1xf32>, memref<1xf32, strided<[1], offset: ?>>) {
    ^bb0(%o: f32, %p: f32):
      linalg.yield %y, %o : f32, f32
    }
    scf.reduce
  }
  return %r : memref<?xf32>
}
// -----
// proved
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  scf.forall (%i) in (%n) {
    %s = memref.subview %a[%i] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
    %q = memref.subview %r[%i] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
    linalg.map { arith.negf } ins(%s : memref<1xf32, strided<[1], offset: ?>>) outs(%q : memref<1xf32, strided<[1], offset: ?>>)
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
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  scf.for %k = %c0 to %c2 step %c1 {
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      %x = memref.load %r[%i] : memref<?xf32>
      %y = arith.negf %x : f32
      memref.store %y, %r[%i] : memref<?xf32>
      scf.reduce
    }
  }
  return %r : memref<?xf32>
}
// -----
// proved
func.func @f(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  %t = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %t[%i] : memref<?xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %t[%i] : memref<?xf32>
    memref.store %x, %r[%i] : memref<?xf32>
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
  %t = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %t[%i] : memref<?xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %t[%c0] : memref<?xf32>
    memref.store %x, %r[%i] : memref<?xf32>
    scf.reduce
  }
  return %r : memref<?xf32>
}
