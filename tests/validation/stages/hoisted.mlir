// passes: loop-invariant-code-motion
// shown: sizes, checks and elements
// wrong (refuted): wrong operand
//   %arg5, %0 : index => %0, %0 : index
// wrong (refuted): wrong start
//   %arg5 = %arg2) => %arg5 = %c0)
// wrong (refuted): other function
//   addf %arg4, %extracted => subf %arg4, %extracted
// wrong (refuted): shifted element
//   tensor.extract %arg0[%arg3] => tensor.extract %arg0[%c0]

func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %k: index) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c2 iter_args(%s = %z, %o = %k) -> (f32, index) {
    %m = tensor.dim %b, %c0 : tensor<?xf32>
    %h = arith.addi %m, %k : index
    %x = tensor.extract %a[%i] : tensor<?xf32>
    %t = arith.addf %s, %x : f32
    %q = arith.addi %o, %h : index
    scf.yield %t, %q : f32, index
  }
  return %r#0, %r#1 : f32, index
}
