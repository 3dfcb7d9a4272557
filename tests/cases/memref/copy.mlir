func.func @all_of_it(%a: memref<?x4xf32>, %b: memref<?x4xf32>) {
  // expect: refuted C1
  memref.copy %a, %b : memref<?x4xf32> to memref<?x4xf32>
  // expect: proved
  memref.copy %b, %a : memref<?x4xf32> to memref<?x4xf32>
  return
}
