func.func @side_by_side(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expect: refuted C1
  // expect: shape [a[0], a[1] + b[1]]
  %0 = tensor.concat dim(1) %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @twice(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expect: proved C1
  // expect: shape [2*a[0], a[1]]
  %0 = tensor.concat dim(0) %a, %a : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @never_odd(%a: tensor<?xf32>) -> tensor<7xf32> {
  // expect: refuted T2
  %0 = tensor.concat dim(0) %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// Apart from the joined one, the extents are those of the first operand.
func.func @one_above_the_other(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expect: refuted C1
  // expect: shape [a[0] + b[0], a[1]]
  %0 = tensor.concat dim(0) %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
