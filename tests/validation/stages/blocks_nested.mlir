// passes: convert-scf-to-cf,canonicalize
// shown: sizes, checks and elements
// wrong (refuted): swapped sides of the branch
//   cf.cond_br %5, ^bb4, ^bb5 => cf.cond_br %5, ^bb5, ^bb4
// wrong (refuted): inner bound of the outer loop
//   cmpi slt, %0, %dim : => cmpi slt, %0, %dim_0 :
// wrong (refuted): one iteration too many
//   cmpi slt, %2, %dim_0 => cmpi sle, %2, %dim_0
// wrong (refuted): inner loop begins at the number of the outer one
//   ^bb2(%c0 : index) => ^bb2(%0 : index)
// wrong (refuted): branch on exchanged numbers
//   cmpi slt, %0, %2 => cmpi slt, %2, %0
// wrong (refuted): element of another place
//   %arg1[%2, %0] => %arg1[%2, %2]
// wrong (refuted): one side twice
//   cf.br ^bb6(%7 => cf.br ^bb6(%4
// wrong (refuted): outer loop ends after the first iteration of the inner one
//   cf.br ^bb2(%9 => cf.br ^bb1(%9
// wrong (refuted): inner loop is never left for the outer one
//   cf.br ^bb1(%10 => cf.br ^bb1(%dim
// wrong (refuted): other operation
//   addf %4, %4 => subf %4, %4

func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %m = memref.dim %a, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xf32>
      %p = arith.cmpi slt, %i, %j : index
      %y = scf.if %p -> f32 {
        %s = arith.addf %x, %x : f32
        scf.yield %s : f32
      } else {
        %t = arith.mulf %x, %x : f32
        scf.yield %t : f32
      }
      memref.store %y, %b[%j, %i] : memref<?x?xf32>
    }
  }
  return
}
