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
