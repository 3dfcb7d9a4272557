// -2 to the power of 1 is -2. The expansion takes the logarithm of -2.
func.func @f(%x: f32, %y: f32) -> f32 {
  %r = math.powf %x, %y : f32
  return %r : f32
}
