func.func @numbers(%a: index) -> i32 {
  %c5 = arith.constant 5 : i32
  %c2 = arith.constant 2 : i32
  // expect: value 2
  %0 = math.ctpop %c5 : i32
  // expect: value 25
  %1 = math.ipowi %c5, %c2 : i32
  // expect: value 25
  %2 = math.absi %1 : i32
  return %2 : i32
}
