func.func @pools(%a: !torch.vtensor<[?,3,?,?],f32>) {
  %c2 = torch.constant.int 3
  %c3 = torch.constant.int 3
  %c1 = torch.prim.ListConstruct %c2, %c3 : (!torch.int, !torch.int) -> !torch.list<int>
  %c5 = torch.constant.int 2
  %c6 = torch.constant.int 2
  %c4 = torch.prim.ListConstruct %c5, %c6 : (!torch.int, !torch.int) -> !torch.list<int>
  %c8 = torch.constant.int 1
  %c9 = torch.constant.int 1
  %c7 = torch.prim.ListConstruct %c8, %c9 : (!torch.int, !torch.int) -> !torch.list<int>
  %c11 = torch.constant.int 1
  %c12 = torch.constant.int 1
  %c10 = torch.prim.ListConstruct %c11, %c12 : (!torch.int, !torch.int) -> !torch.list<int>
  %c13 = torch.constant.bool false
  // expect: refuted C2
  // expect: shape [a[0], 3, (a[2] + 1)//2, (a[3] + 1)//2]
  %0 = torch.aten.max_pool2d %a, %c1, %c4, %c7, %c10, %c13 : !torch.vtensor<[?,3,?,?],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[?,3,?,?],f32>
  %c15 = torch.constant.int 2
  %c16 = torch.constant.int 2
  %c14 = torch.prim.ListConstruct %c15, %c16 : (!torch.int, !torch.int) -> !torch.list<int>
  %c18 = torch.constant.int 2
  %c19 = torch.constant.int 2
  %c17 = torch.prim.ListConstruct %c18, %c19 : (!torch.int, !torch.int) -> !torch.list<int>
  %c21 = torch.constant.int 0
  %c22 = torch.constant.int 0
  %c20 = torch.prim.ListConstruct %c21, %c22 : (!torch.int, !torch.int) -> !torch.list<int>
  %c23 = torch.constant.bool true
  %c24 = torch.constant.bool true
  %c25 = torch.constant.none
  // expect: shape [a[0], 3, (a[2] + 1)//2, (a[3] + 1)//2]
  %1 = torch.aten.avg_pool2d %a, %c14, %c17, %c20, %c23, %c24, %c25 : !torch.vtensor<[?,3,?,?],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[?,3,?,?],f32>
  return
}

// assume: a[2] >= 1
func.func @too_small(%a: !torch.vtensor<[?,3,?],f32>) {
  %c2 = torch.constant.int 4
  %c1 = torch.prim.ListConstruct %c2 : (!torch.int) -> !torch.list<int>
  %c4 = torch.constant.int 2
  %c3 = torch.prim.ListConstruct %c4 : (!torch.int) -> !torch.list<int>
  %c6 = torch.constant.int 0
  %c5 = torch.prim.ListConstruct %c6 : (!torch.int) -> !torch.list<int>
  %c8 = torch.constant.int 1
  %c7 = torch.prim.ListConstruct %c8 : (!torch.int) -> !torch.list<int>
  %c9 = torch.constant.bool false
  // expect: refuted C3
  // expect: shape [a[0], 3, a[2]//2 - 1]
  %0 = torch.aten.max_pool1d %a, %c1, %c3, %c5, %c7, %c9 : !torch.vtensor<[?,3,?],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[?,3,?],f32>
  return
}

func.func @other_rank(%a: !torch.vtensor<[?],f32>) {
  %c2 = torch.constant.int 4
  %c1 = torch.prim.ListConstruct %c2 : (!torch.int) -> !torch.list<int>
  %c4 = torch.constant.int 2
  %c3 = torch.prim.ListConstruct %c4 : (!torch.int) -> !torch.list<int>
  %c6 = torch.constant.int 0
  %c5 = torch.prim.ListConstruct %c6 : (!torch.int) -> !torch.list<int>
  %c7 = torch.constant.bool false
  %c8 = torch.constant.bool true
  // expect: refuted C1
  %0 = torch.aten.avg_pool1d %a, %c1, %c3, %c5, %c7, %c8 : !torch.vtensor<[?],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool -> !torch.vtensor<[?],f32>
  return
}

func.func @adaptive(%a: !torch.vtensor<[?,3,?,?],f32>, %n: !torch.int) {
  %c2 = torch.constant.int 1
  %c3 = torch.constant.int 1
  %c1 = torch.prim.ListConstruct %c2, %c3 : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: shape [a[0], 3, 1, 1]
  %0 = torch.aten.adaptive_avg_pool2d %a, %c1 : !torch.vtensor<[?,3,?,?],f32>, !torch.list<int> -> !torch.vtensor<[?,3,1,1],f32>
  %c5 = torch.constant.int 4
  %c4 = torch.prim.ListConstruct %n, %c5 : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C2
  // expect: refuted C3
  // expect: shape [a[0], 3, n, 4]
  %1 = torch.aten.adaptive_avg_pool2d %a, %c4 : !torch.vtensor<[?,3,?,?],f32>, !torch.list<int> -> !torch.vtensor<[?,3,?,4],f32>
  return
}

func.func @adaptive_of_other_rank(%a: !torch.vtensor<[?],f32>) {
  %c2 = torch.constant.int 1
  %c3 = torch.constant.int 1
  %c1 = torch.prim.ListConstruct %c2, %c3 : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C1
  %0 = torch.aten.adaptive_avg_pool2d %a, %c1 : !torch.vtensor<[?],f32>, !torch.list<int> -> !torch.vtensor<[?],f32>
  return
}

func.func @padded_unequally(%a: !torch.vtensor<[1,3,?,?],f32>) {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %no = torch.constant.bool false
  %none = torch.constant.none
  %window = torch.prim.ListConstruct %two, %two : (!torch.int, !torch.int) -> !torch.list<int>
  %steps = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %padding = torch.prim.ListConstruct %zero, %zero, %one, %one : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C2
  // expect: shape [1, 3, a[2], a[3]]
  %0 = torch.aten.avg_pool2d %a, %window, %steps, %padding, %no, %no, %none : !torch.vtensor<[1,3,?,?],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[1,3,?,?],f32>
  return
}
