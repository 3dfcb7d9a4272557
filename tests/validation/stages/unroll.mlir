// passes: func.func(affine-loop-unroll{unroll-factor=2})
// shown: sizes, checks and elements
// wrong (refuted): wrong step
//   step 2 iter => step 4 iter
// wrong (refuted): one iteration too few
//   affine.yield %2 => affine.yield %1

func.func @f(%a: memref<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %r = affine.for %i = 0 to 8 iter_args(%s = %c0) -> (index) {
    %t = arith.addi %s, %n : index
    affine.yield %t : index
  }
  return %r : index
}
