// What the rules of this dialect demand, and sizes for which it does not hold: one clause or two for each function.

func.func @allocas_of_a_negative_size(%n: index) {
  // expect: refuted C1
  %0 = memref.alloca(%n) : memref<?xf32>
  return
}

func.func @a_realloc_of_a_negative_size(%n: index) {
  %m = memref.alloc() : memref<4xf32>
  // expect: refuted C1
  %0 = memref.realloc %m(%n) : memref<4xf32> to memref<?xf32>
  return
}

func.func @a_dimension_that_is_not_there(%m: memref<?x?xf32>, %i: index) {
  // expect: refuted C1
  %0 = memref.dim %m, %i : memref<?x?xf32>
  return
}

func.func @a_store_outside(%m: memref<?xf32>, %i: index, %x: f32) {
  // expect: refuted C1
  memref.store %x, %m[%i] : memref<?xf32>
  return
}

func.func @an_atomic_region_outside(%m: memref<?xf32>, %i: index) {
  // expect: refuted C1
  %0 = memref.generic_atomic_rmw %m[%i] : memref<?xf32> {
  ^bb0(%x: f32):
    memref.atomic_yield %x : f32
  }
  return
}

func.func @a_cast_to_another_rank(%m: memref<*xf32>) {
  // expect: refuted C1
  %0 = memref.cast %m : memref<*xf32> to memref<?x?xf32>
  return
}

func.func @a_view_of_a_negative_size(%m: memref<?xf32>, %n: index) {
  // expect: refuted C1
  // expect: refuted C3
  %0 = memref.subview %m[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  return
}
