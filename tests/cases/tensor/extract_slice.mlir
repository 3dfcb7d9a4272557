func.func @all_of_it(%a: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x8xf32>
  // expect: proved
  // expect: shape [a[0], 8]
  %0 = tensor.extract_slice %a[0, 0] [%n, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

func.func @first_two(%a: tensor<?xf32>) -> tensor<2xf32> {
  // expect: proved C1
  // expect: proved C2
  // expect: refuted C3 with a[0] = 1
  %0 = tensor.extract_slice %a[0] [2] [1] : tensor<?xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func @every_other(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = arith.addi %n, %c1 : index
  %h = arith.divui %m, %c2 : index
  // expect: proved
  %0 = tensor.extract_slice %a[0] [%h] [2] : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// An empty slice may begin at the end, not behind it.
func.func @nothing(%a: tensor<?xf32>, %o: index) -> tensor<0xf32> {
  // expect: refuted C2
  %0 = tensor.extract_slice %a[%o] [0] [1] : tensor<?xf32> to tensor<0xf32>
  return %0 : tensor<0xf32>
}

// assume: a[0] >= 1
func.func @one_row(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  // expect: proved
  // expect: shape [a[1]]
  %0 = tensor.extract_slice %a[0, 0] [1, %m] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}
