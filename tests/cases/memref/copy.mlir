func.func @all_of_it(%a: memref<?x4xf32>, %b: memref<?x4xf32>) {
  // expect: refuted C1
  memref.copy %a, %b : memref<?x4xf32> to memref<?x4xf32>
  // expect: proved
  memref.copy %b, %a : memref<?x4xf32> to memref<?x4xf32>
  return
}

func.func @of_any_rank(%a: memref<*xf32>, %b: memref<*xf32>, %c: memref<?xf32>) {
  // expect: refuted C1
  memref.copy %a, %b : memref<*xf32> to memref<*xf32>
  // expect: refuted C1
  memref.copy %c, %a : memref<?xf32> to memref<*xf32>
  return
}
