// source: select
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
  %r = scf.if %p -> (tensor<?xf32>) {
    scf.yield %a : tensor<?xf32>
  } else {
    scf.yield %b : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// proved
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
  %t = arith.constant true
  %q = arith.xori %p, %t : i1
  %r = scf.if %q -> (tensor<?xf32>) {
    scf.yield %b : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
  %r = arith.select %p, %a, %b : tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
// -----
// source: select same
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %r = arith.select %p, %a, %b : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %r = scf.if %p -> (tensor<4xf32>) {
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %r = arith.select %p, %b, %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: select mask
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %p: tensor<4xi1>) -> tensor<4xf32> {
  %r = arith.select %p, %a, %b : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// open
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %p: tensor<4xi1>) -> tensor<4xf32> {
  %t = arith.constant dense<true> : tensor<4xi1>
  %q = arith.xori %p, %t : tensor<4xi1>
  %r = arith.select %q, %b, %a : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %p: tensor<4xi1>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %p[%c0] : tensor<4xi1>
  %r = arith.select %x, %a, %b : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: unranked
func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) -> tensor<*xf32> {
  %r = arith.addf %a, %b : tensor<*xf32>
  return %r : tensor<*xf32>
}
// -----
// open
func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) -> tensor<*xf32> {
  %r = arith.addf %b, %a : tensor<*xf32>
  return %r : tensor<*xf32>
}
// -----
// wrong
func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) -> tensor<*xf32> {
  %r = arith.subf %b, %a : tensor<*xf32>
  return %r : tensor<*xf32>
}
// -----
// wrong
func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) -> tensor<*xf32> {
  return %a : tensor<*xf32>
}
// -----
// source: unranked cast
func.func @f(%a: tensor<*xf32>) -> tensor<?xf32> {
  %r = tensor.cast %a : tensor<*xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// proved
func.func @f(%a: tensor<*xf32>) -> tensor<?xf32> {
  %x = tensor.cast %a : tensor<*xf32> to tensor<?xf32>
  %y = tensor.cast %x : tensor<?xf32> to tensor<*xf32>
  %r = tensor.cast %y : tensor<*xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<*xf32>) -> tensor<?xf32> {
  %x = tensor.cast %a : tensor<*xf32> to tensor<?xf32>
  %r = arith.negf %x : tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<*xf32>) -> tensor<?xf32> {
  %x = tensor.cast %a : tensor<*xf32> to tensor<3xf32>
  %r = tensor.cast %x : tensor<3xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// source: pad twice
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %r = tensor.pad %a low[3] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// proved
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %q = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<?xf32>
  %r = tensor.pad %q low[2] high[0] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %q = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %one : f32
  } : tensor<?xf32> to tensor<?xf32>
  %r = tensor.pad %q low[2] high[0] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %r = tensor.pad %a low[1] high[3] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// source: collapse
func.func @f(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %r = tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d1, %d0) : tensor<?x?xf32>
  %t = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  %r = tensor.collapse_shape %t [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// source: transpose buffer
func.func @f(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %e = tensor.empty() : tensor<2x2xf32>
  %r = linalg.transpose ins(%a : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) permutation = [1, 0]
  return %r : tensor<2x2xf32>
}
// -----
// proved
func.func @f(%a: memref<2x2xf32>) -> memref<2x2xf32> {
  %e = memref.alloc() : memref<2x2xf32>
  linalg.transpose ins(%a : memref<2x2xf32>) outs(%e : memref<2x2xf32>) permutation = [1, 0]
  return %e : memref<2x2xf32>
}
// -----
// wrong
func.func @f(%a: memref<2x2xf32>) -> memref<2x2xf32> {
  %e = memref.alloc() : memref<2x2xf32>
  linalg.transpose ins(%a : memref<2x2xf32>) outs(%e : memref<2x2xf32>) permutation = [0, 1]
  return %e : memref<2x2xf32>
}
// -----
// wrong
func.func @f(%a: memref<2x2xf32>) -> memref<2x2xf32> {
  %e = memref.alloc() : memref<2x2xf32>
  memref.copy %a, %e : memref<2x2xf32> to memref<2x2xf32>
  linalg.transpose ins(%e : memref<2x2xf32>) outs(%e : memref<2x2xf32>) permutation = [1, 0]
  return %e : memref<2x2xf32>
}
// -----
// source: transpose reduce buffer
func.func @f(%a: tensor<2x2xf32>) -> tensor<2xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %r = linalg.reduce ins(%a : tensor<2x2xf32>) outs(%i : tensor<2xf32>) dimensions = [1]
  (%in: f32, %o: f32) {
    %s = arith.addf %in, %o : f32
    linalg.yield %s : f32
  }
  return %r : tensor<2xf32>
}
// -----
// proved
func.func @f(%a: memref<2x2xf32>) -> memref<2xf32> {
  %z = arith.constant 0.0 : f32
  %e = memref.alloc() : memref<2xf32>
  linalg.fill ins(%z : f32) outs(%e : memref<2xf32>)
  linalg.reduce ins(%a : memref<2x2xf32>) outs(%e : memref<2xf32>) dimensions = [1]
  (%in: f32, %o: f32) {
    %s = arith.addf %in, %o : f32
    linalg.yield %s : f32
  }
  return %e : memref<2xf32>
}
// -----
// wrong
func.func @f(%a: memref<2x2xf32>) -> memref<2xf32> {
  %z = arith.constant 0.0 : f32
  %e = memref.alloc() : memref<2xf32>
  linalg.fill ins(%z : f32) outs(%e : memref<2xf32>)
  linalg.reduce ins(%a : memref<2x2xf32>) outs(%e : memref<2xf32>) dimensions = [0]
  (%in: f32, %o: f32) {
    %s = arith.addf %in, %o : f32
    linalg.yield %s : f32
  }
  return %e : memref<2xf32>
}
// -----
// wrong
func.func @f(%a: memref<2x2xf32>) -> memref<2xf32> {
  %one = arith.constant 1.0 : f32
  %e = memref.alloc() : memref<2xf32>
  linalg.fill ins(%one : f32) outs(%e : memref<2xf32>)
  linalg.reduce ins(%a : memref<2x2xf32>) outs(%e : memref<2xf32>) dimensions = [1]
  (%in: f32, %o: f32) {
    %s = arith.addf %in, %o : f32
    linalg.yield %s : f32
  }
  return %e : memref<2xf32>
}
