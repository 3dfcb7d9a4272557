func.func @shapes(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = math.exp %a : tensor<?xf32>
  // expect: refuted C1
  // expect: shape [a[0]]
  %1 = math.atan2 %0, %b : tensor<?xf32>
  return %1 : tensor<?xf32>
}
