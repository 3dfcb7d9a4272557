func.func @stated(%a: tensor<?x3xf32>) {
  %s0 = torch.symbolic_int "s0" {min_val = 2, max_val = 10} : !torch.int
  %t = "torch_c.from_builtin_tensor"(%a) : (tensor<?x3xf32>) -> !torch.vtensor<[?,3],f32>
  torch.bind_symbolic_shape %t, [%s0], affine_map<()[s0] -> (s0 * 2 + 1, 3)> : !torch.vtensor<[?,3],f32>
  %b = "torch_c.to_builtin_tensor"(%t) : (!torch.vtensor<[?,3],f32>) -> tensor<?x3xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  // expect: value a[0]
  %n = tensor.dim %b, %c0 : tensor<?x3xf32>
  %enough = arith.cmpi sge, %n, %c5 : index
  // expect: proved C1
  cf.assert %enough, "2 * 2 + 1 at least"
  %rest = arith.remui %n, %c2 : index
  %even = arith.cmpi eq, %rest, %c0 : index
  // expect: refuted C1
  cf.assert %even, "an odd size"
  return
}

func.func @another_types_argument(%x: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %s0 = torch.symbolic_int "s0" {min_val = 2, max_val = 10} : !torch.int
  torch.bind_symbolic_shape %x, [%s0], affine_map<()[s0] -> (s0 * 2 + 1, 3)> : !torch.vtensor<[?,3],f32>
  return %x : !torch.vtensor<[?,3],f32>
}
