func.func @flattened(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %nm = arith.muli %n, %m : index
  %s = tensor.from_elements %nm : tensor<1xindex>
  // expect: proved
  // expect: shape [a[0]*a[1]]
  %0 = tensor.reshape %a(%s) : (tensor<?x?xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @minus_one(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c = arith.constant -1 : index
  %s = tensor.from_elements %c : tensor<1xindex>
  // expect: refuted C1
  // expect: unreachable C2
  %0 = tensor.reshape %a(%s) : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
