func.func @taken(%a: !torch.vtensor<[?,4],f32>) {
  %i = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expect: refuted C9
  // expect: shape [2, 4]
  %r0 = torch.operator "onnx.Gather"(%a, %i) : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,4],f32>
  return
}

func.func @by_element(%a: !torch.vtensor<[?,?],f32>, %i: !torch.vtensor<[?,?],si64>) {
  // expect: refuted C2
  // expect: undecided C9 because depends on the data of %i
  // expect: approximated depends on the data
  // expect: shape [i[0], i[1]]
  %r0 = torch.operator "onnx.GatherElements"(%a, %i) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],si64>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @ranks(%a: !torch.vtensor<[?,?],f32>, %i: !torch.vtensor<[?],si64>) {
  // expect: refuted C1
  %r0 = torch.operator "onnx.GatherElements"(%a, %i) : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?],si64>) -> !torch.vtensor<[?],f32>
  return
}

func.func @no_place(%a: !torch.vtensor<[4],f32>) {
  %i = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 5]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expect: refuted C9
  // expect: shape [2]
  %r0 = torch.operator "onnx.GatherElements"(%a, %i) : (!torch.vtensor<[4],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],f32>
  return
}

func.func @written(%a: !torch.vtensor<[?,4],f32>, %u: !torch.vtensor<[?,4],f32>) {
  %i = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[[0, 1, 0, 1]]> : tensor<1x4xsi64>} : () -> !torch.vtensor<[1,4],si64>
  // expect: refuted C1
  // expect: refuted C9
  // expect: shape [a[0], 4]
  %r0 = torch.operator "onnx.ScatterElements"(%a, %i, %u) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[1,4],si64>, !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32>
  return
}

func.func @made(%a: !torch.vtensor<[?,4],f32>) {
  %r0 = torch.operator "onnx.Shape"(%a) : (!torch.vtensor<[?,4],f32>) -> !torch.vtensor<[2],si64>
  // expect: shape [a[0], 4]
  %r1 = torch.operator "onnx.ConstantOfShape"(%r0) : (!torch.vtensor<[2],si64>) -> !torch.vtensor<[?,4],f32>
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[-1]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expect: refuted C1
  %r2 = torch.operator "onnx.ConstantOfShape"(%s) : (!torch.vtensor<[1],si64>) -> !torch.vtensor<[?],f32>
  return
}

func.func @ranges(%a: !torch.vtensor<[?],f32>) {
  %r0 = torch.operator "onnx.Size"(%a) : (!torch.vtensor<[?],f32>) -> !torch.vtensor<[],si64>
  %z = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %o = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expect: shape [(a[0] + 1)//2]
  %r1 = torch.operator "onnx.Range"(%z, %r0, %o) : (!torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>) -> !torch.vtensor<[?],si64>
  return
}

func.func @classes(%a: !torch.vtensor<[?],si64>, %v: !torch.vtensor<[2],f32>) {
  %d = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[5]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expect: shape [a[0], 5]
  %r0 = torch.operator "onnx.OneHot"(%a, %d, %v) : (!torch.vtensor<[?],si64>, !torch.vtensor<[1],si64>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[?,5],f32>
  %e = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[-5]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expect: refuted C1
  %r1 = torch.operator "onnx.OneHot"(%a, %e, %v) : (!torch.vtensor<[?],si64>, !torch.vtensor<[1],si64>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @classes_by_extent(%a: !torch.vtensor<[?],si64>, %v: !torch.vtensor<[2],f32>) {
  %f = torch.operator "onnx.Shape"(%a) : (!torch.vtensor<[?],si64>) -> !torch.vtensor<[1],si64>
  // expect: undecided C2
  // expect: approximated whether there may be no class depends on the runtime
  // expect: shape [a[0], a[0]]
  %r0 = torch.operator "onnx.OneHot"(%a, %f, %v) : (!torch.vtensor<[?],si64>, !torch.vtensor<[1],si64>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @resized(%a: !torch.vtensor<[?,3,?,?],f32>) {
  %none = torch.constant.none
  %f = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1.0, 1.0, 2.0, 0.5]> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  // expect: shape [a[0], 3, 2*a[2], a[3]//2]
  %r0 = torch.operator "onnx.Resize"(%a, %none, %f) {torch.onnx.mode = "nearest"} : (!torch.vtensor<[?,3,?,?],f32>, !torch.none, !torch.vtensor<[4],f32>) -> !torch.vtensor<[?,3,?,?],f32>
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 3, -1, 8]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  // expect: refuted C2
  %r1 = torch.operator "onnx.Resize"(%a, %none, %none, %s) : (!torch.vtensor<[?,3,?,?],f32>, !torch.none, !torch.none, !torch.vtensor<[4],si64>) -> !torch.vtensor<[?,?,?,?],f32>
  return
}

func.func @too_few(%a: !torch.vtensor<[?,3],f32>) {
  %none = torch.constant.none
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expect: refuted C1
  %r0 = torch.operator "onnx.Resize"(%a, %none, %none, %s) : (!torch.vtensor<[?,3],f32>, !torch.none, !torch.none, !torch.vtensor<[1],si64>) -> !torch.vtensor<[?,3],f32>
  return
}

func.func @weights(%x: !torch.vtensor<[?],f32>) {
  %one = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %first = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %sizes = torch.operator "onnx.Shape"(%x) : (!torch.vtensor<[?],f32>) -> !torch.vtensor<[1],si64>
  %less = torch.operator "onnx.Sub"(%sizes, %one) : (!torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],si64>
  %n = torch.operator "onnx.Squeeze"(%less, %first) : (!torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[],si64>
  // expect: refuted C1
  // expect: shape [x[0] - 1]
  %r4 = torch.operator "onnx.HannWindow"(%n) : (!torch.vtensor<[],si64>) -> !torch.vtensor<[?],f32>
  // expect: shape [2, 3]
  %r5 = torch.operator "onnx.RandomNormal"() {torch.onnx.shape = [2 : si64, 3 : si64]} : () -> !torch.vtensor<[2,3],f32>
  return
}

func.func @nothing_resized(%x: !torch.vtensor<[?,?],f32>) {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %none = torch.constant.none
  // expect: refuted C2
  // expect: refuted C2
  // expect: shape [2, 3]
  %r1 = torch.operator "onnx.Resize"(%x, %none, %none, %s) : (!torch.vtensor<[?,?],f32>, !torch.none, !torch.none, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,3],f32>
  return
}

func.func @window_of_a_vector() {
  %n = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[4]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expect: refuted C1
  %r1 = torch.operator "onnx.HannWindow"(%n) : (!torch.vtensor<[1],si64>) -> !torch.vtensor<[?],f32>
  return
}

func.func @floats_in_range(%a: !torch.vtensor<[?],f32>, %b: !torch.vtensor<[?],f32>) {
  %n = torch.operator "onnx.Size"(%a) : (!torch.vtensor<[?],f32>) -> !torch.vtensor<[],si64>
  %m = torch.operator "onnx.Cast"(%n) : (!torch.vtensor<[],si64>) -> !torch.vtensor<[],f64>
  %z = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0.0> : tensor<f64>} : () -> !torch.vtensor<[],f64>
  %h = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2.5> : tensor<f64>} : () -> !torch.vtensor<[],f64>
  // expect: shape [(2*a[0] + 4)//5]
  %r0 = torch.operator "onnx.Range"(%z, %m, %h) : (!torch.vtensor<[],f64>, !torch.vtensor<[],f64>, !torch.vtensor<[],f64>) -> !torch.vtensor<[?],f64>
  %i = torch.operator "onnx.Div"(%m, %h) : (!torch.vtensor<[],f64>, !torch.vtensor<[],f64>) -> !torch.vtensor<[],f64>
  %f = torch.operator "onnx.Floor"(%i) : (!torch.vtensor<[],f64>) -> !torch.vtensor<[],f64>
  %k = torch.operator "onnx.Cast"(%f) : (!torch.vtensor<[],f64>) -> !torch.vtensor<[],si64>
  %l = torch.vtensor.literal(dense<0> : tensor<1xsi64>) : !torch.vtensor<[1],si64>
  %s = torch.operator "onnx.Unsqueeze"(%k, %l) : (!torch.vtensor<[],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],si64>
  // expect: shape [(2*a[0])//5]
  %r1 = torch.operator "onnx.ConstantOfShape"(%s) : (!torch.vtensor<[1],si64>) -> !torch.vtensor<[?],f32>
  return
}

func.func @resized_by_rounded_factors(%a: !torch.vtensor<[10,9],f32>, %b: !torch.vtensor<[6,6],f32>) {
  %none = torch.constant.none
  %f = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0.7> : tensor<2xf32>} : () -> !torch.vtensor<[2],f32>
  // expect: approximated floats that are rounded are not followed
  %r0 = torch.operator "onnx.Resize"(%a, %none, %f) {torch.onnx.mode = "nearest"} : (!torch.vtensor<[10,9],f32>, !torch.none, !torch.vtensor<[2],f32>) -> !torch.vtensor<[?,6],f32>
  // expect: undecided C1
  %r1 = torch.operator "onnx.Add"(%r0, %b) : (!torch.vtensor<[?,6],f32>, !torch.vtensor<[6,6],f32>) -> !torch.vtensor<[?,6],f32>
  return
}
