// passes: convert-scf-to-cf
// shown: sizes, checks and elements
// wrong (refuted): wrong sum
//   addi %1, %arg2 => addi %0, %arg2
// wrong (refuted): swapped branches
//   cond_br %6, ^bb4, ^bb5 => cond_br %6, ^bb5, ^bb4
// wrong (refuted): dropped check
//   drop cf.assert %3, "too many"
// wrong (refuted): wrong argument
//   cf.br ^bb6(%arg1 : => cf.br ^bb6(%arg0 :

func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %k: index) -> (index, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (index) {
    %p = arith.cmpi slt, %i, %k : index
    cf.assert %p, "too many"
    %t = arith.addi %s, %k : index
    scf.yield %t : index
  }
  %q = arith.cmpi slt, %k, %n : index
  %r = scf.if %q -> (tensor<?xf32>) {
    %s = tensor.extract_slice %a[%k] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %t = tensor.cast %s : tensor<1xf32> to tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  } else {
    scf.yield %b : tensor<?xf32>
  }
  return %c, %r : index, tensor<?xf32>
}
