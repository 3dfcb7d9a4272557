func.func @halves(%a: tensor<?xf32>, %d: index) -> index {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  // expect: value (a[0] + 1)//2
  %0 = affine.apply affine_map<()[s0] -> (s0 ceildiv 2)>()[%n]
  // expect: value min(4, a[0])
  %1 = affine.min affine_map<()[s0] -> (s0, 4)>()[%n]
  // expect: refuted C1
  %2 = affine.apply affine_map<()[s0, s1] -> (s0 floordiv s1)>()[%n, %d]
  return %2 : index
}
