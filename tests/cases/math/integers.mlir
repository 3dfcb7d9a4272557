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

func.func @power(%a: i32, %b: i32) -> i32 {
  // expect: refuted C2
  // expect: approximated powers
  %0 = math.ipowi %a, %b : i32
  return %0 : i32
}

// assume: %b >= 0
func.func @natural_power(%a: i64, %b: i64) -> i64 {
  // expect: proved C2
  // expect: approximated powers
  %0 = math.ipowi %a, %b : i64
  return %0 : i64
}

func.func @inverse_of_nothing(%a: i8) -> i8 {
  %n = arith.constant -1 : i8
  // expect: refuted C2
  // expect: approximated powers
  %0 = math.ipowi %a, %n : i8
  return %0 : i8
}
