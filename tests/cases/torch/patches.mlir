func.func @patches(%a: !torch.vtensor<[?,?,?,8],f32>) {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %twos = torch.prim.ListConstruct %two, %two : (!torch.int, !torch.int) -> !torch.list<int>
  %ones = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %zeros = torch.prim.ListConstruct %zero, %zero : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C2 with a[1] = 0
  // expect: refuted C3 with a[2] = 1
  // expect: shape [a[0], 4*a[1], 2*a[2] - 2*(a[2] % 2)]
  %0 = torch.aten.im2col %a, %twos, %ones, %zeros, %twos : !torch.vtensor<[?,?,?,8],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int> -> !torch.vtensor<[?,?,?],f32>
  return
}

func.func @no_image(%m: !torch.vtensor<[?,?],f32>) {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %twos = torch.prim.ListConstruct %two, %two : (!torch.int, !torch.int) -> !torch.list<int>
  %ones = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %zeros = torch.prim.ListConstruct %zero, %zero : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C1
  %1 = torch.aten.im2col %m, %twos, %ones, %zeros, %twos : !torch.vtensor<[?,?],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int> -> !torch.vtensor<[?,?,?],f32>
  return
}

func.func @put_together(%a: !torch.vtensor<[?,?,?],f32>, %v: !torch.vtensor<[?],f32>, %h: !torch.int) {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %four = torch.constant.int 4
  %sizes = torch.prim.ListConstruct %h, %four : (!torch.int, !torch.int) -> !torch.list<int>
  %twos = torch.prim.ListConstruct %two, %two : (!torch.int, !torch.int) -> !torch.list<int>
  %ones = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %zeros = torch.prim.ListConstruct %zero, %zero : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C2
  // expect: refuted C3
  // expect: refuted C4
  // expect: refuted C5
  // expect: shape [a[0], a[1]//4, h, 4]
  %0 = torch.aten.col2im %a, %sizes, %twos, %ones, %zeros, %twos : !torch.vtensor<[?,?,?],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int> -> !torch.vtensor<[?,?,?,4],f32>
  // expect: refuted C1
  %1 = torch.aten.col2im %v, %sizes, %twos, %ones, %zeros, %twos : !torch.vtensor<[?],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int> -> !torch.vtensor<[?,?,4],f32>
  return
}
