func.func @strided(%a: !torch.vtensor<[?,?],f32>, %n: !torch.int) {
  %one = torch.constant.int 1
  %none = torch.constant.none
  %sizes = torch.prim.ListConstruct %n : (!torch.int) -> !torch.list<int>
  %steps = torch.prim.ListConstruct %one : (!torch.int) -> !torch.list<int>
  // expect: refuted C2 with n = -1
  // expect: undecided C3 because not modeled
  // expect: approximated where the elements of a tensor lie
  // expect: shape [n]
  %0 = torch.aten.as_strided %a, %sizes, %steps, %none : !torch.vtensor<[?,?],f32>, !torch.list<int>, !torch.list<int>, !torch.none -> !torch.vtensor<[?],f32>
  return
}

func.func @nothing(%a: !torch.vtensor<[?,?],f32>) {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %none = torch.constant.none
  %sizes = torch.prim.ListConstruct %zero, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %steps = torch.prim.ListConstruct %one : (!torch.int) -> !torch.list<int>
  %both = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: proved C3
  // expect: approximated where the elements of a tensor lie
  // expect: shape [0, 1]
  %0 = torch.aten.as_strided %a, %sizes, %both, %none : !torch.vtensor<[?,?],f32>, !torch.list<int>, !torch.list<int>, !torch.none -> !torch.vtensor<[?,?],f32>
  // expect: refuted C1
  %1 = torch.aten.as_strided %a, %sizes, %steps, %none : !torch.vtensor<[?,?],f32>, !torch.list<int>, !torch.list<int>, !torch.none -> !torch.vtensor<[?,?],f32>
  return
}

func.func @steps(%a: !torch.vtensor<[?,?],f32>) {
  %one = torch.constant.int 1
  // expect: approximated where the elements of a tensor lie
  %0 = torch.operator "torch.aten.sym_stride.int"(%a, %one) : (!torch.vtensor<[?,?],f32>, !torch.int) -> !torch.int
  return
}
