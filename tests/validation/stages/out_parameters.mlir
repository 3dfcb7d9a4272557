// passes: one-shot-bufferize{bufferize-function-boundaries=true},buffer-results-to-out-params{modify-public-functions=true}
// shown: sizes, checks and elements
// wrong (refuted): not copied
//   drop memref.copy %alloc, %arg3 : memref<?xf32> to memref<?xf32>
// wrong (refuted): copied back
//   memref.copy %alloc, %arg3 => memref.copy %arg3, %alloc

func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %k: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %s = tensor.extract_slice %b[%k] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.sub ins(%a, %s : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
