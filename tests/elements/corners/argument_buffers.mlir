// source: a result in place of an argument
#m = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
func.func @f(%a: tensor<3x5xi32>, %b: tensor<5x3xi32>) -> tensor<5x3xi32> {
  %r = linalg.generic {indexing_maps = [#t, #m], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<3x5xi32>) outs(%b : tensor<5x3xi32>) {
  ^bb0(%x: i32, %y: i32):
    %s = arith.subi %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<5x3xi32>
  return %r : tensor<5x3xi32>
}
// -----
// proved
func.func @f(%a: memref<3x5xi32>, %b: memref<5x3xi32>) -> memref<5x3xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 5 : index
  %m = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%j, %i] : memref<3x5xi32>
      %y = memref.load %b[%i, %j] : memref<5x3xi32>
      %s = arith.subi %x, %y : i32
      memref.store %s, %b[%i, %j] : memref<5x3xi32>
    }
  }
  return %b : memref<5x3xi32>
}
// -----
// wrong
func.func @f(%a: memref<3x5xi32>, %b: memref<5x3xi32>) -> memref<5x3xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 5 : index
  %m = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %b[%i, %j] : memref<5x3xi32>
      %y = memref.load %b[%i, %j] : memref<5x3xi32>
      %s = arith.subi %x, %y : i32
      memref.store %s, %b[%i, %j] : memref<5x3xi32>
    }
  }
  return %b : memref<5x3xi32>
}
// -----
// wrong
func.func @f(%a: memref<3x5xi32>, %b: memref<5x3xi32>) -> memref<5x3xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 5 : index
  %m = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%j, %i] : memref<3x5xi32>
      %y = memref.load %b[%i, %j] : memref<5x3xi32>
      %s = arith.subi %y, %x : i32
      memref.store %s, %b[%i, %j] : memref<5x3xi32>
    }
  }
  return %b : memref<5x3xi32>
}
// -----
// wrong
func.func @f(%a: memref<3x5xi32>, %b: memref<5x3xi32>) -> memref<5x3xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 5 : index
  %m = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%j, %i] : memref<3x5xi32>
      %y = memref.load %b[%i, %j] : memref<5x3xi32>
      %s = arith.subi %x, %y : i32
      memref.store %s, %b[%i, %c0] : memref<5x3xi32>
    }
  }
  return %b : memref<5x3xi32>
}
// -----
// wrong
func.func @f(%a: memref<3x5xi32>, %b: memref<5x3xi32>) -> memref<5x3xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 5 : index
  %m = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%j, %i] : memref<3x5xi32>
      %y = memref.load %b[%c0, %j] : memref<5x3xi32>
      %s = arith.subi %x, %y : i32
      memref.store %s, %b[%i, %j] : memref<5x3xi32>
    }
  }
  return %b : memref<5x3xi32>
}
// -----
// wrong
func.func @f(%a: memref<3x5xi32>, %b: memref<5x3xi32>) -> memref<5x3xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 5 : index
  %m = arith.constant 3 : index
  scf.for %i = %c1 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%j, %i] : memref<3x5xi32>
      %y = memref.load %b[%i, %j] : memref<5x3xi32>
      %s = arith.subi %x, %y : i32
      memref.store %s, %b[%i, %j] : memref<5x3xi32>
    }
  }
  return %b : memref<5x3xi32>
}
// -----
// proved
func.func @f(%a: memref<3x5xi32>, %b: memref<5x3xi32>) -> memref<5x3xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 5 : index
  %m = arith.constant 3 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) {
      %x = memref.load %a[%j, %i] : memref<3x5xi32>
      %y = memref.load %b[%i, %j] : memref<5x3xi32>
      %s = arith.subi %x, %y : i32
      memref.store %s, %b[%i, %j] : memref<5x3xi32>
      scf.reduce
  }
  return %b : memref<5x3xi32>
}
// -----
// wrong
func.func @f(%a: memref<3x5xi32>, %b: memref<5x3xi32>) -> memref<5x3xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 5 : index
  %m = arith.constant 3 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) {
      %x = memref.load %a[%j, %i] : memref<3x5xi32>
      %y = memref.load %b[%i, %c0] : memref<5x3xi32>
      %s = arith.subi %x, %y : i32
      memref.store %s, %b[%i, %j] : memref<5x3xi32>
      scf.reduce
  }
  return %b : memref<5x3xi32>
}
// -----
// wrong
func.func @f(%a: memref<3x5xi32>, %b: memref<5x3xi32>) -> memref<5x3xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 5 : index
  %m = arith.constant 3 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) {
      %x = memref.load %a[%j, %c1] : memref<3x5xi32>
      %y = memref.load %b[%i, %j] : memref<5x3xi32>
      %s = arith.subi %x, %y : i32
      memref.store %s, %b[%i, %j] : memref<5x3xi32>
      scf.reduce
  }
  return %b : memref<5x3xi32>
}
// -----
// wrong
func.func @f(%a: memref<3x5xi32>, %b: memref<5x3xi32>) -> memref<5x3xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 5 : index
  %m = arith.constant 3 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) {
      %x = memref.load %a[%j, %i] : memref<3x5xi32>
      %y = memref.load %b[%i, %j] : memref<5x3xi32>
      %s = arith.subi %x, %y : i32
      memref.store %s, %b[%i, %c0] : memref<5x3xi32>
      scf.reduce
  }
  return %b : memref<5x3xi32>
}
// -----
// source: an argument and a changed copy
func.func @f(%a: tensor<?xi32>, %x: i32, %k: index) -> (tensor<?xi32>, tensor<?xi32>) {
  %r = tensor.insert %x into %a[%k] : tensor<?xi32>
  return %r, %a : tensor<?xi32>, tensor<?xi32>
}
// -----
// proved
func.func @f(%a: memref<?xi32>, %x: i32, %k: index) -> (memref<?xi32>, memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  memref.copy %a, %r : memref<?xi32> to memref<?xi32>
  memref.store %x, %r[%k] : memref<?xi32>
  return %r, %a : memref<?xi32>, memref<?xi32>
}
// -----
// proved
func.func @f(%a: memref<?xi32>, %x: i32, %k: index) -> (memref<?xi32>, memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  memref.copy %a, %r : memref<?xi32> to memref<?xi32>
  memref.store %x, %a[%k] : memref<?xi32>
  return %a, %r : memref<?xi32>, memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?xi32>, %x: i32, %k: index) -> (memref<?xi32>, memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  memref.copy %a, %r : memref<?xi32> to memref<?xi32>
  memref.store %x, %a[%k] : memref<?xi32>
  return %r, %a : memref<?xi32>, memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?xi32>, %x: i32, %k: index) -> (memref<?xi32>, memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  memref.copy %a, %r : memref<?xi32> to memref<?xi32>
  memref.store %x, %r[%k] : memref<?xi32>
  return %a, %r : memref<?xi32>, memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?xi32>, %x: i32, %k: index) -> (memref<?xi32>, memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  memref.copy %a, %r : memref<?xi32> to memref<?xi32>
  memref.store %x, %r[%k] : memref<?xi32>
  return %r, %r : memref<?xi32>, memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?xi32>, %x: i32, %k: index) -> (memref<?xi32>, memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  memref.copy %a, %r : memref<?xi32> to memref<?xi32>
  memref.store %x, %r[%k] : memref<?xi32>
  return %a, %a : memref<?xi32>, memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?xi32>, %x: i32, %k: index) -> (memref<?xi32>, memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  memref.store %x, %r[%k] : memref<?xi32>
  return %r, %a : memref<?xi32>, memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?xi32>, %x: i32, %k: index) -> (memref<?xi32>, memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  memref.store %x, %r[%k] : memref<?xi32>
  memref.copy %a, %r : memref<?xi32> to memref<?xi32>
  return %r, %a : memref<?xi32>, memref<?xi32>
}
