func.func @reversed(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  // expect: proved
  // expect: shape [a[0]]
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    %k = arith.subi %n, %i : index
    %j = arith.subi %k, %c1 : index
    // expect: proved C1
    %x = tensor.extract %a[%j] : tensor<?xf32>
    tensor.yield %x : f32
  } : tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @one_further(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    // expect: refuted C1 with a[0] = 2
    %x = tensor.extract %a[%j] : tensor<?xf32>
    tensor.yield %x : f32
  } : tensor<?xf32>
  return %0 : tensor<?xf32>
}
