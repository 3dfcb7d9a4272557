// passes: expand-strided-metadata
// shown: contents not compared
// wrong (refuted): wrong product
//   (s0 * s1) => (s0 + s1)
// wrong (refuted): wrong offset
//   (s0 + s1 * 4) => (s0 + s1)
// wrong (refuted): wrong index
//   [%c1, %c2, %c0] => [%c2, %c1, %c0]

func.func @f(%a: memref<?x?x4xf32>, %o: index) -> (index, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = memref.subview %a[1, %o, 0] [2, 3, 4] [1, 1, 1] : memref<?x?x4xf32> to memref<2x3x4xf32, strided<[?, 4, 1], offset: ?>>
  %t = memref.collapse_shape %a [[0, 1], [2]] : memref<?x?x4xf32> into memref<?x4xf32>
  %n = memref.dim %t, %c0 : memref<?x4xf32>
  %x = memref.load %s[%c1, %c2, %c0] : memref<2x3x4xf32, strided<[?, 4, 1], offset: ?>>
  return %n, %x : index, f32
}
