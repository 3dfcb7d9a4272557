// The angle of infinity and infinity is pi / 4. The approximation divides infinity by infinity.
func.func @f(%y: f32, %x: f32) -> f32 {
  %r = math.atan2 %y, %x : f32
  return %r : f32
}
