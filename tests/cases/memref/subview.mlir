func.func @window(%m: memref<?x4xf32>, %o: index) -> memref<2xf32, strided<[1], offset: ?>> {
  // expect: proved C1
  // expect: refuted C2
  // expect: refuted C3
  // expect: shape [2]
  %0 = memref.subview %m[%o, 1] [1, 2] [1, 1] : memref<?x4xf32> to memref<2xf32, strided<[1], offset: ?>>
  return %0 : memref<2xf32, strided<[1], offset: ?>>
}
