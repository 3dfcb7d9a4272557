// Operands broadcast as those of numpy: aligned from the right, and 0 with 1 is 0.

func.func @add(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  // expect: refuted C1 with a[1] = 2, b[0] = 3
  // expect: shape [a[0], broadcast(a[1], b[0])]
  %0 = chlo.broadcast_add %a, %b : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// assume: a[1] == b[0] or b[0] == 1
func.func @aligned(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  // expect: proved C1
  %0 = chlo.broadcast_multiply %a, %b {broadcast_dimensions = array<i64: 1>} : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @not_aligned(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  // expect: approximated not aligned from the right
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 0>} : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @compare(%a: tensor<?x1xf32>, %b: tensor<4xf32>) -> tensor<?x4xi1> {
  // expect: proved C1
  // expect: shape [a[0], 4]
  %0 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction LT>} : (tensor<?x1xf32>, tensor<4xf32>) -> tensor<?x4xi1>
  return %0 : tensor<?x4xi1>
}

func.func @select(%p: tensor<i1>, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  // expect: refuted C1 with a[0] = 2, b[0] = 3
  %0 = chlo.broadcast_select %p, %a, %b : (tensor<i1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @unranked(%a: tensor<*xf32>, %b: tensor<f32>) -> tensor<*xf32> {
  // expect: proved C1
  %0 = chlo.broadcast_maximum %a, %b : (tensor<*xf32>, tensor<f32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
