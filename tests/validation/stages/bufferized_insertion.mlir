// passes: one-shot-bufferize{bufferize-function-boundaries=true}
// shown: sizes, checks and elements
// wrong (refuted): argument overwritten
//   memref.store %arg1, %alloc[%arg2] : memref<?xf32> => memref.store %arg1, %arg0[%arg2] : memref<?xf32, strided<[?], offset: ?>>
// wrong (refuted): not copied
//   drop memref.copy %arg0, %alloc : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>

func.func @f(%a: tensor<?xf32>, %x: f32, %k: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %r = tensor.insert %x into %a[%k] : tensor<?xf32>
  return %r, %a : tensor<?xf32>, tensor<?xf32>
}
