func.func @shapes(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xi1> {
  // expect: refuted C1
  %0 = arith.addf %a, %b : tensor<?xf32>
  // expect: proved
  %1 = arith.mulf %0, %b : tensor<?xf32>
  %2 = arith.truncf %1 : tensor<?xf32> to tensor<?xf16>
  %3 = arith.extf %2 : tensor<?xf16> to tensor<?xf32>
  // expect: proved
  // expect: shape [a[0]]
  %4 = arith.cmpf olt, %3, %0 : tensor<?xf32>
  return %4 : tensor<?xi1>
}

func.func @data(%a: f32) -> i32 {
  // expect: approximated
  %0 = arith.fptosi %a : f32 to i32
  return %0 : i32
}
