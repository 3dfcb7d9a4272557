// passes: cse
// shown: sizes, checks and elements
// wrong (contents not compared): swapped indices
//   %arg0[%arg2, %arg1] => %arg0[%arg1, %arg2]
// wrong (contents not compared): one operand
//   arith.muli %0, %0 => arith.muli %0, %extracted

func.func @f(%a: tensor<?x?xi32>, %i: index, %j: index) -> i32 {
  %x = tensor.extract %a[%i, %j] : tensor<?x?xi32>
  %y = tensor.extract %a[%j, %i] : tensor<?x?xi32>
  %z = tensor.extract %a[%i, %j] : tensor<?x?xi32>
  %s = arith.subi %x, %y : i32
  %t = arith.subi %z, %y : i32
  %r = arith.muli %s, %t : i32
  return %r : i32
}
