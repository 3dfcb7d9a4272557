// passes: func.func(scf-for-to-while)
// shown: sizes, checks and elements
// wrong (refuted): off by one
//   cmpi slt, %arg2, %dim => cmpi sle, %arg2, %dim
// wrong (refuted): wrong result
//   return %0#1, %0#2 => return %0#0, %0#2
// wrong (refuted): wrong start
//   %arg2 = %c1, => %arg2 = %c0,
// wrong (refuted): wrong sum
//   addi %arg4, %extracted => addi %extracted, %extracted

func.func @f(%a: tensor<?xi32>, %k: index) -> (index, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %r:2 = scf.for %i = %c1 to %n step %c1 iter_args(%s = %k, %t = %z) -> (index, i32) {
    %p = arith.addi %s, %n : index
    %x = tensor.extract %a[%i] : tensor<?xi32>
    %q = arith.addi %t, %x : i32
    scf.yield %p, %q : index, i32
  }
  return %r#0, %r#1 : index, i32
}
