// %a stays what it was during the inner loop. After the pass it grows with %b.
func.func @f(%x: i32) -> i32 {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %r = scf.for %i = %0 to %2 step %1 iter_args(%a = %x) -> (i32) {
    %s = scf.for %j = %0 to %2 step %1 iter_args(%b = %a) -> (i32) {
      %t = arith.addi %b, %a : i32
      scf.yield %t : i32
    }
    scf.yield %s : i32
  }
  return %r : i32
}
