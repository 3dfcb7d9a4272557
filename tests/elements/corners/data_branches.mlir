// source: a branch on integers
func.func @f(%a: i32, %b: i32) -> i32 {
  %q = arith.cmpi slt, %a, %b : i32
  %w = scf.if %q -> i32 {
    %t = arith.subi %b, %a : i32
    scf.yield %t : i32
  } else {
    %t = arith.muli %b, %a : i32
    scf.yield %t : i32
  }
  return %w : i32
}
// -----
// proved
func.func @f(%a: i32, %b: i32) -> i32 {
  %q = arith.cmpi slt, %a, %b : i32
  %x = arith.subi %b, %a : i32
  %y = arith.muli %b, %a : i32
  %w = arith.select %q, %x, %y : i32
  return %w : i32
}
// -----
// proved
func.func @f(%a: i32, %b: i32) -> i32 {
  %q = arith.cmpi sgt, %b, %a : i32
  %x = arith.subi %b, %a : i32
  %y = arith.muli %b, %a : i32
  %w = arith.select %q, %x, %y : i32
  return %w : i32
}
// -----
// wrong
func.func @f(%a: i32, %b: i32) -> i32 {
  %q = arith.cmpi sle, %a, %b : i32
  %x = arith.subi %b, %a : i32
  %y = arith.muli %b, %a : i32
  %w = arith.select %q, %x, %y : i32
  return %w : i32
}
// -----
// wrong
func.func @f(%a: i32, %b: i32) -> i32 {
  %q = arith.cmpi slt, %b, %a : i32
  %x = arith.subi %b, %a : i32
  %y = arith.muli %b, %a : i32
  %w = arith.select %q, %x, %y : i32
  return %w : i32
}
// -----
// wrong
func.func @f(%a: i32, %b: i32) -> i32 {
  %q = arith.cmpi slt, %a, %b : i32
  %x = arith.subi %b, %a : i32
  %y = arith.muli %b, %a : i32
  %w = arith.select %q, %y, %x : i32
  return %w : i32
}
// -----
// wrong
func.func @f(%a: i32, %b: i32) -> i32 {
  %q = arith.cmpi slt, %a, %b : i32
  %x = arith.subi %a, %b : i32
  %y = arith.muli %b, %a : i32
  %w = arith.select %q, %x, %y : i32
  return %w : i32
}
// -----
// wrong
func.func @f(%a: i32, %b: i32) -> i32 {
  %q = arith.cmpi ult, %a, %b : i32
  %x = arith.subi %b, %a : i32
  %y = arith.muli %b, %a : i32
  %w = arith.select %q, %x, %y : i32
  return %w : i32
}
// -----
// wrong
func.func @f(%a: i32, %b: i32) -> i32 {
  %q = arith.cmpi slt, %a, %b : i32
  %x = arith.subi %b, %a : i32
  %y = arith.muli %b, %a : i32
  %w = arith.select %q, %x, %x : i32
  return %w : i32
}
// -----
// wrong
func.func @f(%a: i32, %b: i32) -> i32 {
  %q = arith.cmpi slt, %a, %b : i32
  %w = scf.if %q -> i32 {
    %t = arith.subi %b, %a : i32
    scf.yield %a : i32
  } else {
    %t = arith.muli %b, %a : i32
    scf.yield %t : i32
  }
  return %w : i32
}
// -----
// wrong
func.func @f(%a: i32, %b: i32) -> i32 {
  %q = arith.cmpi slt, %a, %b : i32
  %w = scf.if %q -> i32 {
    %t = arith.subi %b, %a : i32
    scf.yield %t : i32
  } else {
    %t = arith.addi %b, %a : i32
    scf.yield %t : i32
  }
  return %w : i32
}
// -----
// proved
func.func @f(%a: i32, %b: i32) -> i32 {
  %q = arith.cmpi slt, %a, %b : i32
  %w = scf.if %q -> i32 {
    %t = arith.subi %b, %a : i32
    scf.yield %t : i32
  } else {
    %t = arith.muli %a, %b : i32
    scf.yield %t : i32
  }
  return %w : i32
}
// -----
// source: a branch in each iteration
func.func @f(%a: tensor<?xi32>, %o: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 7 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %m = tensor.dim %o, %c0 : tensor<?xi32>
  %e = arith.cmpi eq, %n, %m : index
  cf.assert %e, "same"
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %o) -> (tensor<?xi32>) {
    %v = tensor.extract %a[%i] : tensor<?xi32>
    %x = tensor.extract %s[%i] : tensor<?xi32>
    %q = arith.cmpi slt, %v, %x : i32
    %w = scf.if %q -> i32 {
      %t = arith.addi %k, %v : i32
      scf.yield %t : i32
    } else {
      %t = arith.subi %x, %v : i32
      scf.yield %t : i32
    }
    %t = tensor.insert %w into %s[%i] : tensor<?xi32>
    scf.yield %t : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}
// -----
// proved
#m = affine_map<(i) -> (i)>
func.func @f(%a: tensor<?xi32>, %o: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %k = arith.constant 7 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %m = tensor.dim %o, %c0 : tensor<?xi32>
  %e = arith.cmpi eq, %n, %m : index
  cf.assert %e, "same"
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%a : tensor<?xi32>) outs(%o : tensor<?xi32>) {
  ^bb0(%v: i32, %x: i32):
    %q = arith.cmpi slt, %v, %x : i32
    %t = arith.addi %k, %v : i32
    %u = arith.subi %x, %v : i32
    %w = arith.select %q, %t, %u : i32
    linalg.yield %w : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}
// -----
// wrong
#m = affine_map<(i) -> (i)>
func.func @f(%a: tensor<?xi32>, %o: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %k = arith.constant 7 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %m = tensor.dim %o, %c0 : tensor<?xi32>
  %e = arith.cmpi eq, %n, %m : index
  cf.assert %e, "same"
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%a : tensor<?xi32>) outs(%o : tensor<?xi32>) {
  ^bb0(%v: i32, %x: i32):
    %q = arith.cmpi slt, %x, %v : i32
    %t = arith.addi %k, %v : i32
    %u = arith.subi %x, %v : i32
    %w = arith.select %q, %t, %u : i32
    linalg.yield %w : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}
// -----
// wrong
#m = affine_map<(i) -> (i)>
func.func @f(%a: tensor<?xi32>, %o: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %k = arith.constant 7 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %m = tensor.dim %o, %c0 : tensor<?xi32>
  %e = arith.cmpi eq, %n, %m : index
  cf.assert %e, "same"
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%a : tensor<?xi32>) outs(%o : tensor<?xi32>) {
  ^bb0(%v: i32, %x: i32):
    %q = arith.cmpi slt, %v, %x : i32
    %t = arith.addi %k, %v : i32
    %u = arith.subi %x, %v : i32
    %w = arith.select %q, %u, %t : i32
    linalg.yield %w : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}
// -----
// wrong
#m = affine_map<(i) -> (i)>
func.func @f(%a: tensor<?xi32>, %o: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %k = arith.constant 7 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %m = tensor.dim %o, %c0 : tensor<?xi32>
  %e = arith.cmpi eq, %n, %m : index
  cf.assert %e, "same"
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%a : tensor<?xi32>) outs(%o : tensor<?xi32>) {
  ^bb0(%v: i32, %x: i32):
    %q = arith.cmpi slt, %v, %x : i32
    %t = arith.addi %k, %v : i32
    %u = arith.subi %v, %x : i32
    %w = arith.select %q, %t, %u : i32
    linalg.yield %w : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}
// -----
// wrong
#m = affine_map<(i) -> (i)>
func.func @f(%a: tensor<?xi32>, %o: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %k = arith.constant 6 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %m = tensor.dim %o, %c0 : tensor<?xi32>
  %e = arith.cmpi eq, %n, %m : index
  cf.assert %e, "same"
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%a : tensor<?xi32>) outs(%o : tensor<?xi32>) {
  ^bb0(%v: i32, %x: i32):
    %q = arith.cmpi slt, %v, %x : i32
    %t = arith.addi %k, %v : i32
    %u = arith.subi %x, %v : i32
    %w = arith.select %q, %t, %u : i32
    linalg.yield %w : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}
// -----
// wrong
#m = affine_map<(i) -> (i)>
func.func @f(%a: tensor<?xi32>, %o: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %k = arith.constant 7 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %m = tensor.dim %o, %c0 : tensor<?xi32>
  %e = arith.cmpi eq, %n, %m : index
  cf.assert %e, "same"
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%a : tensor<?xi32>) outs(%o : tensor<?xi32>) {
  ^bb0(%v: i32, %x: i32):
    %q = arith.cmpi slt, %v, %x : i32
    %t = arith.addi %k, %v : i32
    %u = arith.subi %x, %v : i32
    %w = arith.select %q, %t, %u : i32
    linalg.yield %t : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}
// -----
// wrong
func.func @f(%a: tensor<?xi32>, %o: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 7 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %m = tensor.dim %o, %c0 : tensor<?xi32>
  %e = arith.cmpi eq, %n, %m : index
  cf.assert %e, "same"
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%s = %o) -> (tensor<?xi32>) {
    %v = tensor.extract %a[%i] : tensor<?xi32>
    %x = tensor.extract %s[%i] : tensor<?xi32>
    %q = arith.cmpi slt, %v, %x : i32
    %w = scf.if %q -> i32 {
      %t = arith.addi %k, %v : i32
      scf.yield %t : i32
    } else {
      %t = arith.subi %x, %v : i32
      scf.yield %t : i32
    }
    %t = tensor.insert %w into %s[%i] : tensor<?xi32>
    scf.yield %t : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}
// -----
// wrong
func.func @f(%a: tensor<?xi32>, %o: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 7 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %m = tensor.dim %o, %c0 : tensor<?xi32>
  %e = arith.cmpi eq, %n, %m : index
  cf.assert %e, "same"
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %o) -> (tensor<?xi32>) {
    %v = tensor.extract %a[%i] : tensor<?xi32>
    %x = tensor.extract %s[%i] : tensor<?xi32>
    %q = arith.cmpi slt, %v, %x : i32
    %w = scf.if %q -> i32 {
      %t = arith.addi %k, %v : i32
      scf.yield %t : i32
    } else {
      %t = arith.subi %x, %v : i32
      scf.yield %t : i32
    }
    %t = tensor.insert %w into %o[%i] : tensor<?xi32>
    scf.yield %t : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}
// -----
// proved
func.func @f(%a: tensor<?xi32>, %o: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 7 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %m = tensor.dim %o, %c0 : tensor<?xi32>
  %e = arith.cmpi eq, %n, %m : index
  cf.assert %e, "same"
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %o) -> (tensor<?xi32>) {
    %v = tensor.extract %a[%i] : tensor<?xi32>
    %x = tensor.extract %o[%i] : tensor<?xi32>
    %q = arith.cmpi slt, %v, %x : i32
    %w = scf.if %q -> i32 {
      %t = arith.addi %k, %v : i32
      scf.yield %t : i32
    } else {
      %t = arith.subi %x, %v : i32
      scf.yield %t : i32
    }
    %t = tensor.insert %w into %s[%i] : tensor<?xi32>
    scf.yield %t : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}
// -----
// wrong
func.func @f(%a: tensor<?xi32>, %o: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 7 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %m = tensor.dim %o, %c0 : tensor<?xi32>
  %e = arith.cmpi eq, %n, %m : index
  cf.assert %e, "same"
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %o) -> (tensor<?xi32>) {
    %v = tensor.extract %a[%c0] : tensor<?xi32>
    %x = tensor.extract %s[%i] : tensor<?xi32>
    %q = arith.cmpi slt, %v, %x : i32
    %w = scf.if %q -> i32 {
      %t = arith.addi %k, %v : i32
      scf.yield %t : i32
    } else {
      %t = arith.subi %x, %v : i32
      scf.yield %t : i32
    }
    %t = tensor.insert %w into %s[%i] : tensor<?xi32>
    scf.yield %t : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}
// -----
// wrong
func.func @f(%a: tensor<?xi32>, %o: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 7 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %m = tensor.dim %o, %c0 : tensor<?xi32>
  %e = arith.cmpi eq, %n, %m : index
  cf.assert %e, "same"
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %o) -> (tensor<?xi32>) {
    %v = tensor.extract %a[%i] : tensor<?xi32>
    %x = tensor.extract %s[%c0] : tensor<?xi32>
    %q = arith.cmpi slt, %v, %x : i32
    %w = scf.if %q -> i32 {
      %t = arith.addi %k, %v : i32
      scf.yield %t : i32
    } else {
      %t = arith.subi %x, %v : i32
      scf.yield %t : i32
    }
    %t = tensor.insert %w into %s[%i] : tensor<?xi32>
    scf.yield %t : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}
// -----
// wrong
func.func @f(%a: tensor<?xi32>, %o: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 7 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %m = tensor.dim %o, %c0 : tensor<?xi32>
  %e = arith.cmpi eq, %n, %m : index
  cf.assert %e, "same"
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %o) -> (tensor<?xi32>) {
    %v = tensor.extract %a[%i] : tensor<?xi32>
    %x = tensor.extract %s[%i] : tensor<?xi32>
    %q = arith.cmpi slt, %v, %k : i32
    %w = scf.if %q -> i32 {
      %t = arith.addi %k, %v : i32
      scf.yield %t : i32
    } else {
      %t = arith.subi %x, %v : i32
      scf.yield %t : i32
    }
    %t = tensor.insert %w into %s[%i] : tensor<?xi32>
    scf.yield %t : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}
// -----
// source: stores in branches
func.func @f(%a: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %k = arith.constant 2 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %v = tensor.extract %a[%i] : tensor<?xi32>
    %q = arith.cmpi slt, %v, %k : i32
    %w = arith.select %q, %v, %k : i32
    tensor.yield %w : i32
  } : tensor<?xi32>
  return %r : tensor<?xi32>
}
// -----
// proved
func.func @f(%a: memref<?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 2 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%i] : memref<?xi32>
    %q = arith.cmpi slt, %v, %k : i32
    scf.if %q {
      memref.store %v, %r[%i] : memref<?xi32>
    } else {
      memref.store %k, %r[%i] : memref<?xi32>
    }
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 2 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%i] : memref<?xi32>
    %q = arith.cmpi slt, %v, %k : i32
    scf.if %q {
      memref.store %v, %r[%i] : memref<?xi32>
    } else {
    }
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 2 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%i] : memref<?xi32>
    %q = arith.cmpi slt, %v, %k : i32
    scf.if %q {
    } else {
      memref.store %k, %r[%i] : memref<?xi32>
    }
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 2 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%i] : memref<?xi32>
    %q = arith.cmpi slt, %v, %k : i32
    scf.if %q {
      memref.store %v, %r[%c0] : memref<?xi32>
    } else {
      memref.store %k, %r[%i] : memref<?xi32>
    }
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 2 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%i] : memref<?xi32>
    %q = arith.cmpi slt, %k, %v : i32
    scf.if %q {
      memref.store %v, %r[%i] : memref<?xi32>
    } else {
      memref.store %k, %r[%i] : memref<?xi32>
    }
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 2 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%i] : memref<?xi32>
    %q = arith.cmpi slt, %v, %k : i32
    scf.if %q {
      memref.store %v, %r[%i] : memref<?xi32>
    } else {
      memref.store %v, %r[%i] : memref<?xi32>
    }
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 2 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%c0] : memref<?xi32>
    %q = arith.cmpi slt, %v, %k : i32
    scf.if %q {
      memref.store %v, %r[%i] : memref<?xi32>
    } else {
      memref.store %k, %r[%i] : memref<?xi32>
    }
  }
  return %r : memref<?xi32>
}
// -----
// open
func.func @f(%a: memref<?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 2 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%i] : memref<?xi32>
    %q = arith.cmpi sle, %v, %k : i32
    scf.if %q {
      memref.store %v, %r[%i] : memref<?xi32>
    } else {
      memref.store %k, %r[%i] : memref<?xi32>
    }
  }
  return %r : memref<?xi32>
}
// -----
// proved
func.func @f(%a: memref<?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 2 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  linalg.fill ins(%k : i32) outs(%r : memref<?xi32>)
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%i] : memref<?xi32>
    %q = arith.cmpi slt, %v, %k : i32
    scf.if %q {
      memref.store %v, %r[%i] : memref<?xi32>
    }
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 2 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%c0] : memref<?xi32>
    %q = arith.cmpi slt, %v, %k : i32
    memref.store %k, %a[%i] : memref<?xi32>
    scf.if %q {
      memref.store %v, %r[%i] : memref<?xi32>
    } else {
      memref.store %k, %r[%i] : memref<?xi32>
    }
  }
  return %r : memref<?xi32>
}
// -----
// source: stores in branches of parallel iterations
func.func @f(%a: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %k = arith.constant 2 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %v = tensor.extract %a[%i] : tensor<?xi32>
    %q = arith.cmpi slt, %v, %k : i32
    %w = arith.select %q, %v, %k : i32
    tensor.yield %w : i32
  } : tensor<?xi32>
  return %r : tensor<?xi32>
}
// -----
// proved
func.func @f(%a: memref<?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 2 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = memref.load %a[%i] : memref<?xi32>
    %q = arith.cmpi slt, %v, %k : i32
    scf.if %q {
      memref.store %v, %r[%i] : memref<?xi32>
    } else {
      memref.store %k, %r[%i] : memref<?xi32>
    }
    scf.reduce
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 2 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = memref.load %a[%i] : memref<?xi32>
    %q = arith.cmpi slt, %v, %k : i32
    scf.if %q {
      memref.store %v, %r[%c0] : memref<?xi32>
    } else {
      memref.store %k, %r[%i] : memref<?xi32>
    }
    scf.reduce
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 2 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = memref.load %a[%i] : memref<?xi32>
    %q = arith.cmpi slt, %v, %k : i32
    scf.if %q {
      memref.store %v, %r[%i] : memref<?xi32>
    } else {
      memref.store %k, %r[%c0] : memref<?xi32>
    }
    scf.reduce
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 2 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = memref.load %a[%i] : memref<?xi32>
    %q = arith.cmpi sgt, %v, %k : i32
    scf.if %q {
      memref.store %v, %r[%i] : memref<?xi32>
    } else {
      memref.store %k, %r[%i] : memref<?xi32>
    }
    scf.reduce
  }
  return %r : memref<?xi32>
}
// -----
// wrong
func.func @f(%a: memref<?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 2 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = memref.alloc(%n) : memref<?xi32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = memref.load %a[%i] : memref<?xi32>
    %j = arith.subi %n, %c1 : index
    %h = arith.subi %j, %i : index
    %q = arith.cmpi slt, %v, %k : i32
    scf.if %q {
      memref.store %v, %r[%h] : memref<?xi32>
    } else {
      memref.store %k, %r[%i] : memref<?xi32>
    }
    scf.reduce
  }
  return %r : memref<?xi32>
}
// -----
// source: tensors of branches
func.func @f(%a: tensor<4xi32>, %b: tensor<4xi32>, %x: i32) -> tensor<4xi32> {
  %z = arith.constant 3 : i32
  %q = arith.cmpi sgt, %x, %z : i32
  %r = scf.if %q -> tensor<4xi32> {
    scf.yield %a : tensor<4xi32>
  } else {
    %t = arith.subi %b, %a : tensor<4xi32>
    scf.yield %t : tensor<4xi32>
  }
  return %r : tensor<4xi32>
}
// -----
// proved
func.func @f(%a: tensor<4xi32>, %b: tensor<4xi32>, %x: i32) -> tensor<4xi32> {
  %z = arith.constant 3 : i32
  %q = arith.cmpi sgt, %x, %z : i32
  %t = arith.subi %b, %a : tensor<4xi32>
  %r = arith.select %q, %a, %t : tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
// wrong
func.func @f(%a: tensor<4xi32>, %b: tensor<4xi32>, %x: i32) -> tensor<4xi32> {
  %z = arith.constant 3 : i32
  %q = arith.cmpi sgt, %x, %z : i32
  %t = arith.subi %b, %a : tensor<4xi32>
  %r = arith.select %q, %t, %a : tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
// wrong
func.func @f(%a: tensor<4xi32>, %b: tensor<4xi32>, %x: i32) -> tensor<4xi32> {
  %z = arith.constant 3 : i32
  %q = arith.cmpi sgt, %x, %z : i32
  %t = arith.subi %b, %a : tensor<4xi32>
  %r = arith.select %q, %b, %t : tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
// wrong
func.func @f(%a: tensor<4xi32>, %b: tensor<4xi32>, %x: i32) -> tensor<4xi32> {
  %z = arith.constant 3 : i32
  %q = arith.cmpi sge, %x, %z : i32
  %t = arith.subi %b, %a : tensor<4xi32>
  %r = arith.select %q, %a, %t : tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
// wrong
func.func @f(%a: tensor<4xi32>, %b: tensor<4xi32>, %x: i32) -> tensor<4xi32> {
  %z = arith.constant 2 : i32
  %q = arith.cmpi sgt, %x, %z : i32
  %t = arith.subi %b, %a : tensor<4xi32>
  %r = arith.select %q, %a, %t : tensor<4xi32>
  return %r : tensor<4xi32>
}
