func.func @slices(%a: !torch.vtensor<[?,6],f32>) {
  %c1 = torch.constant.int 0
  %c2 = torch.constant.int 0
  %c3 = torch.constant.int 9223372036854775807
  %c4 = torch.constant.int 1
  // expect: shape [a[0], 6]
  %0 = torch.aten.slice.Tensor %a, %c1, %c2, %c3, %c4 : !torch.vtensor<[?,6],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,6],f32>
  %c5 = torch.constant.int 0
  %c6 = torch.constant.int 1
  %c7 = torch.constant.int -1
  %c8 = torch.constant.int 1
  // expect: shape [max(1, max(1, a[0]) - min(1, a[0])) - 1, 6]
  %1 = torch.aten.slice.Tensor %a, %c5, %c6, %c7, %c8 : !torch.vtensor<[?,6],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,6],f32>
  %c9 = torch.constant.int 1
  %c10 = torch.constant.none
  %c11 = torch.constant.int 5
  %c12 = torch.constant.int 2
  // expect: shape [a[0], 3]
  %2 = torch.aten.slice.Tensor %a, %c9, %c10, %c11, %c12 : !torch.vtensor<[?,6],f32>, !torch.int, !torch.none, !torch.int, !torch.int -> !torch.vtensor<[?,3],f32>
  return
}

func.func @replaced(%a: !torch.vtensor<[?,6],f32>, %b: !torch.vtensor<[?,6],f32>) {
  %c1 = torch.constant.int 0
  %c2 = torch.constant.int 2
  %c3 = torch.constant.none
  %c4 = torch.constant.int 1
  // expect: refuted C1
  // expect: shape [a[0], 6]
  %0 = torch.aten.slice_scatter %a, %b, %c1, %c2, %c3, %c4 : !torch.vtensor<[?,6],f32>, !torch.vtensor<[?,6],f32>, !torch.int, !torch.int, !torch.none, !torch.int -> !torch.vtensor<[?,6],f32>
  return
}

func.func @selected(%a: !torch.vtensor<[?,6],f32>, %b: !torch.vtensor<[?],f32>) {
  %c1 = torch.constant.int 0
  %c2 = torch.constant.int -2
  // expect: refuted C1 with a[0] = 1
  // expect: shape [6]
  %0 = torch.aten.select.int %a, %c1, %c2 : !torch.vtensor<[?,6],f32>, !torch.int, !torch.int -> !torch.vtensor<[6],f32>
  %c3 = torch.constant.int 1
  %c4 = torch.constant.int 3
  // expect: refuted C1
  // expect: shape [a[0], 6]
  %1 = torch.aten.select_scatter %a, %b, %c3, %c4 : !torch.vtensor<[?,6],f32>, !torch.vtensor<[?],f32>, !torch.int, !torch.int -> !torch.vtensor<[?,6],f32>
  return
}

func.func @no_place(%a: !torch.vtensor<[6,?],f32>, %b: !torch.vtensor<[6],f32>) {
  %c1 = torch.constant.int 1
  %c2 = torch.constant.int 0
  // expect: refuted C2 with a[1] = 0
  %0 = torch.aten.select_scatter %a, %b, %c1, %c2 : !torch.vtensor<[6,?],f32>, !torch.vtensor<[6],f32>, !torch.int, !torch.int -> !torch.vtensor<[6,?],f32>
  return
}

func.func @narrowed(%a: !torch.vtensor<[?,6],f32>, %n: !torch.int) {
  %c1 = torch.constant.int 0
  %c2 = torch.constant.int 1
  // expect: refuted C1
  // expect: refuted C2
  // expect: shape [n, 6]
  %0 = torch.aten.narrow %a, %c1, %c2, %n : !torch.vtensor<[?,6],f32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,6],f32>
  return
}

func.func @windows(%a: !torch.vtensor<[2,?],f32>) {
  %c1 = torch.constant.int 1
  %c2 = torch.constant.int 3
  %c3 = torch.constant.int 2
  // expect: refuted C1
  // expect: shape [2, (a[1] - 1)//2, 3]
  %0 = torch.aten.unfold %a, %c1, %c2, %c3 : !torch.vtensor<[2,?],f32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[2,?,3],f32>
  %c4 = torch.constant.int 1
  %c5 = torch.constant.int 0
  %c6 = torch.constant.int 1
  // expect: shape [max(1, min(3, a[1])) - 1]
  %1 = torch.aten.diagonal %a, %c4, %c5, %c6 : !torch.vtensor<[2,?],f32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?],f32>
  return
}

func.func @gated(%a: !torch.vtensor<[?,?],f32>) {
  %one = torch.constant.int 1
  // expect: refuted C2 with a[1] = 3
  // expect: shape [a[0], a[1]//2]
  %0 = torch.aten.glu %a, %one : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.vtensor<[?,?],f32>
  return
}

func.func @gated_scalar(%a: !torch.vtensor<[],f32>) {
  %zero = torch.constant.int 0
  // expect: refuted C1
  %0 = torch.aten.glu %a, %zero : !torch.vtensor<[],f32>, !torch.int -> !torch.vtensor<[],f32>
  return
}
