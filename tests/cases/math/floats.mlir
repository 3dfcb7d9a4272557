func.func @shapes(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = math.exp %a : tensor<?xf32>
  // expect: refuted C1
  // expect: shape [a[0]]
  %1 = math.atan2 %0, %b : tensor<?xf32>
  return %1 : tensor<?xf32>
}

func.func @clamped(%x: f32) -> f32 {
  %low = arith.constant 0.0 : f32
  %high = arith.constant 6.0 : f32
  // expect: proved C2
  %0 = math.clampf %x to [%low, %high] : f32
  return %0 : f32
}

func.func @clamped_between_bounds_the_wrong_way_round(%x: f32) -> f32 {
  %low = arith.constant 6.0 : f32
  %high = arith.constant 0.0 : f32
  // expect: refuted C2
  %0 = math.clampf %x to [%low, %high] : f32
  return %0 : f32
}

func.func @clamped_between_what_nobody_knows(%x: f32, %low: f32, %high: f32) -> f32 {
  // expect: approximated whether its bounds are in order
  %0 = math.clampf %x to [%low, %high] : f32
  return %0 : f32
}
