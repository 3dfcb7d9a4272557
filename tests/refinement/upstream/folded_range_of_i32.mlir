// The loop of folded_range.mlir over i32, where wrapping is no assumption of the comparison.
func.func @f(%c: i32, %n: i32, %m: memref<1xi32>) {
  %i0 = arith.constant 0 : index
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  scf.for %i = %0 to %n step %1 : i32 {
    %x = arith.addi %i, %c : i32
    memref.store %x, %m[%i0] : memref<1xi32>
  }
  return
}
