func.func @regions(%x: !torch.vtensor<[?,?,?,?],f32>, %b: !torch.vtensor<[?,?],f32>, %n: !torch.vtensor<[?],si64>) {
  // expect: refuted C1
  // expect: refuted C2
  // expect: undecided C9 because depends on the data of %n
  // expect: approximated depends on the data
  // expect: shape [b[0], x[1], 2, 3]
  %r1 = torch.operator "onnx.RoiAlign"(%x, %b, %n) {torch.onnx.output_height = 2 : si64, torch.onnx.output_width = 3 : si64} : (!torch.vtensor<[?,?,?,?],f32>, !torch.vtensor<[?,?],f32>, !torch.vtensor<[?],si64>) -> !torch.vtensor<[?,?,2,3],f32>
  return
}

func.func @of_two_images(%x: !torch.vtensor<[?,?,?,?],f32>, %b: !torch.vtensor<[?,4],f32>) {
  %n = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, 1]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expect: proved C1
  // expect: refuted C2
  // expect: refuted C9 with x[0] = 1
  %r1 = torch.operator "onnx.RoiAlign"(%x, %b, %n) : (!torch.vtensor<[?,?,?,?],f32>, !torch.vtensor<[?,4],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,?,1,1],f32>
  return
}

func.func @crops(%x: !torch.vtensor<[?,?],f32>) {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[5]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expect: shape [x[0], 5]
  %r1 = torch.operator "onnx.CenterCropPad"(%x, %s) {torch.onnx.axes = [-1 : si64]} : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[?,?],f32>
  // expect: refuted C1
  %r2 = torch.operator "onnx.CenterCropPad"(%x, %s) : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @one_less(%x: !torch.vtensor<[?,?],f32>) {
  %one = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 1]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %sizes = torch.operator "onnx.Shape"(%x) : (!torch.vtensor<[?,?],f32>) -> !torch.vtensor<[2],si64>
  %s = torch.operator "onnx.Sub"(%sizes, %one) : (!torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64>
  // expect: undecided C2
  // expect: approximated whether an extent may be negative depends on the runtime
  // expect: shape [max(1, x[0]) - 1, max(1, x[1]) - 1]
  %r3 = torch.operator "onnx.CenterCropPad"(%x, %s) : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @grids(%m: !torch.vtensor<[?,?,?],f32>, %k: !torch.vtensor<[?,3,4],f32>) {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 3, 4, 5]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  %v = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 3, 4, 5, 6]> : tensor<5xsi64>} : () -> !torch.vtensor<[5],si64>
  %w = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %less = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 3, 4, -5]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  // expect: refuted C1
  // expect: proved C2
  // expect: shape [2, 4, 5, 2]
  %r1 = torch.operator "onnx.AffineGrid"(%m, %s) : (!torch.vtensor<[?,?,?],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[?,?,?,?],f32>
  // expect: refuted C1
  // expect: shape [2, 4, 5, 6, 3]
  %r2 = torch.operator "onnx.AffineGrid"(%k, %v) : (!torch.vtensor<[?,3,4],f32>, !torch.vtensor<[5],si64>) -> !torch.vtensor<[?,?,?,?,?],f32>
  return
}

func.func @flat_grid(%m: !torch.vtensor<[?,?,?],f32>) {
  %w = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expect: refuted C1
  %r1 = torch.operator "onnx.AffineGrid"(%m, %w) : (!torch.vtensor<[?,?,?],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,?,?,?],f32>
  return
}

func.func @negative_grid(%m: !torch.vtensor<[2,2,3],f32>) {
  %w = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 3, 4, -5]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  // expect: refuted C2
  %r1 = torch.operator "onnx.AffineGrid"(%m, %w) : (!torch.vtensor<[2,2,3],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[?,?,?,?],f32>
  return
}

func.func @columns(%x: !torch.vtensor<[?,?,?],f32>) {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[3, 4]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %b = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expect: refuted C2
  // expect: refuted C3
  // expect: shape [x[0], x[1]//4, 3, 4]
  %r1 = torch.operator "onnx.Col2Im"(%x, %s, %b) : (!torch.vtensor<[?,?,?],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,?,3,4],f32>
  return
}

func.func @padded_columns(%x: !torch.vtensor<[?,4,6],f32>) {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[3, 4]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %b = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expect: proved C2
  // expect: proved C3
  // expect: shape [x[0], 1, 3, 4]
  %r1 = torch.operator "onnx.Col2Im"(%x, %s, %b) {torch.onnx.dilations = [2 : si64, 1 : si64], torch.onnx.pads = [1 : si64, 0 : si64, 1 : si64, 0 : si64], torch.onnx.strides = [2 : si64, 1 : si64]} : (!torch.vtensor<[?,4,6],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,?,3,4],f32>
  return
}

func.func @matrix_of_columns(%x: !torch.vtensor<[?,?],f32>) {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[3, 4]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %b = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expect: refuted C1
  %r1 = torch.operator "onnx.Col2Im"(%x, %s, %b) : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,?,3,4],f32>
  return
}

// The reference implementation divides by the extent.
func.func @grid_of_nothing(%m: !torch.vtensor<[2,2,3],f32>) {
  %w = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 3, 4, 0]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  // expect: undecided C3
  // expect: approximated whether a side may be empty depends on the runtime
  %r1 = torch.operator "onnx.AffineGrid"(%m, %w) : (!torch.vtensor<[2,2,3],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[?,?,?,?],f32>
  return
}
