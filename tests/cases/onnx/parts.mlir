func.func @joined(%a: !torch.vtensor<[?,?],f32>, %b: !torch.vtensor<[?,3],f32>) {
  // expect: refuted C3
  // expect: shape [a[0], a[1] + 3]
  %r0 = torch.operator "onnx.Concat"(%a, %b) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @ranks(%a: !torch.vtensor<[?,?],f32>, %b: !torch.vtensor<[?],f32>) {
  // expect: refuted C2
  %r0 = torch.operator "onnx.Concat"(%a, %b) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @halves(%a: !torch.vtensor<[?,?],f32>) {
  // expect: refuted C3 with a[1] = 3
  %r0:2 = torch.operator "onnx.Split"(%a) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[?,?],f32>) -> (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>)
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expect: refuted C1
  %r2:2 = torch.operator "onnx.Split"(%a, %s) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[2],si64>) -> (!torch.vtensor<[?,2],f32>, !torch.vtensor<[?,3],f32>)
  return
}

func.func @rest(%a: !torch.vtensor<[?,?],f32>) {
  // expect: refuted C2 with a[1] = 2
  %r0:4 = torch.operator "onnx.Split"(%a) {torch.onnx.axis = 1 : si64, torch.onnx.num_outputs = 4 : si64} : (!torch.vtensor<[?,?],f32>) -> (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>)
  return
}

func.func @negative(%a: !torch.vtensor<[?,?],f32>) {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[4, -1]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expect: refuted C2
  // expect: unreachable C1
  %r0:2 = torch.operator "onnx.Split"(%a, %s) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[2],si64>) -> (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?,?],f32>)
  return
}

func.func @sliced(%a: !torch.vtensor<[?,8],f32>) {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %e = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[-1]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %x = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %t = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expect: shape [a[0], 3]
  %r0 = torch.operator "onnx.Slice"(%a, %s, %e, %x, %t) : (!torch.vtensor<[?,8],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[?,3],f32>
  %y = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expect: shape [max(1, max(1, a[0]) - min(1, a[0])) - 1, 8]
  %r1 = torch.operator "onnx.Slice"(%a, %s, %e, %y) : (!torch.vtensor<[?,8],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[?,8],f32>
  return
}

func.func @unequal(%a: !torch.vtensor<[?,8],f32>) {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %e = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expect: refuted C1
  %r0 = torch.operator "onnx.Slice"(%a, %s, %e) : (!torch.vtensor<[?,8],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,8],f32>
  return
}

func.func @edges(%a: !torch.vtensor<[?,?],f32>) {
  %t = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, 1, 0, 1]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  // expect: refuted C3 with a[1] = 0
  %r0 = torch.operator "onnx.Pad"(%a, %t) {torch.onnx.mode = "edge"} : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @padded(%a: !torch.vtensor<[?,?],f32>) {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, 1, 0, -2]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  // expect: refuted C2 with a[1] = 0
  %r0 = torch.operator "onnx.Pad"(%a, %s) : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[?,?],f32>
  %u = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 1]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expect: refuted C1
  %r1 = torch.operator "onnx.Pad"(%a, %u) : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @sides(%a: !torch.vtensor<[?,?],f32>) {
  %r0 = torch.operator "onnx.Shape"(%a) : (!torch.vtensor<[?,?],f32>) -> !torch.vtensor<[2],si64>
  // expect: proved C3
  %r1:2 = torch.operator "onnx.Split"(%r0) : (!torch.vtensor<[2],si64>) -> (!torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>)
  %r2 = torch.operator "onnx.Concat"(%r1#1, %r1#0) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[2],si64>
  // expect: shape [a[1], a[0]]
  %r3 = torch.operator "onnx.Reshape"(%a, %r2) {torch.onnx.allowzero = 1 : si64} : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @reflected(%x: !torch.vtensor<[?,5],f32>) {
  %p = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 0, 0, 2]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  // expect: refuted C3 with x[0] = 0
  // expect: undecided C4
  // expect: approximated whether a reflection may be longer
  // expect: shape [x[0] + 1, 7]
  %r1 = torch.operator "onnx.Pad"(%x, %p) {torch.onnx.mode = "reflect"} : (!torch.vtensor<[?,5],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[?,7],f32>
  return
}

func.func @cut_and_extended(%x: !torch.vtensor<[?,5],f32>) {
  %q = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[-1, 0, 2, 0]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  // expect: refuted C3 with x[0] = 1
  %r2 = torch.operator "onnx.Pad"(%x, %q) {torch.onnx.mode = "edge"} : (!torch.vtensor<[?,5],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[?,5],f32>
  return
}
