func.func @spectra(%a: !torch.vtensor<[?,?],f32>, %n: !torch.int) {
  %none = torch.constant.none
  %zero = torch.constant.int 0
  %last = torch.constant.int -1
  // expect: refuted C2 with a[1] = 0
  // expect: shape [a[0], a[1]//2 + 1]
  %0 = torch.aten.fft_rfft %a, %none, %last, %none : !torch.vtensor<[?,?],f32>, !torch.none, !torch.int, !torch.none -> !torch.vtensor<[?,?],complex<f32>>
  // expect: refuted C2 with a[1] = 1
  // expect: shape [a[0], a[1] - a[1] % 2]
  %1 = torch.operator "torch.aten.fft_irfft"(%0, %none, %last, %none) : (!torch.vtensor<[?,?],complex<f32>>, !torch.none, !torch.int, !torch.none) -> !torch.vtensor<[?,?],f32>
  // expect: refuted C2 with n = 0
  // expect: shape [n, a[1]]
  %2 = torch.aten.fft_fft %a, %n, %zero, %none : !torch.vtensor<[?,?],f32>, !torch.int, !torch.int, !torch.none -> !torch.vtensor<[?,?],complex<f32>>
  return
}

func.func @no_dimension(%a: !torch.vtensor<[],f32>) {
  %none = torch.constant.none
  %last = torch.constant.int -1
  // expect: refuted C1
  %0 = torch.aten.fft_rfft %a, %none, %last, %none : !torch.vtensor<[],f32>, !torch.none, !torch.int, !torch.none -> !torch.vtensor<[],complex<f32>>
  return
}

func.func @decomposed(%a: !torch.vtensor<[?,?],f32>, %c: !torch.vtensor<[?,?],complex<f32>>, %n: !torch.int) {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %yes = torch.constant.bool true
  %both = torch.prim.ListConstruct %zero, %one : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C2 with a[0] = 0
  // expect: shape [a[0], a[1]//2 + 1]
  %0 = torch.operator "torch.aten._fft_r2c"(%a, %both, %zero, %yes) : (!torch.vtensor<[?,?],f32>, !torch.list<int>, !torch.int, !torch.bool) -> !torch.vtensor<[?,?],complex<f32>>
  // expect: refuted C2
  // expect: refuted C3
  // expect: shape [c[0], n]
  %1 = torch.operator "torch.aten._fft_c2r"(%c, %both, %zero, %n) : (!torch.vtensor<[?,?],complex<f32>>, !torch.list<int>, !torch.int, !torch.int) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @decomposed_of_complex_numbers(%c: !torch.vtensor<[?,?],complex<f32>>) {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %yes = torch.constant.bool true
  %axes = torch.prim.ListConstruct %one : (!torch.int) -> !torch.list<int>
  // expect: refuted C2 with c[1] = 0
  // expect: shape [c[0], c[1]]
  %0 = torch.operator "torch.aten._fft_c2c"(%c, %axes, %zero, %yes) : (!torch.vtensor<[?,?],complex<f32>>, !torch.list<int>, !torch.int, !torch.bool) -> !torch.vtensor<[?,?],complex<f32>>
  return
}

func.func @over_several(%a: !torch.vtensor<[?,?,?],f32>, %n: !torch.int) {
  %none = torch.constant.none
  %one = torch.constant.int 1
  %last = torch.constant.int -1
  %axes = torch.prim.ListConstruct %one, %last : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C2 with a[1] = 0
  // expect: shape [a[0], a[1], a[2]]
  %0 = torch.operator "torch.aten.fft_fftn"(%a, %none, %axes, %none) : (!torch.vtensor<[?,?,?],f32>, !torch.none, !torch.list<int>, !torch.none) -> !torch.vtensor<[?,?,?],complex<f32>>
  // expect: proved C2
  // expect: shape [a[0], a[1], a[2]//2 + 1]
  %1 = torch.operator "torch.aten.fft_rfftn"(%a, %none, %axes, %none) : (!torch.vtensor<[?,?,?],f32>, !torch.none, !torch.list<int>, !torch.none) -> !torch.vtensor<[?,?,?],complex<f32>>
  // expect: refuted C2 with a[2] = 1
  // expect: shape [a[0], a[1], a[2] - a[2] % 2]
  %2 = torch.operator "torch.aten.fft_irfft2"(%1, %none, %axes, %none) : (!torch.vtensor<[?,?,?],complex<f32>>, !torch.none, !torch.list<int>, !torch.none) -> !torch.vtensor<[?,?,?],f32>
  %points = torch.prim.ListConstruct %n, %last : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C2 with n = 0
  // expect: shape [a[0], select(n + 1 == 0, a[1], n), a[2]]
  %3 = torch.operator "torch.aten.fft_ifftn"(%a, %points, %none, %none) : (!torch.vtensor<[?,?,?],f32>, !torch.list<int>, !torch.none, !torch.none) -> !torch.vtensor<[?,?,?],complex<f32>>
  %more = torch.prim.ListConstruct %n, %last, %n : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C3
  %4 = torch.operator "torch.aten.fft_ifftn"(%a, %more, %axes, %none) : (!torch.vtensor<[?,?,?],f32>, !torch.list<int>, !torch.list<int>, !torch.none) -> !torch.vtensor<[?,?,?],complex<f32>>
  return
}

func.func @over_a_dimension_named_twice(%a: !torch.vtensor<[?,?],f32>) {
  %none = torch.constant.none
  %one = torch.constant.int 1
  %last = torch.constant.int -1
  %axes = torch.prim.ListConstruct %one, %last : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C1
  %0 = torch.operator "torch.aten.fft_fftn"(%a, %none, %axes, %none) : (!torch.vtensor<[?,?],f32>, !torch.none, !torch.list<int>, !torch.none) -> !torch.vtensor<[?,?],complex<f32>>
  return
}
