func.func @product(%a: !torch.vtensor<[?,?],f32>, %b: !torch.vtensor<[?,?],f32>) {
  %e = torch.constant.str "ij,jk->ik"
  %none = torch.constant.none
  %l = torch.prim.ListConstruct %a, %b : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>) -> !torch.list<vtensor>
  // expect: refuted C4 with a[1] = 2, b[0] = 3
  // expect: shape [a[0], b[1]]
  %0 = torch.aten.einsum %e, %l, %none : !torch.str, !torch.list<vtensor>, !torch.none -> !torch.vtensor<[?,?],f32>
  return
}

func.func @diagonal(%a: !torch.vtensor<[?,?],f32>, %b: !torch.vtensor<[?,4,2],f32>) {
  %e = torch.constant.str "ii"
  %f = torch.constant.str "... i -> i ..."
  %none = torch.constant.none
  %l = torch.prim.ListConstruct %a : (!torch.vtensor<[?,?],f32>) -> !torch.list<vtensor>
  %m = torch.prim.ListConstruct %b : (!torch.vtensor<[?,4,2],f32>) -> !torch.list<vtensor>
  // expect: refuted C3
  // expect: shape []
  %0 = torch.aten.einsum %e, %l, %none : !torch.str, !torch.list<vtensor>, !torch.none -> !torch.vtensor<[],f32>
  // expect: shape [2, b[0], 4]
  %1 = torch.aten.einsum %f, %m, %none : !torch.str, !torch.list<vtensor>, !torch.none -> !torch.vtensor<[2,?,4],f32>
  // expect: refuted C2
  %2 = torch.aten.einsum %e, %m, %none : !torch.str, !torch.list<vtensor>, !torch.none -> !torch.vtensor<[],f32>
  return
}

func.func @no_such_result(%a: !torch.vtensor<[?,?],f32>) {
  %e = torch.constant.str "ij->k"
  %none = torch.constant.none
  %l = torch.prim.ListConstruct %a : (!torch.vtensor<[?,?],f32>) -> !torch.list<vtensor>
  // expect: refuted C1
  %0 = torch.aten.einsum %e, %l, %none : !torch.str, !torch.list<vtensor>, !torch.none -> !torch.vtensor<[?],f32>
  return
}

func.func @one_of_two_equations(%c: !torch.bool, %a: !torch.vtensor<[?,3],f32>) {
  %e = torch.constant.str "ij->i"
  %f = torch.constant.str "ij->j"
  %none = torch.constant.none
  %l = torch.prim.ListConstruct %a : (!torch.vtensor<[?,3],f32>) -> !torch.list<vtensor>
  %g = torch.prim.If %c -> (!torch.str) {
    torch.prim.If.yield %e : !torch.str
  } else {
    torch.prim.If.yield %f : !torch.str
  }
  // expect: approximated the text %g is not known
  %0 = torch.aten.einsum %g, %l, %none : !torch.str, !torch.list<vtensor>, !torch.none -> !torch.vtensor<[?],f32>
  return
}

func.func @bilinear(%a: !torch.vtensor<[?,?],f32>, %w: !torch.vtensor<[5,3,4],f32>, %b: !torch.vtensor<[?,?],f32>) {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %int3 = torch.constant.int 3
  %first = torch.prim.ListConstruct %int1, %int3 : (!torch.int, !torch.int) -> !torch.list<int>
  %middle = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  %last = torch.prim.ListConstruct %int1, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %summed = torch.prim.ListConstruct %int2, %int3 : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C1 with a[1] = 2
  // expect: refuted C2 with b[1] = 2
  // expect: refuted C3 with a[0] = 2, b[0] = 3
  // expect: shape [b[0], 5]
  %0 = torch.aten._trilinear %a, %w, %b, %first, %middle, %last, %summed, %int1 : !torch.vtensor<[?,?],f32>, !torch.vtensor<[5,3,4],f32>, !torch.vtensor<[?,?],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[?,5],f32>
  return
}
