func.func @continued(%a: !torch.vtensor<[?,3,?],f32>) {
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %l = torch.prim.ListConstruct %one, %two : (!torch.int, !torch.int) -> !torch.list<int>
  %mode = torch.constant.str "circular"
  %none = torch.constant.none
  // expect: refuted C2 with a[2] = 1
  // expect: proved C3
  // expect: shape [a[0], 3, a[2] + 3]
  %0 = torch.aten.pad %a, %l, %mode, %none : !torch.vtensor<[?,3,?],f32>, !torch.list<int>, !torch.str, !torch.none -> !torch.vtensor<[?,3,?],f32>
  return
}

func.func @mirrored(%a: !torch.vtensor<[?,?,?],f32>) {
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %l = torch.prim.ListConstruct %one, %two : (!torch.int, !torch.int) -> !torch.list<int>
  %mode = torch.constant.str "reflect"
  %none = torch.constant.none
  // expect: refuted C2 with a[2] = 2
  // expect: refuted C4 with a[1] = 0
  // expect: shape [a[0], a[1], a[2] + 3]
  %0 = torch.aten.pad %a, %l, %mode, %none : !torch.vtensor<[?,?,?],f32>, !torch.list<int>, !torch.str, !torch.none -> !torch.vtensor<[?,?,?],f32>
  return
}

func.func @cut(%a: !torch.vtensor<[?],f32>) {
  %one = torch.constant.int -1
  %two = torch.constant.int -2
  %l = torch.prim.ListConstruct %one, %two : (!torch.int, !torch.int) -> !torch.list<int>
  %mode = torch.constant.str "constant"
  %ends = torch.constant.str "replicate"
  %half = torch.constant.float 0.5
  %none = torch.constant.none
  // expect: refuted C3 with a[0] = 2
  // expect: shape [a[0] - 3]
  %0 = torch.aten.pad %a, %l, %mode, %half : !torch.vtensor<[?],f32>, !torch.list<int>, !torch.str, !torch.float -> !torch.vtensor<[?],f32>
  // expect: refuted C1
  %1 = torch.aten.pad %a, %l, %ends, %none : !torch.vtensor<[?],f32>, !torch.list<int>, !torch.str, !torch.none -> !torch.vtensor<[?],f32>
  return
}

func.func @a_value_for_nothing(%a: !torch.vtensor<[?,?],f32>) {
  %one = torch.constant.int 1
  %l = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %ends = torch.constant.str "replicate"
  %half = torch.constant.float 0.5
  // expect: refuted C5
  %0 = torch.aten.pad %a, %l, %ends, %half : !torch.vtensor<[?,?],f32>, !torch.list<int>, !torch.str, !torch.float -> !torch.vtensor<[?,?],f32>
  return
}
