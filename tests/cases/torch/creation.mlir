func.func @sizes(%n: !torch.int) {
  %c2 = torch.constant.int 3
  %c1 = torch.prim.ListConstruct %n, %c2 : (!torch.int, !torch.int) -> !torch.list<int>
  %c3 = torch.constant.int 6
  %c4 = torch.constant.none
  %c5 = torch.constant.none
  %c6 = torch.constant.bool false
  // expect: refuted C1
  // expect: shape [n, 3]
  %0 = torch.aten.zeros %c1, %c3, %c4, %c5, %c6 : !torch.list<int>, !torch.int, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[?,3],f32>
  return
}

func.func @memory(%n: !torch.int) {
  %c2 = torch.constant.int 3
  %c1 = torch.prim.ListConstruct %n, %c2 : (!torch.int, !torch.int) -> !torch.list<int>
  %c3 = torch.constant.int 6
  %c4 = torch.constant.none
  %c5 = torch.constant.none
  %c6 = torch.constant.bool false
  %c7 = torch.constant.none
  // expect: refuted C1
  // expect: shape [n, 3]
  %0 = torch.aten.empty.memory_format %c1, %c3, %c4, %c5, %c6, %c7 : !torch.list<int>, !torch.int, !torch.none, !torch.none, !torch.bool, !torch.none -> !torch.vtensor<[?,3],f32>
  return
}

func.func @identity(%n: !torch.int) {
  %c1 = torch.constant.none
  %c2 = torch.constant.none
  %c3 = torch.constant.none
  %c4 = torch.constant.none
  // expect: refuted C1
  // expect: shape [n, n]
  %0 = torch.aten.eye %n, %c1, %c2, %c3, %c4 : !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?,?],f32>
  return
}
