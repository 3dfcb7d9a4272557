// source: outparam
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = arith.addf %a, %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: memref<4xf32>, %r: memref<4xf32>) -> () {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %a[%i] : memref<4xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %r[%i] : memref<4xf32>
  }
  return
}
// -----
// wrong
func.func @f(%a: memref<4xf32>, %r: memref<4xf32>) -> () {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %a[%i] : memref<4xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %r[%i] : memref<4xf32>
    memref.store %y, %a[%i] : memref<4xf32>
  }
  return
}
// -----
// wrong
func.func @f(%a: memref<4xf32>, %r: memref<4xf32>) -> () {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %a[%i] : memref<4xf32>
    %y = arith.addf %x, %x : f32
    %q = arith.subi %c3, %i : index
    memref.store %y, %r[%q] : memref<4xf32>
  }
  return
}
// -----
// wrong
func.func @f(%a: memref<4xf32>, %r: memref<4xf32>) -> () {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %a[%i] : memref<4xf32>
    memref.store %x, %r[%i] : memref<4xf32>
    %u = memref.load %r[%c0] : memref<4xf32>
    %y = arith.addf %x, %u : f32
    memref.store %y, %r[%i] : memref<4xf32>
  }
  return
}
// -----
// proved
func.func @f(%a: memref<4xf32>, %r: memref<4xf32>) -> () {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %a[%i] : memref<4xf32>
    memref.store %x, %r[%i] : memref<4xf32>
    %u = memref.load %r[%i] : memref<4xf32>
    %y = arith.addf %x, %u : f32
    memref.store %y, %r[%i] : memref<4xf32>
  }
  return
}
// -----
// source: overlap
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %s = tensor.extract_slice %a[0] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %r = tensor.insert_slice %s into %a[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: memref<4xf32>) -> memref<4xf32> {
  %r = memref.alloc() : memref<4xf32>
  memref.copy %a, %r : memref<4xf32> to memref<4xf32>
  %s = memref.subview %a[0] [3] [1] : memref<4xf32> to memref<3xf32, strided<[1]>>
  %d = memref.subview %r[1] [3] [1] : memref<4xf32> to memref<3xf32, strided<[1], offset: 1>>
  memref.copy %s, %d : memref<3xf32, strided<[1]>> to memref<3xf32, strided<[1], offset: 1>>
  return %r : memref<4xf32>
}
// -----
// wrong
func.func @f(%a: memref<4xf32>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = memref.alloc() : memref<4xf32>
  memref.copy %a, %r : memref<4xf32> to memref<4xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %x = memref.load %r[%i] : memref<4xf32>
    %j = arith.addi %i, %c1 : index
    memref.store %x, %r[%j] : memref<4xf32>
  }
  return %r : memref<4xf32>
}
// -----
// open
func.func @f(%a: memref<4xf32>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r = memref.alloc() : memref<4xf32>
  memref.copy %a, %r : memref<4xf32> to memref<4xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %q = arith.subi %c2, %i : index
    %x = memref.load %r[%q] : memref<4xf32>
    %j = arith.addi %q, %c1 : index
    memref.store %x, %r[%j] : memref<4xf32>
  }
  return %r : memref<4xf32>
}
// -----
// wrong
func.func @f(%a: memref<4xf32>) -> memref<4xf32> {
  %r = memref.alloc() : memref<4xf32>
  memref.copy %a, %r : memref<4xf32> to memref<4xf32>
  %s = memref.subview %r[0] [3] [1] : memref<4xf32> to memref<3xf32, strided<[1]>>
  %d = memref.subview %r[1] [3] [1] : memref<4xf32> to memref<3xf32, strided<[1], offset: 1>>
  linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%s : memref<3xf32, strided<[1]>>) outs(%d : memref<3xf32, strided<[1], offset: 1>>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  return %r : memref<4xf32>
}
// -----
// source: returned alias
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: memref<4xf32>) -> memref<4xf32> {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  memref.store %z, %a[%c1] : memref<4xf32>
  return %a : memref<4xf32>
}
// -----
// source: returned alias 2
func.func @f(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = tensor.insert %z into %a[%c1] : tensor<4xf32>
  return %a, %r : tensor<4xf32>, tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = memref.alloc() : memref<4xf32>
  memref.copy %a, %r : memref<4xf32> to memref<4xf32>
  memref.store %z, %r[%c1] : memref<4xf32>
  return %r, %r : memref<4xf32>, memref<4xf32>
}
// -----
// source: tensor in place
func.func @f(%a: tensor<4xf32>) -> (f32, tensor<4xf32>) {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %x = tensor.extract %a[%c1] : tensor<4xf32>
  %r = tensor.insert %z into %a[%c1] : tensor<4xf32>
  return %x, %r : f32, tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>) -> (f32, tensor<4xf32>) {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = tensor.insert %z into %a[%c1] : tensor<4xf32>
  %x = tensor.extract %r[%c1] : tensor<4xf32>
  return %x, %r : f32, tensor<4xf32>
}
// -----
// source: in place
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %r = arith.negf %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %p: i1) -> memref<4xf32> {
  %r = memref.alloc() : memref<4xf32>
  memref.copy %a, %r : memref<4xf32> to memref<4xf32>
  linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%r : memref<4xf32>) outs(%r : memref<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.negf %x : f32
    linalg.yield %y : f32
  }
  return %r : memref<4xf32>
}
// -----
// wrong
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %p: i1) -> memref<4xf32> {
  %r = memref.alloc() : memref<4xf32>
  memref.copy %a, %r : memref<4xf32> to memref<4xf32>
  linalg.generic {indexing_maps=[affine_map<(i)->(-i + 3)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%r : memref<4xf32>) outs(%r : memref<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.negf %x : f32
    linalg.yield %y : f32
  }
  return %r : memref<4xf32>
}
// -----
// wrong
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %p: i1) -> memref<4xf32> {
  %r = memref.alloc() : memref<4xf32>
  memref.copy %a, %r : memref<4xf32> to memref<4xf32>
  %s = memref.subview %r[0] [3] [1] : memref<4xf32> to memref<3xf32, strided<[1]>>
  %d = memref.subview %r[1] [3] [1] : memref<4xf32> to memref<3xf32, strided<[1], offset: 1>>
  linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%s : memref<3xf32, strided<[1]>>) outs(%d : memref<3xf32, strided<[1], offset: 1>>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.negf %x : f32
    linalg.yield %y : f32
  }
  return %r : memref<4xf32>
}
// -----
// source: in place three
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %x = arith.addf %a, %a : tensor<4xf32>
  %r = arith.mulf %x, %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %p: i1) -> memref<4xf32> {
  %r = memref.alloc() : memref<4xf32>
  memref.copy %a, %r : memref<4xf32> to memref<4xf32>
  linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%r, %r : memref<4xf32>, memref<4xf32>) outs(%r : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %t = arith.mulf %s, %o : f32
    linalg.yield %t : f32
  }
  return %r : memref<4xf32>
}
// -----
// wrong
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %p: i1) -> memref<4xf32> {
  %r = memref.alloc() : memref<4xf32>
  memref.copy %a, %r : memref<4xf32> to memref<4xf32>
  linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%r, %r : memref<4xf32>, memref<4xf32>) outs(%r : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %t = arith.mulf %s, %s : f32
    linalg.yield %t : f32
  }
  return %r : memref<4xf32>
}
// -----
// source: transpose in place
func.func @f(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %e = tensor.empty() : tensor<2x2xf32>
  %r = linalg.transpose ins(%a : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) permutation = [1, 0]
  return %r : tensor<2x2xf32>
}
// -----
// wrong
func.func @f(%a: memref<2x2xf32>) -> memref<2x2xf32> {
  %r = memref.alloc() : memref<2x2xf32>
  memref.copy %a, %r : memref<2x2xf32> to memref<2x2xf32>
  linalg.generic {indexing_maps=[affine_map<(i,j)->(j,i)>,affine_map<(i,j)->(i,j)>], iterator_types=["parallel","parallel"]} ins(%r : memref<2x2xf32>) outs(%r : memref<2x2xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  return %r : memref<2x2xf32>
}
// -----
// source: if yields
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %r = scf.if %p -> (tensor<4xf32>) {
    scf.yield %a : tensor<4xf32>
  } else {
    %n = arith.negf %b : tensor<4xf32>
    scf.yield %n : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %p: i1) -> memref<4xf32> {
  %r = scf.if %p -> (memref<4xf32>) {
    scf.yield %a : memref<4xf32>
  } else {
    %t = memref.alloc() : memref<4xf32>
    linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%b : memref<4xf32>) outs(%t : memref<4xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.negf %x : f32
      linalg.yield %y : f32
    }
    scf.yield %t : memref<4xf32>
  }
  return %r : memref<4xf32>
}
// -----
// wrong
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %p: i1) -> memref<4xf32> {
  %r = scf.if %p -> (memref<4xf32>) {
    %t = memref.alloc() : memref<4xf32>
    linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%b : memref<4xf32>) outs(%t : memref<4xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.negf %x : f32
      linalg.yield %y : f32
    }
    scf.yield %t : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  return %r : memref<4xf32>
}
// -----
// wrong
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %p: i1) -> memref<4xf32> {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.if %p -> (memref<4xf32>) {
    scf.yield %a : memref<4xf32>
  } else {
    %t = memref.alloc() : memref<4xf32>
    linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%b : memref<4xf32>) outs(%t : memref<4xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.negf %x : f32
      linalg.yield %y : f32
    }
    scf.yield %t : memref<4xf32>
  }
  memref.store %z, %r[%c1] : memref<4xf32>
  return %r : memref<4xf32>
}
// -----
// wrong
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %p: i1) -> memref<4xf32> {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.if %p -> (memref<4xf32>) {
    scf.yield %a : memref<4xf32>
  } else {
    %t = memref.alloc() : memref<4xf32>
    linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%b : memref<4xf32>) outs(%t : memref<4xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.negf %x : f32
      linalg.yield %y : f32
    }
    scf.yield %t : memref<4xf32>
  }
  memref.store %z, %a[%c1] : memref<4xf32>
  return %r : memref<4xf32>
}
// -----
// wrong
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %p: i1) -> memref<4xf32> {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.if %p -> (memref<4xf32>) {
    memref.store %z, %a[%c1] : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    %t = memref.alloc() : memref<4xf32>
    linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%b : memref<4xf32>) outs(%t : memref<4xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.negf %x : f32
      linalg.yield %y : f32
    }
    scf.yield %t : memref<4xf32>
  }
  return %r : memref<4xf32>
}
// -----
// proved
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %p: i1) -> memref<4xf32> {
  %r = scf.if %p -> (memref<4xf32>) {
    %t = memref.alloc() : memref<4xf32>
    memref.copy %a, %t : memref<4xf32> to memref<4xf32>
    scf.yield %t : memref<4xf32>
  } else {
    %t = memref.alloc() : memref<4xf32>
    linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%b : memref<4xf32>) outs(%t : memref<4xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.negf %x : f32
      linalg.yield %y : f32
    }
    scf.yield %t : memref<4xf32>
  }
  return %r : memref<4xf32>
}
// -----
// source: collapse view
func.func @f(%a: tensor<2x3xf32>) -> tensor<6xf32> {
  %r = tensor.collapse_shape %a [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  return %r : tensor<6xf32>
}
// -----
// proved
func.func @f(%a: memref<2x3xf32>) -> memref<6xf32> {
  %t = memref.alloc() : memref<2x3xf32>
  memref.copy %a, %t : memref<2x3xf32> to memref<2x3xf32>
  %r = memref.collapse_shape %t [[0, 1]] : memref<2x3xf32> into memref<6xf32>
  return %r : memref<6xf32>
}
// -----
// proved
func.func @f(%a: memref<2x3xf32>) -> memref<6xf32> {
  %r = memref.alloc() : memref<6xf32>
  %v = memref.expand_shape %r [[0, 1]] output_shape [2, 3] : memref<6xf32> into memref<2x3xf32>
  memref.copy %a, %v : memref<2x3xf32> to memref<2x3xf32>
  return %r : memref<6xf32>
}
// -----
// wrong
func.func @f(%a: memref<2x3xf32>) -> memref<6xf32> {
  %r = memref.alloc() : memref<6xf32>
  %v = memref.expand_shape %r [[0, 1]] output_shape [3, 2] : memref<6xf32> into memref<3x2xf32>
  linalg.transpose ins(%a : memref<2x3xf32>) outs(%v : memref<3x2xf32>) permutation = [1, 0]
  return %r : memref<6xf32>
}
// -----
// proved
func.func @f(%a: memref<2x3xf32>) -> memref<6xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = memref.alloc() : memref<6xf32>
  %v = memref.expand_shape %r [[0, 1]] output_shape [2, 3] : memref<6xf32> into memref<2x3xf32>
  memref.copy %a, %v : memref<2x3xf32> to memref<2x3xf32>
  %x = memref.load %a[%c1, %c2] : memref<2x3xf32>
  memref.store %x, %v[%c1, %c2] : memref<2x3xf32>
  return %r : memref<6xf32>
}
// -----
// wrong
func.func @f(%a: memref<2x3xf32>) -> memref<6xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = memref.alloc() : memref<6xf32>
  %v = memref.expand_shape %r [[0, 1]] output_shape [2, 3] : memref<6xf32> into memref<2x3xf32>
  memref.copy %a, %v : memref<2x3xf32> to memref<2x3xf32>
  %x = memref.load %a[%c1, %c2] : memref<2x3xf32>
  memref.store %x, %v[%c1, %c1] : memref<2x3xf32>
  return %r : memref<6xf32>
}
// -----
// source: assuming
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %w = shape.cstr_require %p, "p"
  %r = shape.assuming %w -> (tensor<4xf32>) {
    %n = arith.negf %a : tensor<4xf32>
    shape.assuming_yield %n : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %p: i1) -> memref<4xf32> {
  %w = shape.cstr_require %p, "p"
  %r = shape.assuming %w -> (memref<4xf32>) {
    %t = memref.alloc() : memref<4xf32>
    linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%a : memref<4xf32>) outs(%t : memref<4xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.negf %x : f32
      linalg.yield %y : f32
    }
    shape.assuming_yield %t : memref<4xf32>
  }
  return %r : memref<4xf32>
}
// -----
// wrong
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %p: i1) -> memref<4xf32> {
  %w = shape.cstr_require %p, "p"
  %r = shape.assuming %w -> (memref<4xf32>) {
    %t = memref.alloc() : memref<4xf32>
    linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%b : memref<4xf32>) outs(%t : memref<4xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.negf %x : f32
      linalg.yield %y : f32
    }
    shape.assuming_yield %t : memref<4xf32>
  }
  return %r : memref<4xf32>
}
// -----
// wrong
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %p: i1) -> memref<4xf32> {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %w = shape.cstr_require %p, "p"
  %r = shape.assuming %w -> (memref<4xf32>) {
    %t = memref.alloc() : memref<4xf32>
    linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%a : memref<4xf32>) outs(%t : memref<4xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.negf %x : f32
      linalg.yield %y : f32
    }
    shape.assuming_yield %t : memref<4xf32>
  }
  memref.store %z, %r[%c1] : memref<4xf32>
  return %r : memref<4xf32>
}
