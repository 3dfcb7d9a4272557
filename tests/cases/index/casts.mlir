func.func @there_and_back(%a: i32) -> i32 {
  %0 = index.casts %a : i32 to index
  // expect: value a
  %1 = index.casts %0 : index to i32
  return %1 : i32
}

func.func @width() -> index {
  // expect: value 64
  %0 = index.sizeof
  return %0 : index
}
