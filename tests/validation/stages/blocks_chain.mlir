// passes: convert-scf-to-cf,canonicalize
// shown: sizes, checks and elements
// wrong (refuted): swapped outer sides
//   cf.cond_br %0, ^bb1, ^bb2 => cf.cond_br %0, ^bb2, ^bb1
// wrong (refuted): swapped inner sides
//   ^bb3(%arg0, %dim_0 : tensor<?xf32>, index), ^bb3(%arg1, %dim : tensor<?xf32>, index) => ^bb3(%arg1, %dim : tensor<?xf32>, index), ^bb3(%arg0, %dim_0 : tensor<?xf32>, index)
// wrong (refuted): other condition inside
//   cf.cond_br %1, ^bb3 => cf.cond_br %0, ^bb3
// wrong (refuted): no check
//   drop cf.assert
// wrong (refuted): check before the branch
//   %1 = arith.cmpi slt, %arg2, %dim_0 : index => %1 = arith.cmpi slt, %arg2, %dim_0 : index cf.assert %1, "too large for both"
// wrong (contents not compared): sum of one side on the other
//   ^bb3(%2, %arg2 => ^bb3(%arg1, %arg2
// wrong (refuted): sizes exchanged
//   ^bb3(%arg0, %dim_0 : => ^bb3(%arg0, %dim :

func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %k: index) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %p = arith.cmpi slt, %k, %n : index
  %q = arith.cmpi slt, %k, %m : index
  %r:2 = scf.if %p -> (tensor<?xf32>, index) {
    %s:2 = scf.if %q -> (tensor<?xf32>, index) {
      scf.yield %a, %m : tensor<?xf32>, index
    } else {
      scf.yield %b, %n : tensor<?xf32>, index
    }
    scf.yield %s#0, %s#1 : tensor<?xf32>, index
  } else {
    cf.assert %q, "too large for both"
    %t = arith.addf %b, %b : tensor<?xf32>
    scf.yield %t, %k : tensor<?xf32>, index
  }
  return %r#0, %r#1 : tensor<?xf32>, index
}
