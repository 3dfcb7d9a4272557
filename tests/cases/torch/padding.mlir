func.func @padded(%a: !torch.vtensor<[?,?],f32>, %n: !torch.int) {
  %c2 = torch.constant.int 1
  %c3 = torch.constant.int 2
  %c4 = torch.constant.int -3
  %c5 = torch.constant.int 0
  %c1 = torch.prim.ListConstruct %c2, %c3, %c4, %c5 : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %c6 = torch.constant.float 0.000000e+00
  // expect: refuted C1 with a[0] = 2
  // expect: shape [a[0] - 3, a[1] + 3]
  %0 = torch.aten.constant_pad_nd %a, %c1, %c6 : !torch.vtensor<[?,?],f32>, !torch.list<int>, !torch.float -> !torch.vtensor<[?,?],f32>
  return
}

func.func @mirrored(%a: !torch.vtensor<[2,3,?],f32>) {
  %c2 = torch.constant.int 2
  %c3 = torch.constant.int 0
  %c1 = torch.prim.ListConstruct %c2, %c3 : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C2 with a[2] = 2
  // expect: shape [2, 3, a[2] + 2]
  %0 = torch.aten.reflection_pad1d %a, %c1 : !torch.vtensor<[2,3,?],f32>, !torch.list<int> -> !torch.vtensor<[2,3,?],f32>
  return
}

func.func @repeated_ends(%a: !torch.vtensor<[2,?,?],f32>) {
  %c2 = torch.constant.int -2
  %c3 = torch.constant.int 0
  %c1 = torch.prim.ListConstruct %c2, %c3 : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C3
  // expect: refuted C4 with a[1] = 0
  // expect: shape [2, a[1], a[2] - 2]
  %0 = torch.aten.replication_pad1d %a, %c1 : !torch.vtensor<[2,?,?],f32>, !torch.list<int> -> !torch.vtensor<[2,?,?],f32>
  return
}

func.func @without_channels(%a: !torch.vtensor<[?],f32>) {
  %c2 = torch.constant.int 1
  %c3 = torch.constant.int 1
  %c1 = torch.prim.ListConstruct %c2, %c3 : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C1
  %0 = torch.aten.reflection_pad1d %a, %c1 : !torch.vtensor<[?],f32>, !torch.list<int> -> !torch.vtensor<[?],f32>
  return
}
