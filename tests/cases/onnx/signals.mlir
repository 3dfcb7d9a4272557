// Fourier transforms.
func.func @whole(%x: !torch.vtensor<[?,?,1],f32>) {
  %five = torch.operator "onnx.Constant"() {torch.onnx.value = dense<5> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %first = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %none = torch.constant.none
  // expect: proved C1
  // expect: shape [x[0], x[1], 2]
  %0 = torch.operator "onnx.DFT"(%x) : (!torch.vtensor<[?,?,1],f32>) -> !torch.vtensor<[?,?,?],f32>
  // expect: proved C1
  // expect: refuted C3 with x[1] = 0
  // expect: shape [x[0], x[1]//2 + 1, 2]
  %1 = torch.operator "onnx.DFT"(%x) {torch.onnx.onesided = 1 : si64} : (!torch.vtensor<[?,?,1],f32>) -> !torch.vtensor<[?,?,?],f32>
  // expect: proved C2
  // expect: undecided C3
  // expect: shape [5, x[1], 2]
  // expect: approximated whether a signal may be empty depends on the runtime
  %2 = torch.operator "onnx.DFT"(%x, %five, %first) : (!torch.vtensor<[?,?,1],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>) -> !torch.vtensor<[?,?,?],f32>
  return
}

func.func @half(%x: !torch.vtensor<[?,?,?],f32>, %n: !torch.vtensor<[],si64>) {
  %none = torch.constant.none
  // expect: refuted C1 with x[2] = 3
  // expect: refuted C3 with x[1] = 0
  // expect: shape [x[0], 2*x[1] - 2, 1]
  %0 = torch.operator "onnx.DFT"(%x) {torch.onnx.onesided = 1 : si64, torch.onnx.inverse = 1 : si64} : (!torch.vtensor<[?,?,?],f32>) -> !torch.vtensor<[?,?,?],f32>
  // expect: refuted C2 with n.values[0] = 0
  // expect: proved C3
  // expect: approximated whether a signal may be empty depends on the runtime
  %1 = torch.operator "onnx.DFT"(%x, %n) : (!torch.vtensor<[?,?,?],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[?,?,?],f32>
  return
}

func.func @older(%x: !torch.vtensor<[2,?,4,1],f32>) {
  // expect: proved C1
  // expect: shape [2, x[1], 4, 2]
  %0 = torch.operator "onnx.DFT.before.20"(%x) : (!torch.vtensor<[2,?,4,1],f32>) -> !torch.vtensor<[?,?,?,?],f32>
  return
}

func.func @of_parts(%x: !torch.vtensor<[?,?],f32>) {
  // expect: refuted C1
  %0 = torch.operator "onnx.DFT.before.20"(%x) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @spectrogram(%x: !torch.vtensor<[?,?,?],f32>, %s: !torch.vtensor<[],si64>, %w: !torch.vtensor<[?],f32>, %n: !torch.vtensor<[],si64>) {
  %two = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expect: refuted C1 with x[2] = 3
  // expect: refuted C2 with s.values[0] = 0
  // expect: refuted C3 with x[1] = 2, w[0] = 3
  // expect: shape [x[0], (x[1] - w[0])//s.values[0] + 1, w[0]//2 + 1, 2]
  %0 = torch.operator "onnx.STFT"(%x, %s, %w) : (!torch.vtensor<[?,?,?],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?,?,?,?],f32>
  // expect: proved C2
  // expect: refuted C4 with w[0] = 2, n.values[0] = 0
  // expect: shape [x[0], (w[0] + x[1])//2 - w[0] + 1, w[0], 2]
  %1 = torch.operator "onnx.STFT"(%x, %two, %w, %n) {torch.onnx.onesided = 0 : si64} : (!torch.vtensor<[?,?,?],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[?],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[?,?,?,?],f32>
  return
}

func.func @neither(%x: !torch.vtensor<[?,?,?],f32>, %s: !torch.vtensor<[],si64>) {
  // expect: approximated without a window or a length of frames, what a frame is depends on the runtime
  %0 = torch.operator "onnx.STFT"(%x, %s) : (!torch.vtensor<[?,?,?],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[?,?,?,?],f32>
  return
}
