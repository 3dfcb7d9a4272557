func.func @views(%a: !torch.vtensor<[?,?,4],f32>) {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, -1]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expect: refuted C2 with a[0] = 0
  // expect: shape [a[0], 4*a[1]]
  %r0 = torch.operator "onnx.Reshape"(%a, %s) : (!torch.vtensor<[?,?,4],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,?],f32>
  %t = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[-1, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expect: refuted C2
  %r1 = torch.operator "onnx.Reshape"(%a, %t) : (!torch.vtensor<[?,?,4],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,3],f32>
  // expect: shape [a[0], 4*a[1]]
  %r2 = torch.operator "onnx.Flatten"(%a) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[?,?,4],f32>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @below(%a: !torch.vtensor<[?,?,4],f32>) {
  %u = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[-2, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expect: refuted C1
  // expect: unreachable C2
  %r0 = torch.operator "onnx.Reshape"(%a, %u) : (!torch.vtensor<[?,?,4],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,3],f32>
  return
}

func.func @no_extent(%a: !torch.vtensor<[?],f32>) {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, 0]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expect: refuted C1
  // expect: unreachable C2
  %r0 = torch.operator "onnx.Reshape"(%a, %s) : (!torch.vtensor<[?],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @zeros(%a: !torch.vtensor<[?],f32>) {
  %t = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expect: refuted C2
  %r0 = torch.operator "onnx.Reshape"(%a, %t) {torch.onnx.allowzero = 1 : si64} : (!torch.vtensor<[?],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[?],f32>
  return
}

func.func @ones(%a: !torch.vtensor<[?,4],f32>) {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expect: shape [1, a[0], 4]
  %r0 = torch.operator "onnx.Unsqueeze"(%a, %s) : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1,?,4],f32>
  // expect: refuted C1 with a[0] = 2
  %r1 = torch.operator "onnx.Squeeze"(%a, %s) : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[4],f32>
  // expect: shape [4]
  %r2 = torch.operator "onnx.Squeeze"(%a) {torch.onnx.axes = [0 : si64]} : (!torch.vtensor<[?,4],f32>) -> !torch.vtensor<[4],f32>
  return
}

func.func @orders(%a: !torch.vtensor<[?,?,4],f32>) {
  // expect: shape [4, a[0], a[1]]
  %r0 = torch.operator "onnx.Transpose"(%a) {torch.onnx.perm = [2 : si64, 0 : si64, 1 : si64]} : (!torch.vtensor<[?,?,4],f32>) -> !torch.vtensor<[4,?,?],f32>
  // expect: shape [4, a[1], a[0]]
  %r1 = torch.operator "onnx.Transpose"(%a) : (!torch.vtensor<[?,?,4],f32>) -> !torch.vtensor<[4,?,?],f32>
  return
}

func.func @expanded(%a: !torch.vtensor<[?,1],f32>) {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[5, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expect: refuted C1 with a[0] = 2
  // expect: shape [5, 3]
  %r0 = torch.operator "onnx.Expand"(%a, %s) : (!torch.vtensor<[?,1],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[5,3],f32>
  %u = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expect: shape [2*a[0], 3]
  %r1 = torch.operator "onnx.Tile"(%a, %u) : (!torch.vtensor<[?,1],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,3],f32>
  return
}

func.func @no_size(%a: !torch.vtensor<[?,1],f32>) {
  %t = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, -3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expect: refuted C2
  // expect: unreachable C1
  %r0 = torch.operator "onnx.Expand"(%a, %t) : (!torch.vtensor<[?,1],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @tiles(%a: !torch.vtensor<[?,2],f32>) {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expect: refuted C1
  %r0 = torch.operator "onnx.Tile"(%a, %s) : (!torch.vtensor<[?,2],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[?,2],f32>
  return
}

func.func @negative(%a: !torch.vtensor<[?,2],f32>) {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, -1]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expect: refuted C2
  // expect: unreachable T2
  %r0 = torch.operator "onnx.Tile"(%a, %s) : (!torch.vtensor<[?,2],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,2],f32>
  return
}

func.func @blocks(%a: !torch.vtensor<[?,?,?,?],f32>) {
  // expect: refuted C2 with a[1] = 2
  %r0 = torch.operator "onnx.DepthToSpace"(%a) {torch.onnx.blocksize = 2 : si64} : (!torch.vtensor<[?,?,?,?],f32>) -> !torch.vtensor<[?,?,?,?],f32>
  // expect: refuted C2
  %r1 = torch.operator "onnx.SpaceToDepth"(%a) {torch.onnx.blocksize = 2 : si64} : (!torch.vtensor<[?,?,?,?],f32>) -> !torch.vtensor<[?,?,?,?],f32>
  return
}

func.func @no_image(%a: !torch.vtensor<[?,4,?],f32>) {
  // expect: refuted C1
  %r0 = torch.operator "onnx.DepthToSpace"(%a) {torch.onnx.blocksize = 2 : si64} : (!torch.vtensor<[?,4,?],f32>) -> !torch.vtensor<[?,?,?],f32>
  return
}

func.func @extents(%a: !torch.vtensor<[?,?,4],f32>) {
  %r0 = torch.operator "onnx.Shape"(%a) : (!torch.vtensor<[?,?,4],f32>) -> !torch.vtensor<[3],si64>
  %r1 = torch.operator "onnx.Shape"(%a) {torch.onnx.start = 1 : si64, torch.onnx.end = -1 : si64} : (!torch.vtensor<[?,?,4],f32>) -> !torch.vtensor<[1],si64>
  %r2 = torch.operator "onnx.Size"(%a) : (!torch.vtensor<[?,?,4],f32>) -> !torch.vtensor<[],si64>
  return
}
