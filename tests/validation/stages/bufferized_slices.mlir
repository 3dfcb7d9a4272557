// passes: one-shot-bufferize{bufferize-function-boundaries=true}
// shown: sizes, checks and elements
// wrong (refuted): wrong offset
//   %arg1[%arg2] [%dim] => %arg1[%c0] [%dim]
// wrong (refuted): swapped
//   ins(%arg0, %subview => ins(%subview, %arg0
// wrong (refuted): wrong size
//   memref.alloc(%dim) => memref.alloc(%arg2)

func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %k: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %s = tensor.extract_slice %b[%k] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.sub ins(%a, %s : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
