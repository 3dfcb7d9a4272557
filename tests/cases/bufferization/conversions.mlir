func.func @through_a_buffer(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expect: shape [a[0], 4]
  %0 = bufferization.to_buffer %a : tensor<?x4xf32> to memref<?x4xf32>
  // expect: shape [a[0], 4]
  %1 = bufferization.clone %0 : memref<?x4xf32> to memref<?x4xf32>
  // expect: shape [a[0], 4]
  %2 = bufferization.to_tensor %1 : memref<?x4xf32> to tensor<?x4xf32>
  // expect: shape [a[0], 4]
  %3 = bufferization.alloc_tensor() copy(%2) : tensor<?x4xf32>
  // expect: refuted C1
  // expect: shape [b[0], 4]
  %4 = bufferization.materialize_in_destination %3 in %b : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %4 : tensor<?x4xf32>
}

func.func @new(%n: index) {
  // expect: refuted C1
  // expect: shape [n, 4]
  %0 = bufferization.alloc_tensor(%n) : tensor<?x4xf32>
  bufferization.dealloc_tensor %0 : tensor<?x4xf32>
  return
}

#sparse = #sparse_tensor.encoding<{map = (i) -> (i : compressed)}>

func.func @expected_elements(%n: index, %k: index) {
  // expect: refuted C1
  // expect: refuted C2
  %0 = bufferization.alloc_tensor(%n) size_hint=%k : tensor<?xf32, #sparse>
  return
}

// assume: %k >= 1
// assume: %n >= %k
func.func @expected_elements_that_fit(%n: index, %k: index) {
  // expect: proved C2
  %0 = bufferization.alloc_tensor(%n) size_hint=%k : tensor<?xf32, #sparse>
  return
}

func.func @freed_by_its_owner(%m: memref<?xf32>, %owned: i1) -> i1 {
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  // expect: proved
  %a = memref.alloc(%n) : memref<?xf32>
  // expect: approximated ownership
  %keeps = bufferization.dealloc (%a : memref<?xf32>) if (%owned) retain (%m : memref<?xf32>)
  return %keeps : i1
}
