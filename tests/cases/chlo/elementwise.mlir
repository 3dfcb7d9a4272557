// What works element by element keeps the shape.

func.func @unary(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // expect: shape [a[0], 3]
  %0 = chlo.erf %a : tensor<?x3xf32> -> tensor<?x3xf32>
  %1 = "chlo.constant_like"(%0) {value = 1.0 : f32} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

func.func @binary(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  // expect: refuted C1 with a[0] = 2, b[0] = 3
  %0 = chlo.zeta %a, %b : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @largest(%a: tensor<?x?xf32>) -> (tensor<?x5xf32>, tensor<?x5xi32>) {
  // expect: refuted C1 with a[1] = 2
  // expect: shape [a[0], 5]
  %0:2 = chlo.top_k(%a, k = 5) : tensor<?x?xf32> -> (tensor<?x5xf32>, tensor<?x5xi32>)
  return %0#0, %0#1 : tensor<?x5xf32>, tensor<?x5xi32>
}

func.func @written() -> tensor<2x3xf32> {
  // expect: shape [2, 3]
  %0 = chlo.constant dense<1.0> : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
