// passes: buffer-results-to-out-params{modify-public-functions=true}
// shown: sizes, checks and elements
// wrong (refuted): wrong value
//   return %0 : index => return %dim : index
// wrong (refuted): wrong size
//   memref.alloc(%0) => memref.alloc(%dim)

func.func @f(%a: memref<?x4xf32>, %k: index) -> (memref<?x4xf32>, index) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x4xf32>
  %m = arith.addi %n, %k : index
  %r = memref.alloc(%m) : memref<?x4xf32>
  return %r, %m : memref<?x4xf32>, index
}
