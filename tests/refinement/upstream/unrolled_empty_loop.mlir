// Where %n is 0 there is no iteration. After the pass the loop for the rest runs from -1 to 0.
func.func @f(%n: index, %m: memref<4xi32>) {
  %seven = arith.constant 7 : i32
  affine.for %i = 1 to %n {
    affine.store %seven, %m[%i + 1] : memref<4xi32>
  }
  return
}
