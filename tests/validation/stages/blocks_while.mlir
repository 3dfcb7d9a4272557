// passes: convert-scf-to-cf
// shown: sizes, checks and elements
// wrong (refuted): value of the second region for that at the end
//   return %0, %1 => return %1, %1
// wrong (refuted): one iteration more
//   cmpi sgt => cmpi sge
// wrong (undecided): swapped arguments
//   ^bb1(%5, %6 : => ^bb1(%6, %5 :
// wrong (undecided): swapped arguments of the second region
//   ^bb2(%0, %1 : => ^bb2(%1, %0 :
// wrong (refuted): other start
//   ^bb1(%arg1, %c0 => ^bb1(%arg1, %dim
// wrong (undecided): adds for subtracts
//   subi %3, %c1 => addi %3, %c1
// wrong (refuted): other sum
//   addi %4, %dim => addi %4, %3

func.func @f(%a: memref<?xf32>, %k: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r:2 = scf.while (%i = %k, %s = %c0) : (index, index) -> (index, index) {
    %p = arith.cmpi sgt, %i, %n : index
    scf.condition(%p) %i, %s : index, index
  } do {
  ^bb0(%i: index, %s: index):
    %j = arith.subi %i, %c1 : index
    %t = arith.addi %s, %n : index
    scf.yield %j, %t : index, index
  }
  return %r#0, %r#1 : index, index
}
