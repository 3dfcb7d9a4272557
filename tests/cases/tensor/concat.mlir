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

// Elements are joined where all of them are known.
func.func @elements(%a: tensor<2xindex>, %b: tensor<?xindex>, %x: tensor<2xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %ones = tensor.from_elements %one, %one : tensor<2xf32>
  // expect: shape [4]
  %0 = tensor.concat dim(0) %x, %ones : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %numbers = tensor.from_elements %c1, %c2 : tensor<2xindex>
  // expect: shape [b[0] + 2]
  %1 = tensor.concat dim(0) %numbers, %b : (tensor<2xindex>, tensor<?xindex>) -> tensor<?xindex>
  // expect: shape [4]
  %2 = tensor.concat dim(0) %numbers, %numbers : (tensor<2xindex>, tensor<2xindex>) -> tensor<4xindex>
  %3 = tensor.extract %2[%c2] : tensor<4xindex>
  %same = arith.cmpi eq, %3, %c1 : index
  // expect: proved C1
  cf.assert %same, "the third is the first of the second part"
  return %0 : tensor<4xf32>
}
