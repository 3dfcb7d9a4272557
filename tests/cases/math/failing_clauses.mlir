// What the rules of this dialect demand, and sizes for which it does not hold: one clause or two for each function.

func.func @copysign_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  // expect: refuted C1
  %0 = math.copysign %a, %b : tensor<?xf32>
  return
}

func.func @atan2_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  // expect: refuted C1
  %0 = math.atan2 %a, %b : tensor<?xf32>
  return
}

func.func @powf_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  // expect: refuted C1
  %0 = math.powf %a, %b : tensor<?xf32>
  return
}

func.func @fma_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) {
  // expect: refuted C1
  %0 = math.fma %a, %b, %c : tensor<?xf32>
  return
}

func.func @clampf_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) {
  // expect: refuted C1
  // expect: approximated whether its bounds are in order
  %0 = math.clampf %a to [%b, %c] : tensor<?xf32>
  return
}

func.func @fpowi_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = math.fpowi %a, %b : tensor<?xf32>, tensor<?xi32>
  return
}

func.func @ipowi_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  // expect: undecided C2
  // expect: approximated the elements of a tensor
  %0 = math.ipowi %a, %b : tensor<?xi32>
  return
}
