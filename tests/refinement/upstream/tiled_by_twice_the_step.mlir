// The tiled loop tests %i + 2 * offset, where the offset counts in steps of 2 already.
func.func @f(%m: memref<12xi32>) {
  %0 = arith.constant 0 : index
  %2 = arith.constant 2 : index
  %9 = arith.constant 9 : index
  %seven = arith.constant 7 : i32
  scf.parallel (%i) = (%0) to (%9) step (%2) {
    memref.store %seven, %m[%i] : memref<12xi32>
    scf.reduce
  }
  return
}
