func.func @margin(%a: tensor<?x?xf32>, %x: f32) -> tensor<?x?xf32> {
  // expect: proved
  // expect: shape [a[0] + 2, a[1] + 3]
  %0 = tensor.pad %a low[1, 0] high[1, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @to_sixteen(%a: tensor<?xf32>, %x: f32) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %rest = arith.subi %c16, %n : index
  // expect: refuted C1 with a[0] = 17
  // expect: shape [16]
  %0 = tensor.pad %a low[0] high[%rest] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<16xf32>
  return %0 : tensor<16xf32>
}

func.func @before_and_behind(%a: tensor<?x?xf32>, %l: index, %h: index, %x: f32) -> tensor<?x?xf32> {
  // expect: refuted C1 with l = -1
  // expect: shape [a[0] + l, a[1] + h]
  %0 = tensor.pad %a low[%l, 0] high[0, %h] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Without padding the region does not run, and asserts nothing.
func.func @perhaps_not_padded(%a: tensor<3xf32>, %h: index, %m: index, %x: f32) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %ok = arith.cmpi sge, %m, %c1 : index
  // expect: refuted C1 with h = -1
  %0 = tensor.pad %a low[0] high[%h] {
  ^bb0(%i: index):
    // expect: refuted C1
    cf.assert %ok, "in the region"
    tensor.yield %x : f32
  } : tensor<3xf32> to tensor<?xf32>
  // expect: undecided C1
  cf.assert %ok, "behind it"
  return %0 : tensor<?xf32>
}
