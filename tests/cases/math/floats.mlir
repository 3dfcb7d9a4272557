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

func.func @roots_of_squares() -> f32 {
  %c1 = arith.constant 1 : index
  %h = arith.constant 64.0 : f32
  %eight = arith.constant 8.0 : f32
  %root = math.sqrt %h : f32
  %same = arith.cmpf oeq, %root, %eight : f32
  // expect: proved C1
  cf.assert %same, "the root of 64"
  %squares = arith.constant dense<[0.0, 2.25]> : tensor<2xf32>
  %roots = math.sqrt %squares : tensor<2xf32>
  // expect: proved
  %second = tensor.extract %roots[%c1] : tensor<2xf32>
  %half = arith.constant 1.5 : f32
  %also = arith.cmpf oeq, %second, %half : f32
  // expect: proved C1
  cf.assert %also, "the root of a fraction"
  %less = arith.cmpf olt, %root, %half : f32
  // expect: refuted C1
  cf.assert %less, "the root of 64 is small"
  return %root : f32
}

func.func @roots_that_are_not_exact() -> f32 {
  %two = arith.constant 2.0 : f32
  %root = math.sqrt %two : f32
  %one = arith.constant 1.0 : f32
  %more = arith.cmpf ogt, %root, %one : f32
  // expect: proved C1
  cf.assert %more, "the root of 2 is more than 1"
  %near = arith.constant 1.41421354 : f32
  // expect: approximated
  %same = arith.cmpf oeq, %root, %near : f32
  // expect: undecided C1
  cf.assert %same, "the root of 2 as most machines have it"
  %variance = arith.constant 3.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %sum = arith.addf %variance, %epsilon : f32
  %deviation = math.sqrt %sum : f32
  %zero = arith.constant 0.0 : f32
  %is_some = arith.cmpf one, %deviation, %zero : f32
  // expect: proved C1
  cf.assert %is_some, "no deviation"
  %minus = arith.constant -4.0 : f32
  %none = math.sqrt %minus : f32
  // expect: approximated
  %less = arith.cmpf olt, %none, %one : f32
  // expect: undecided C1
  cf.assert %less, "no number"
  return %root : f32
}

func.func @inverse_of_a_root() -> f32 {
  %three = arith.constant 3.0 : f32
  %one = arith.constant 1.0 : f32
  %root = math.sqrt %three : f32
  %inverse = arith.divf %one, %root : f32
  %above = arith.cmpf ogt, %inverse, %one : f32
  // expect: refuted C1
  cf.assert %above, "the inverse is more than 1"
  return %inverse : f32
}
