// passes: convert-scf-to-cf
// shown: sizes, checks and elements
// wrong (refuted): swapped block arguments
//   ^bb1(%9, %6, %7, %8 => ^bb1(%9, %7, %6, %8
// wrong (refuted): swapped results
//   return %1, %2, %3 => return %2, %1, %3
// wrong (refuted): a sum that is not carried
//   ^bb1(%9, %6, %7, %8 => ^bb1(%9, %1, %7, %8
// wrong (refuted): other start
//   ^bb1(%c0, %c0_i32, => ^bb1(%c1, %c0_i32,
// wrong (refuted): start of another argument
//   %c0_i32, %arg1 : => %c0_i32, %c0 :
// wrong (refuted): first element in each iteration
//   %arg0[%0] => %arg0[%c0]
// wrong (refuted): the number of iterations for the size
//   addi %3, %dim => addi %3, %0
// wrong (refuted): other comparison
//   cmpi slt => cmpi sle
// wrong (refuted): minimum for maximum
//   maxsi => minsi
// wrong (refuted): unsigned maximum
//   maxsi => maxui
// wrong (refuted): the element for the sum
//   addi %1, %5 => addi %5, %5

func.func @f(%a: memref<?xi32>, %k: index) -> (i32, i32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z, %t = %z, %o = %k) -> (i32, i32, index) {
    %x = memref.load %a[%i] : memref<?xi32>
    %u = arith.addi %s, %x : i32
    %v = arith.maxsi %t, %x : i32
    %w = arith.addi %o, %n : index
    scf.yield %u, %v, %w : i32, i32, index
  }
  return %r#0, %r#1, %r#2 : i32, i32, index
}
