// passes: fold-memref-alias-ops
// shown: sizes, checks and elements
// wrong (refuted): swapped
//   %arg0[%0, %1] => %arg0[%1, %0]
// wrong (refuted): wrong offset
//   (s0 * 2 + 2) => (s0 * 2 + 1)
// wrong (contents not compared): dropped store
//   drop memref.store %2, %arg0[%3, %4] : memref<?x?xi32>

func.func @f(%a: memref<?x?xi32>, %o: index, %i: index) -> i32 {
  %s = memref.subview %a[%o, 2] [4, 4] [1, 2] : memref<?x?xi32> to memref<4x4xi32, strided<[?, 2], offset: ?>>
  %x = memref.load %s[%i, %o] : memref<4x4xi32, strided<[?, 2], offset: ?>>
  memref.store %x, %s[%o, %i] : memref<4x4xi32, strided<[?, 2], offset: ?>>
  return %x : i32
}
