memref.global "private" constant @table : memref<4xf32> = dense<1.0>

func.func @sizes(%n: index) {
  // expect: refuted C1
  // expect: shape [n, 3]
  %0 = memref.alloc(%n) : memref<?x3xf32>
  memref.dealloc %0 : memref<?x3xf32>
  // expect: shape [4]
  %1 = memref.get_global @table : memref<4xf32>
  memref.alloca_scope {
    %2 = memref.alloca() : memref<2xf32>
  }
  return
}

func.func @longer(%m: memref<?xf32>, %n: index) {
  // expect: refuted C1
  // expect: shape [n]
  %0 = memref.realloc %m(%n) {alignment = 64} : memref<?xf32> to memref<?xf32>
  // expect: shape [4]
  %1 = memref.realloc %0 : memref<?xf32> to memref<4xf32>
  // expect: shape [4]
  %2 = memref.alloc() {alignment = 64} : memref<4xf32>
  return
}

func.func @what_a_scope_returns(%n: index) -> index {
  // expect: value n
  %0 = memref.alloca_scope -> (index) {
    memref.alloca_scope.return %n : index
  }
  return %0 : index
}
