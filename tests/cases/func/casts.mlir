func.func @as_an_integer(%a: index) -> i64 {
  // expect: value a
  %0 = builtin.unrealized_conversion_cast %a : index to i64
  return %0 : i64
}

func.func @as_something_else(%a: index) -> i32 {
  // expect: approximated
  %0 = builtin.unrealized_conversion_cast %a : index to i32
  return %0 : i32
}
