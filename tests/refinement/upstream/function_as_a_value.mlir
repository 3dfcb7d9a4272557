func.func private @callee(%m: memref<?xf32>) -> memref<?xf32> {
  return %m : memref<?xf32>
}
func.func @f(%m: memref<?xf32>) -> memref<?xf32> {
  %g = constant @callee : (memref<?xf32>) -> memref<?xf32>
  %r = call_indirect %g(%m) : (memref<?xf32>) -> memref<?xf32>
  return %r : memref<?xf32>
}
