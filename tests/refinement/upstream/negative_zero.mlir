// The ceiling of -0.5 is -0.0. The expansion adds 0.0 to it.
func.func @f(%x: f32) -> f32 {
  %r = math.ceil %x : f32
  return %r : f32
}
