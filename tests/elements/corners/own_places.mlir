// source: sums of parallel rows
func.func @f(%a: tensor<?x?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %n = tensor.dim %a, %c0 : tensor<?x?xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  %r = linalg.reduce { arith.addi } ins(%a : tensor<?x?xi32>) outs(%i : tensor<?xi32>) dimensions = [1]
  return %r : tensor<?xi32>
}
// -----
// proved
func.func @f(%a: memref<?x?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  linalg.fill ins(%z : i32) outs(%r : memref<?xi32>)
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xi32>
      %y = memref.load %r[%i] : memref<?xi32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %r[%i] : memref<?xi32>
    }
    scf.reduce
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?x?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  linalg.fill ins(%z : i32) outs(%r : memref<?xi32>)
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xi32>
      %y = memref.load %r[%i] : memref<?xi32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %r[%c0] : memref<?xi32>
    }
    scf.reduce
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?x?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  linalg.fill ins(%z : i32) outs(%r : memref<?xi32>)
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xi32>
      %y = memref.load %r[%c0] : memref<?xi32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %r[%i] : memref<?xi32>
    }
    scf.reduce
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?x?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  linalg.fill ins(%z : i32) outs(%r : memref<?xi32>)
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xi32>
      %y = memref.load %r[%c0] : memref<?xi32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %r[%c0] : memref<?xi32>
    }
    scf.reduce
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?x?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  linalg.fill ins(%z : i32) outs(%r : memref<?xi32>)
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xi32>
      %y = memref.load %r[%i] : memref<?xi32>
      %s = arith.addi %x, %x : i32
      memref.store %s, %r[%i] : memref<?xi32>
    }
    scf.reduce
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?x?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  linalg.fill ins(%z : i32) outs(%r : memref<?xi32>)
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.for %j = %c1 to %m step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xi32>
      %y = memref.load %r[%i] : memref<?xi32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %r[%i] : memref<?xi32>
    }
    scf.reduce
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?x?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xi32>
      %y = memref.load %r[%i] : memref<?xi32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %r[%i] : memref<?xi32>
    }
    scf.reduce
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?x?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 1 : i32
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  linalg.fill ins(%z : i32) outs(%r : memref<?xi32>)
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xi32>
      %y = memref.load %r[%i] : memref<?xi32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %r[%i] : memref<?xi32>
    }
    scf.reduce
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?x?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  linalg.fill ins(%z : i32) outs(%r : memref<?xi32>)
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) {
      %x = memref.load %a[%i, %j] : memref<?x?xi32>
      %y = memref.load %r[%i] : memref<?xi32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %r[%i] : memref<?xi32>
    scf.reduce
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?x?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  linalg.fill ins(%z : i32) outs(%r : memref<?xi32>)
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%i, %c0] : memref<?x?xi32>
      %y = memref.load %r[%i] : memref<?xi32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %r[%i] : memref<?xi32>
    }
    scf.reduce
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?x?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  linalg.fill ins(%z : i32) outs(%r : memref<?xi32>)
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.for %j = %c0 to %n step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xi32>
      %y = memref.load %r[%i] : memref<?xi32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %r[%i] : memref<?xi32>
    }
    scf.reduce
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?x?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  linalg.fill ins(%z : i32) outs(%r : memref<?xi32>)
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xi32>
      %y = memref.load %r[%i] : memref<?xi32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %r[%i] : memref<?xi32>
    }
    memref.store %z, %r[%c0] : memref<?xi32>
    scf.reduce
  }
  return %r : memref<?xi32>
}
// -----
// source: stores to a view of several dimensions
func.func @f(%a: tensor<?x4x6xi32>) -> tensor<?x24xi32> {
  %z = arith.constant 5 : i32
  %b = tensor.collapse_shape %a [[0], [1, 2]] : tensor<?x4x6xi32> into tensor<?x24xi32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %b, %c0 : tensor<?x24xi32>
  %d = tensor.splat %z[%n] : tensor<?x24xi32>
  %r = arith.subi %b, %d : tensor<?x24xi32>
  return %r : tensor<?x24xi32>
}
// -----
// proved
func.func @f(%a: memref<?x4x6xi32>) -> memref<?x24xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c24 = arith.constant 24 : index
  %z = arith.constant 5 : i32
  %n = memref.dim %a, %c0 : memref<?x4x6xi32>
  %t = memref.alloc(%n) : memref<?x4x6xi32>
  memref.copy %a, %t : memref<?x4x6xi32> to memref<?x4x6xi32>
  %r = memref.collapse_shape %t [[0], [1, 2]] : memref<?x4x6xi32> into memref<?x24xi32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c24 step %c1 {
      %x = memref.load %r[%i, %j] : memref<?x24xi32>
      %s = arith.subi %x, %z : i32
      memref.store %s, %r[%i, %j] : memref<?x24xi32>
    }
  }
  return %r : memref<?x24xi32>
}
// -----
// wrong
func.func @f(%a: memref<?x4x6xi32>) -> memref<?x24xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c24 = arith.constant 23 : index
  %z = arith.constant 5 : i32
  %n = memref.dim %a, %c0 : memref<?x4x6xi32>
  %t = memref.alloc(%n) : memref<?x4x6xi32>
  memref.copy %a, %t : memref<?x4x6xi32> to memref<?x4x6xi32>
  %r = memref.collapse_shape %t [[0], [1, 2]] : memref<?x4x6xi32> into memref<?x24xi32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c24 step %c1 {
      %x = memref.load %r[%i, %j] : memref<?x24xi32>
      %s = arith.subi %x, %z : i32
      memref.store %s, %r[%i, %j] : memref<?x24xi32>
    }
  }
  return %r : memref<?x24xi32>
}
// -----
// wrong
func.func @f(%a: memref<?x4x6xi32>) -> memref<?x24xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c24 = arith.constant 24 : index
  %z = arith.constant 5 : i32
  %n = memref.dim %a, %c0 : memref<?x4x6xi32>
  %t = memref.alloc(%n) : memref<?x4x6xi32>
  memref.copy %a, %t : memref<?x4x6xi32> to memref<?x4x6xi32>
  %r = memref.collapse_shape %t [[0], [1, 2]] : memref<?x4x6xi32> into memref<?x24xi32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c24 step %c1 {
      %x = memref.load %r[%i, %c0] : memref<?x24xi32>
      %s = arith.subi %x, %z : i32
      memref.store %s, %r[%i, %j] : memref<?x24xi32>
    }
  }
  return %r : memref<?x24xi32>
}
// -----
// wrong
func.func @f(%a: memref<?x4x6xi32>) -> memref<?x24xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c24 = arith.constant 24 : index
  %z = arith.constant 5 : i32
  %n = memref.dim %a, %c0 : memref<?x4x6xi32>
  %t = memref.alloc(%n) : memref<?x4x6xi32>
  memref.copy %a, %t : memref<?x4x6xi32> to memref<?x4x6xi32>
  %r = memref.collapse_shape %t [[0], [1, 2]] : memref<?x4x6xi32> into memref<?x24xi32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c24 step %c1 {
      %x = memref.load %r[%i, %j] : memref<?x24xi32>
      %s = arith.subi %x, %z : i32
      memref.store %s, %r[%i, %c0] : memref<?x24xi32>
    }
  }
  return %r : memref<?x24xi32>
}
// -----
// wrong
func.func @f(%a: memref<?x4x6xi32>) -> memref<?x24xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c24 = arith.constant 24 : index
  %z = arith.constant 5 : i32
  %n = memref.dim %a, %c0 : memref<?x4x6xi32>
  %t = memref.alloc(%n) : memref<?x4x6xi32>
  memref.copy %a, %t : memref<?x4x6xi32> to memref<?x4x6xi32>
  %r = memref.collapse_shape %t [[0], [1, 2]] : memref<?x4x6xi32> into memref<?x24xi32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c24 step %c1 {
      %x = memref.load %r[%i, %j] : memref<?x24xi32>
      %s = arith.subi %z, %x : i32
      memref.store %s, %r[%i, %j] : memref<?x24xi32>
    }
  }
  return %r : memref<?x24xi32>
}
// -----
// wrong
func.func @f(%a: memref<?x4x6xi32>) -> memref<?x24xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c24 = arith.constant 24 : index
  %z = arith.constant 5 : i32
  %n = memref.dim %a, %c0 : memref<?x4x6xi32>
  %t = memref.alloc(%n) : memref<?x4x6xi32>
  memref.copy %a, %t : memref<?x4x6xi32> to memref<?x4x6xi32>
  %r = memref.collapse_shape %t [[0], [1, 2]] : memref<?x4x6xi32> into memref<?x24xi32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c1 to %c24 step %c1 {
      %x = memref.load %r[%i, %j] : memref<?x24xi32>
      %s = arith.subi %x, %z : i32
      memref.store %s, %r[%i, %j] : memref<?x24xi32>
    }
  }
  return %r : memref<?x24xi32>
}
// -----
// wrong
func.func @f(%a: memref<?x4x6xi32>) -> memref<?x24xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c24 = arith.constant 24 : index
  %z = arith.constant 5 : i32
  %n = memref.dim %a, %c0 : memref<?x4x6xi32>
  %t = memref.alloc(%n) : memref<?x4x6xi32>
  memref.copy %a, %t : memref<?x4x6xi32> to memref<?x4x6xi32>
  %r = memref.collapse_shape %t [[0], [1, 2]] : memref<?x4x6xi32> into memref<?x24xi32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c24 step %c1 {
      %x = memref.load %r[%c0, %j] : memref<?x24xi32>
      %s = arith.subi %x, %z : i32
      memref.store %s, %r[%i, %j] : memref<?x24xi32>
    }
  }
  return %r : memref<?x24xi32>
}
// -----
// wrong
func.func @f(%a: memref<?x4x6xi32>) -> memref<?x24xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c24 = arith.constant 24 : index
  %z = arith.constant 4 : i32
  %n = memref.dim %a, %c0 : memref<?x4x6xi32>
  %t = memref.alloc(%n) : memref<?x4x6xi32>
  memref.copy %a, %t : memref<?x4x6xi32> to memref<?x4x6xi32>
  %r = memref.collapse_shape %t [[0], [1, 2]] : memref<?x4x6xi32> into memref<?x24xi32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c24 step %c1 {
      %x = memref.load %r[%i, %j] : memref<?x24xi32>
      %s = arith.subi %x, %z : i32
      memref.store %s, %r[%i, %j] : memref<?x24xi32>
    }
  }
  return %r : memref<?x24xi32>
}
// -----
// source: loads in a structured operation
func.func @f(%a: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xi32>
  %m = tensor.dim %a, %c1 : tensor<?x?xi32>
  %e = tensor.empty(%m, %n) : tensor<?x?xi32>
  %r = linalg.transpose ins(%a : tensor<?x?xi32>) outs(%e : tensor<?x?xi32>) permutation = [1, 0]
  return %r : tensor<?x?xi32>
}
// -----
// proved
#m = affine_map<(i, j) -> (i, j)>
func.func @f(%a: memref<?x?xi32>) -> memref<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  %r = memref.alloc(%m, %n) : memref<?x?xi32>
  linalg.generic {indexing_maps = [#m], iterator_types = ["parallel", "parallel"]} outs(%r : memref<?x?xi32>) {
  ^bb0(%y: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = memref.load %a[%j, %i] : memref<?x?xi32>
    linalg.yield %x : i32
  }
  return %r : memref<?x?xi32>
}
// -----
// wrong
#m = affine_map<(i, j) -> (i, j)>
func.func @f(%a: memref<?x?xi32>) -> memref<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  %r = memref.alloc(%m, %n) : memref<?x?xi32>
  linalg.generic {indexing_maps = [#m], iterator_types = ["parallel", "parallel"]} outs(%r : memref<?x?xi32>) {
  ^bb0(%y: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = memref.load %a[%i, %j] : memref<?x?xi32>
    linalg.yield %x : i32
  }
  return %r : memref<?x?xi32>
}
// -----
// wrong
#m = affine_map<(i, j) -> (i, j)>
func.func @f(%a: memref<?x?xi32>) -> memref<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  %r = memref.alloc(%m, %n) : memref<?x?xi32>
  linalg.generic {indexing_maps = [#m], iterator_types = ["parallel", "parallel"]} outs(%r : memref<?x?xi32>) {
  ^bb0(%y: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = memref.load %a[%j, %c0] : memref<?x?xi32>
    linalg.yield %x : i32
  }
  return %r : memref<?x?xi32>
}
// -----
// wrong
#m = affine_map<(i, j) -> (i, j)>
func.func @f(%a: memref<?x?xi32>) -> memref<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  %r = memref.alloc(%m, %n) : memref<?x?xi32>
  linalg.generic {indexing_maps = [#m], iterator_types = ["parallel", "parallel"]} outs(%r : memref<?x?xi32>) {
  ^bb0(%y: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = memref.load %r[%i, %j] : memref<?x?xi32>
    linalg.yield %x : i32
  }
  return %r : memref<?x?xi32>
}
// -----
// wrong
#m = affine_map<(i, j) -> (i, j)>
func.func @f(%a: memref<?x?xi32>) -> memref<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  %r = memref.alloc(%m, %n) : memref<?x?xi32>
  linalg.generic {indexing_maps = [#m], iterator_types = ["parallel", "parallel"]} outs(%r : memref<?x?xi32>) {
  ^bb0(%y: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = memref.load %a[%j, %i] : memref<?x?xi32>
    linalg.yield %y : i32
  }
  return %r : memref<?x?xi32>
}
// -----
// wrong
#m = affine_map<(i, j) -> (i, j)>
func.func @f(%a: memref<?x?xi32>) -> memref<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  %r = memref.alloc(%m, %n) : memref<?x?xi32>
  linalg.generic {indexing_maps = [#m], iterator_types = ["parallel", "parallel"]} outs(%r : memref<?x?xi32>) {
  ^bb0(%y: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = memref.load %a[%j, %i] : memref<?x?xi32>
    memref.store %y, %a[%j, %i] : memref<?x?xi32>
    linalg.yield %x : i32
  }
  return %r : memref<?x?xi32>
}
// -----
// wrong
#m = affine_map<(i, j) -> (i, j)>
func.func @f(%a: memref<?x?xi32>) -> memref<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  %r = memref.alloc(%m, %n) : memref<?x?xi32>
  linalg.generic {indexing_maps = [#m], iterator_types = ["parallel", "parallel"]} outs(%r : memref<?x?xi32>) {
  ^bb0(%y: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    memref.store %y, %a[%j, %i] : memref<?x?xi32>
    %x = memref.load %a[%j, %i] : memref<?x?xi32>
    linalg.yield %x : i32
  }
  return %r : memref<?x?xi32>
}
