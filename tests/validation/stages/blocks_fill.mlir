// passes: convert-scf-to-cf
// shown: sizes, checks and elements
// wrong (contents not compared): inserts into the first tensor
//   into %2[%1] => into %0[%1]
// wrong (contents not compared): hands on the first tensor
//   ^bb1(%6, %inserted : => ^bb1(%6, %0 :
// wrong (refuted): no check
//   drop cf.assert
// wrong (refuted): weaker check
//   cmpi slt, %1, %arg1 => cmpi sle, %1, %arg1
// wrong (contents not compared): other element
//   extract %arg0[%1] => extract %arg0[%c0]
// wrong (contents not compared): returns the empty tensor
//   return %2 => return %0
// wrong (undecided): steps as long as the tensor
//   addi %1, %c1 => addi %1, %dim

func.func @f(%a: tensor<?xf32>, %k: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e) -> (tensor<?xf32>) {
    %p = arith.cmpi slt, %i, %k : index
    cf.assert %p, "too many"
    %x = tensor.extract %a[%i] : tensor<?xf32>
    %y = arith.negf %x : f32
    %u = tensor.insert %y into %t[%i] : tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
