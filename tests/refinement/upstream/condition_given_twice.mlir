// %v is handed on twice. canonicalize moves its scf.if into the body, and the second one becomes 20.
func.func @f(%n: i32) -> i32 {
  %0 = arith.constant 0 : i32
  %2 = arith.constant 2 : i32
  %20 = arith.constant 20 : i32
  %r:3 = scf.while (%s = %0) : (i32) -> (i32, i32, i32) {
    %more = arith.cmpi slt, %s, %n : i32
    %v = scf.if %more -> (i32) {
      %t = arith.addi %s, %2 : i32
      scf.yield %t : i32
    } else {
      scf.yield %20 : i32
    }
    scf.condition(%more) %v, %v, %s : i32, i32, i32
  } do {
  ^bb0(%a: i32, %b: i32, %c: i32):
    scf.yield %b : i32
  }
  return %r#2 : i32
}
