func.func @joined(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[2,?],f32>) {
  %c1 = torch.prim.ListConstruct %a, %b : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[2,?],f32>) -> !torch.list<vtensor>
  %c2 = torch.constant.int 0
  // expect: refuted C3 with b[1] = 2
  // expect: shape [a[0] + 2, 4]
  %0 = torch.aten.cat %c1, %c2 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,4],f32>
  return
}

func.func @nothing_to_join(%a: !torch.vtensor<[],f32>) {
  %c1 = torch.prim.ListConstruct %a : (!torch.vtensor<[],f32>) -> !torch.list<vtensor>
  %c2 = torch.constant.int 0
  // expect: refuted C1
  %0 = torch.aten.cat %c1, %c2 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?],f32>
  return
}

func.func @other_rank(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[?],f32>) {
  %c1 = torch.prim.ListConstruct %a, %b : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?],f32>) -> !torch.list<vtensor>
  %c2 = torch.constant.int 0
  // expect: refuted C2 with b[0] = 2
  // expect: shape [a[0], 4]
  %0 = torch.aten.cat %c1, %c2 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,4],f32>
  return
}

func.func @stacked(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[?,4],f32>) {
  %c1 = torch.prim.ListConstruct %a, %b : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>) -> !torch.list<vtensor>
  %c2 = torch.constant.int -1
  // expect: refuted C3
  // expect: shape [a[0], 4, 2]
  %0 = torch.aten.stack %c1, %c2 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,4,2],f32>
  return
}

func.func @nothing_to_stack() {
  %l = torch.prim.ListConstruct  : () -> !torch.list<vtensor>
  %c1 = torch.constant.int 0
  // expect: refuted C1
  %0 = torch.aten.stack %l, %c1 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?],f32>
  return
}

func.func @beside(%a: !torch.vtensor<[?,?],f32>, %b: !torch.vtensor<[?],f32>, %s: !torch.vtensor<[],f32>) {
  %l = torch.prim.ListConstruct %a, %b : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?],f32>) -> !torch.list<vtensor>
  %m = torch.prim.ListConstruct %b, %s : (!torch.vtensor<[?],f32>, !torch.vtensor<[],f32>) -> !torch.list<vtensor>
  %n = torch.prim.ListConstruct : () -> !torch.list<vtensor>
  // expect: refuted C3
  // expect: shape [a[0], a[1] + 1]
  %0 = torch.aten.column_stack %l : !torch.list<vtensor> -> !torch.vtensor<[?,?],f32>
  // expect: shape [b[0] + 1]
  %1 = torch.aten.hstack %m : !torch.list<vtensor> -> !torch.vtensor<[?],f32>
  // expect: refuted C2
  %2 = torch.aten.hstack %l : !torch.list<vtensor> -> !torch.vtensor<[?,?],f32>
  // expect: refuted C1
  %3 = torch.aten.hstack %n : !torch.list<vtensor> -> !torch.vtensor<[?,?],f32>
  return
}
