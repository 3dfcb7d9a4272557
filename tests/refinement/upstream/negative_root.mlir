// -2 to the power of 1.5 is NaN. The expansion has the sign of the base.
func.func @f(%x: f32) -> f32 {
  %y = arith.constant 1.5 : f32
  %r = math.powf %x, %y : f32
  return %r : f32
}
