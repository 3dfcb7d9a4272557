// Minus infinity to the power of 0.5 is infinity. Its square root is NaN.
func.func @f(%x: f32) -> f32 {
  %half = arith.constant 0.5 : f32
  %r = math.powf %x, %half : f32
  return %r : f32
}
