func.func @spectrogram(%x: !torch.vtensor<[?,?],f32>, %w: !torch.vtensor<[?],f32>) {
  %none = torch.constant.none
  %no = torch.constant.bool false
  %yes = torch.constant.bool true
  %n = torch.constant.int 16
  %hop = torch.constant.int 4
  // expect: refuted C2 with x[1] = 2
  // expect: proved C3
  // expect: proved C4
  // expect: refuted C5 with w[0] = 2
  // expect: shape [x[0], 9, x[1]//4 - 3]
  %0 = torch.aten.stft %x, %n, %hop, %none, %w, %no, %none, %yes, %none : !torch.vtensor<[?,?],f32>, !torch.int, !torch.int, !torch.none, !torch.vtensor<[?],f32>, !torch.bool, !torch.none, !torch.bool, !torch.none -> !torch.vtensor<[?,?,?],complex<f32>>
  // expect: proved C2
  // expect: shape [x[0], 16, x[1]//4 - 3, 2]
  %1 = torch.aten.stft %x, %n, %none, %n, %none, %no, %no, %no, %no : !torch.vtensor<[?,?],f32>, !torch.int, !torch.none, !torch.int, !torch.none, !torch.bool, !torch.bool, !torch.bool, !torch.bool -> !torch.vtensor<[?,?,?,?],f32>
  return
}

func.func @windows(%x: !torch.vtensor<[?],f32>, %hop: !torch.int, %width: !torch.int, %w: !torch.vtensor<[8,1],f32>) {
  %none = torch.constant.none
  %no = torch.constant.bool false
  %yes = torch.constant.bool true
  %n = torch.constant.int 8
  %two = torch.constant.int 2
  // expect: refuted C2 with x[0] = 2
  // expect: refuted C3 with hop = 0
  // expect: refuted C4 with width = 0
  // expect: refuted C5
  %0 = torch.aten.stft %x, %n, %hop, %width, %w, %no, %yes, %yes, %none : !torch.vtensor<[?],f32>, !torch.int, !torch.int, !torch.int, !torch.vtensor<[8,1],f32>, !torch.bool, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[?,?],complex<f32>>
  return
}

func.func @aligned(%x: !torch.vtensor<[?],f32>) {
  %none = torch.constant.none
  %no = torch.constant.bool false
  %yes = torch.constant.bool true
  %n = torch.constant.int 8
  %four = torch.constant.int 4
  %seven = torch.constant.int 7
  // expect: refuted C2 with x[0] = 2
  // expect: proved C8
  // expect: shape [5, x[0]//4]
  %0 = torch.aten.stft %x, %n, %four, %four, %none, %no, %none, %yes, %yes : !torch.vtensor<[?],f32>, !torch.int, !torch.int, !torch.int, !torch.none, !torch.bool, !torch.none, !torch.bool, !torch.bool -> !torch.vtensor<[?,?],complex<f32>>
  // expect: proved C2
  // expect: refuted C8 with x[0] = 11
  %1 = torch.aten.stft %x, %n, %four, %seven, %none, %no, %none, %yes, %yes : !torch.vtensor<[?],f32>, !torch.int, !torch.int, !torch.int, !torch.none, !torch.bool, !torch.none, !torch.bool, !torch.bool -> !torch.vtensor<[?,?],complex<f32>>
  return
}

func.func @complex_ones(%x: !torch.vtensor<[9],complex<f32>>) {
  %none = torch.constant.none
  %no = torch.constant.bool false
  %yes = torch.constant.bool true
  %n = torch.constant.int 8
  // expect: proved C2
  // expect: shape [8, 1]
  %0 = torch.aten.stft %x, %n, %none, %none, %none, %no, %none, %none, %none : !torch.vtensor<[9],complex<f32>>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?,?],complex<f32>>
  // expect: refuted C7
  %1 = torch.aten.stft %x, %n, %none, %none, %none, %no, %yes, %yes, %none : !torch.vtensor<[9],complex<f32>>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[?,?],complex<f32>>
  return
}

func.func @nothing_said(%y: !torch.vtensor<[9],f32>) {
  %none = torch.constant.none
  %no = torch.constant.bool false
  %n = torch.constant.int 8
  // expect: proved C2
  // expect: proved C3
  // expect: proved C4
  // expect: refuted C6
  %2 = torch.aten.stft %y, %n, %none, %none, %none, %no, %none, %none, %none : !torch.vtensor<[9],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?,?],complex<f32>>
  return
}

func.func @no_signal(%z: !torch.vtensor<[],f32>) {
  %none = torch.constant.none
  %no = torch.constant.bool false
  %yes = torch.constant.bool true
  %n = torch.constant.int 8
  // expect: refuted C1
  %3 = torch.aten.stft %z, %n, %none, %none, %none, %no, %none, %yes, %none : !torch.vtensor<[],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none, !torch.bool, !torch.none -> !torch.vtensor<[?,?],complex<f32>>
  return
}

func.func @histogram(%x: !torch.vtensor<[?,3],f32>, %parts: !torch.int) {
  %zero = torch.constant.int 0
  %one = torch.constant.float 1.000000e+00
  %five = torch.constant.int 5
  // expect: refuted C1 with parts = 0
  // expect: proved C2
  // expect: shape [parts]
  %0 = torch.operator "torch.aten.histc"(%x, %parts, %zero, %one) : (!torch.vtensor<[?,3],f32>, !torch.int, !torch.int, !torch.float) -> !torch.vtensor<[?],f32>
  // expect: proved C2
  // expect: approximated demands to be finite
  // expect: shape [5]
  %2 = torch.operator "torch.aten.histc"(%x, %five, %zero, %zero) : (!torch.vtensor<[?,3],f32>, !torch.int, !torch.int, !torch.int) -> !torch.vtensor<[?],f32>
  // expect: proved C1
  // expect: refuted C2
  %1 = torch.operator "torch.aten.histc"(%x, %five, %one, %zero) : (!torch.vtensor<[?,3],f32>, !torch.int, !torch.float, !torch.int) -> !torch.vtensor<[?],f32>
  return
}
