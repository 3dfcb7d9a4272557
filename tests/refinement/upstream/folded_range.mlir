// Each iteration stores %i + %c, which wraps. After the pass the bounds of the loop wrap, and it never runs.
func.func @f(%c: index, %n: index, %m: memref<1xindex>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  scf.for %i = %0 to %n step %1 {
    %x = arith.addi %i, %c : index
    memref.store %x, %m[%0] : memref<1xindex>
  }
  return
}
