func.func @taken_apart(%a: !torch.vtensor<[?,3],f32>, %b: !torch.vtensor<[2],f32>) {
  %l = torch.prim.ListConstruct %a, %b : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[2],f32>) -> !torch.list<vtensor>
  // expect: shape [a[0], 3]
  %0:2 = torch.prim.ListUnpack %l : !torch.list<vtensor> -> !torch.vtensor<[?,3],f32>, !torch.vtensor<[2],f32>
  %c1 = torch.constant.int -2
  // expect: shape [a[0], 3]
  %1 = torch.aten.__getitem__.t %l, %c1 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,3],f32>
  // expect: value 2
  %2 = torch.aten.len.t %l : !torch.list<vtensor> -> !torch.int
  return
}

func.func @no_such_value() {
  %c2 = torch.constant.int 4
  %c3 = torch.constant.int 5
  %c1 = torch.prim.ListConstruct %c2, %c3 : (!torch.int, !torch.int) -> !torch.list<int>
  %c4 = torch.constant.int 2
  // expect: refuted C1
  %0 = torch.aten.__getitem__.t %c1, %c4 : !torch.list<int>, !torch.int -> !torch.int
  return
}

func.func @other_numbers() {
  %c2 = torch.constant.int 4
  %c3 = torch.constant.int 5
  %c1 = torch.prim.ListConstruct %c2, %c3 : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C1
  %0 = torch.prim.ListUnpack %c1 : !torch.list<int> -> !torch.int
  return
}

func.func @other_type(%a: !torch.int) {
  %o = torch.derefine %a : !torch.int to !torch.optional<int>
  // expect: value a
  %0 = torch.prim.unchecked_cast %o : !torch.optional<int> -> !torch.int
  return
}
