func.func @ranges(%a: !torch.vtensor<[?],f32>, %n: !torch.int) {
  %c1 = torch.constant.int 0
  %s = torch.aten.size.int %a, %c1 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %c2 = torch.constant.int 4
  %c3 = torch.constant.none
  %c4 = torch.constant.none
  %c5 = torch.constant.bool false
  // expect: shape [a[0]]
  %0 = torch.aten.arange %s, %c2, %c3, %c4, %c5 : !torch.int, !torch.int, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[?],si64>
  %c6 = torch.constant.int 1
  %c7 = torch.constant.int 2
  %c8 = torch.constant.int 4
  %c9 = torch.constant.none
  %c10 = torch.constant.none
  %c11 = torch.constant.bool false
  // expect: refuted C1 with n = 0
  // expect: shape [n//2]
  %1 = torch.aten.arange.start_step %c6, %n, %c7, %c8, %c9, %c10, %c11 : !torch.int, !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[?],si64>
  %c12 = torch.constant.int 2
  %c13 = torch.constant.int 5
  %c14 = torch.constant.int 4
  %c15 = torch.constant.none
  %c16 = torch.constant.none
  %c17 = torch.constant.bool false
  %r = torch.aten.arange.start %c12, %c13, %c14, %c15, %c16, %c17 : !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[3],si64>
  %c18 = torch.constant.int 0
  %c19 = torch.constant.int -1
  %l = torch.aten.select.int %r, %c18, %c19 : !torch.vtensor<[3],si64>, !torch.int, !torch.int -> !torch.vtensor<[],si64>
  // expect: value 4
  %3 = torch.aten.item %l : !torch.vtensor<[],si64> -> !torch.int
  return
}

func.func @numbers_between(%n: !torch.int) {
  %c1 = torch.constant.float 0.000000e+00
  %c2 = torch.constant.float 1.000000e+00
  %c3 = torch.constant.none
  %c4 = torch.constant.none
  %c5 = torch.constant.none
  %c6 = torch.constant.none
  // expect: refuted C1
  // expect: shape [n]
  %0 = torch.aten.linspace %c1, %c2, %n, %c3, %c4, %c5, %c6 : !torch.float, !torch.float, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],f32>
  return
}
