// A shift of 16 bits by 8 becomes one of 8 bits by 8, which is poison.
func.func @f(%x: i8) -> i8 {
  %eight = arith.constant 8 : i16
  %wide = arith.extsi %x : i8 to i16
  %sign = arith.shrsi %wide, %eight : i16
  %r = arith.trunci %sign : i16 to i8
  return %r : i8
}
