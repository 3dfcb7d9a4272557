func.func @images(%a: !torch.vtensor<[?,3,?,?],f32>, %w: !torch.vtensor<[8,3,3,3],f32>, %b: !torch.vtensor<[?],f32>) {
  // expect: refuted C3
  // expect: shape [a[0], 8, a[2], a[3]]
  %r0 = torch.operator "onnx.Conv"(%a, %w, %b) {torch.onnx.pads = [1 : si64, 1 : si64, 1 : si64, 1 : si64]} : (!torch.vtensor<[?,3,?,?],f32>, !torch.vtensor<[8,3,3,3],f32>, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?,8,?,?],f32>
  // expect: refuted C4 with a[2] = 0
  %r1 = torch.operator "onnx.Conv"(%a, %w) {torch.onnx.strides = [2 : si64, 2 : si64]} : (!torch.vtensor<[?,3,?,?],f32>, !torch.vtensor<[8,3,3,3],f32>) -> !torch.vtensor<[?,8,?,?],f32>
  return
}

func.func @channels(%a: !torch.vtensor<[?,?,?],f32>, %w: !torch.vtensor<[?,2,1],f32>) {
  // expect: refuted C2
  %r0 = torch.operator "onnx.Conv"(%a, %w) {torch.onnx.group = 2 : si64} : (!torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,2,1],f32>) -> !torch.vtensor<[?,?,?],f32>
  return
}

func.func @ranks(%a: !torch.vtensor<[?,3,?],f32>, %w: !torch.vtensor<[8,3,3,3],f32>) {
  // expect: refuted C1
  %r0 = torch.operator "onnx.Conv"(%a, %w) : (!torch.vtensor<[?,3,?],f32>, !torch.vtensor<[8,3,3,3],f32>) -> !torch.vtensor<[?,8,?],f32>
  return
}

func.func @up(%a: !torch.vtensor<[?,?,?],f32>, %w: !torch.vtensor<[4,2,2],f32>, %b: !torch.vtensor<[?],f32>) {
  // expect: refuted C2 with a[1] = 2
  // expect: refuted C3
  // expect: refuted C5 with a[2] = 0
  %r0 = torch.operator "onnx.ConvTranspose"(%a, %w, %b) {torch.onnx.strides = [2 : si64]} : (!torch.vtensor<[?,?,?],f32>, !torch.vtensor<[4,2,2],f32>, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?,2,?],f32>
  return
}

func.func @up_to_less(%a: !torch.vtensor<[?,4,?],f32>, %w: !torch.vtensor<[4,2,2],f32>) {
  // expect: refuted C4 with a[2] = 0
  %r1 = torch.operator "onnx.ConvTranspose"(%a, %w) {torch.onnx.strides = [2 : si64], torch.onnx.pads = [1 : si64, 1 : si64]} : (!torch.vtensor<[?,4,?],f32>, !torch.vtensor<[4,2,2],f32>) -> !torch.vtensor<[?,2,?],f32>
  return
}

func.func @up_ranks(%a: !torch.vtensor<[?,3,?],f32>, %w: !torch.vtensor<[8,3,3,3],f32>) {
  // expect: refuted C1
  %r0 = torch.operator "onnx.ConvTranspose"(%a, %w) : (!torch.vtensor<[?,3,?],f32>, !torch.vtensor<[8,3,3,3],f32>) -> !torch.vtensor<[?,8,?],f32>
  return
}

func.func @pooled(%a: !torch.vtensor<[?,3,?,?],f32>) {
  // expect: shape [a[0], 3, a[2]//2, a[3]//2]
  %r0 = torch.operator "onnx.MaxPool"(%a) {torch.onnx.kernel_shape = [2 : si64, 2 : si64], torch.onnx.strides = [2 : si64, 2 : si64]} : (!torch.vtensor<[?,3,?,?],f32>) -> !torch.vtensor<[?,3,?,?],f32>
  // expect: refuted C4
  %r1 = torch.operator "onnx.AveragePool"(%a) {torch.onnx.kernel_shape = [3 : si64, 3 : si64]} : (!torch.vtensor<[?,3,?,?],f32>) -> !torch.vtensor<[?,3,?,?],f32>
  // expect: shape [a[0], 3, 1, 1]
  %r2 = torch.operator "onnx.GlobalAveragePool"(%a) : (!torch.vtensor<[?,3,?,?],f32>) -> !torch.vtensor<[?,3,1,1],f32>
  return
}

func.func @no_image(%a: !torch.vtensor<[?,3,?],f32>) {
  // expect: refuted C1
  %r0 = torch.operator "onnx.MaxPool"(%a) {torch.onnx.kernel_shape = [2 : si64, 2 : si64]} : (!torch.vtensor<[?,3,?],f32>) -> !torch.vtensor<[?,3,?],f32>
  return
}

func.func @nothing(%a: !torch.vtensor<[?],f32>) {
  // expect: refuted C1
  %r0 = torch.operator "onnx.GlobalMaxPool"(%a) : (!torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
  return
}

func.func @small_integers(%x: !torch.vtensor<[?,?,?],ui8>, %w: !torch.vtensor<[4,2,2],ui8>, %s: !torch.vtensor<[],f32>, %z: !torch.vtensor<[],ui8>, %m: !torch.vtensor<[4],f32>, %k: !torch.vtensor<[4],ui8>, %b: !torch.vtensor<[?],si32>) {
  // expect: refuted C2
  // expect: refuted C4
  // expect: shape [x[0], 4, x[2] - 1]
  %r1 = torch.operator "onnx.ConvInteger"(%x, %w, %z) : (!torch.vtensor<[?,?,?],ui8>, !torch.vtensor<[4,2,2],ui8>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[?,4,?],si32>
  // expect: refuted C3
  // expect: shape [x[0], 4, x[2] - 1]
  %r2 = torch.operator "onnx.QLinearConv"(%x, %s, %z, %w, %m, %k, %s, %z, %b) : (!torch.vtensor<[?,?,?],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[4,2,2],ui8>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[?],si32>) -> !torch.vtensor<[?,4,?],ui8>
  return
}

func.func @wanted_extents(%x: !torch.vtensor<[?,2,?],f32>, %w: !torch.vtensor<[2,4,3],f32>) {
  // expect: refuted C5 with x[2] = 1
  // expect: shape [x[0], 4, 6]
  %r1 = torch.operator "onnx.ConvTranspose"(%x, %w) {torch.onnx.output_shape = [6 : si64], torch.onnx.strides = [2 : si64]} : (!torch.vtensor<[?,2,?],f32>, !torch.vtensor<[2,4,3],f32>) -> !torch.vtensor<[?,4,6],f32>
  return
}

func.func @as_many_times(%x: !torch.vtensor<[?,2,?],f32>, %w: !torch.vtensor<[2,4,3],f32>) {
  // expect: refuted C5 with x[2] = 0
  // expect: shape [x[0], 4, 2*x[2]]
  %r1 = torch.operator "onnx.ConvTranspose"(%x, %w) {torch.onnx.auto_pad = "SAME_UPPER", torch.onnx.strides = [2 : si64]} : (!torch.vtensor<[?,2,?],f32>, !torch.vtensor<[2,4,3],f32>) -> !torch.vtensor<[?,4,?],f32>
  return
}

func.func @channels_in_groups(%x: !torch.vtensor<[?,?,?],f32>, %w: !torch.vtensor<[?,1,2],f32>) {
  // expect: refuted C2 with w[0] = 3
  // expect: shape [x[0], 2, x[2] + 1]
  %r1 = torch.operator "onnx.ConvTranspose"(%x, %w) {torch.onnx.group = 2 : si64} : (!torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,1,2],f32>) -> !torch.vtensor<[?,2,?],f32>
  return
}

// A zero point of the input is one number.
func.func @zero_point_of_each_channel(%x: !torch.vtensor<[?,2,3],ui8>, %w: !torch.vtensor<[4,2,2],ui8>, %z: !torch.vtensor<[4],ui8>) {
  // expect: approximated scales and zero points of another number
  %r1 = torch.operator "onnx.ConvInteger"(%x, %w, %z) : (!torch.vtensor<[?,2,3],ui8>, !torch.vtensor<[4,2,2],ui8>, !torch.vtensor<[4],ui8>) -> !torch.vtensor<[?,4,?],si32>
  return
}
