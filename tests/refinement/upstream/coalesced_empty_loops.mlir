// Where %n is 0 neither loop has an iteration. The product of -2 and -2 is 4 iterations.
func.func @f(%n: index, %m: memref<4xi32>) {
  %seven = arith.constant 7 : i32
  affine.for %i = 0 to affine_map<()[s0] -> (s0 - 2)>()[%n] {
    affine.for %j = 0 to affine_map<()[s0] -> (s0 - 2)>()[%n] {
      affine.store %seven, %m[0] : memref<4xi32>
    }
  }
  return
}
