func.func @broadcast(%a: !torch.vtensor<[?,3],f32>, %b: !torch.vtensor<[?,1],f32>) {
  // expect: refuted C1 with a[0] = 2, b[0] = 3
  // expect: shape [broadcast(a[0], b[0]), 3]
  %r0 = torch.operator "onnx.Add"(%a, %b) : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[?,1],f32>) -> !torch.vtensor<[?,3],f32>
  // expect: shape [a[0], 3]
  %r1 = torch.operator "onnx.Relu"(%a) : (!torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32>
  %r2 = torch.operator "onnx.Max"(%a, %b, %a) : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[?,1],f32>, !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32>
  return
}

func.func @divided(%a: !torch.vtensor<[?],f32>) {
  %r0 = torch.operator "onnx.Shape"(%a) : (!torch.vtensor<[?],f32>) -> !torch.vtensor<[1],si64>
  %r1 = torch.operator "onnx.Size"(%a) : (!torch.vtensor<[?],f32>) -> !torch.vtensor<[],si64>
  %c = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expect: refuted C9 with a[0] = 0
  %r2 = torch.operator "onnx.Div"(%c, %r0) : (!torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],si64>
  %d = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %r3 = torch.operator "onnx.Mod"(%r0, %d) : (!torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],si64>
  %r4 = torch.operator "onnx.Mod"(%r0, %d) {torch.onnx.fmod = 1 : si64} : (!torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],si64>
  return
}

func.func @by_zero(%a: !torch.vtensor<[1],si64>) {
  %c = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expect: refuted C9
  %r0 = torch.operator "onnx.Mod"(%a, %c) : (!torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],si64>
  return
}

func.func @kept(%a: !torch.vtensor<[?,3],f32>) {
  // expect: shape [a[0], 3]
  %r0 = torch.operator "onnx.Identity"(%a) : (!torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32>
  // expect: shape [a[0], 3]
  %r1 = torch.operator "onnx.Cast"(%a) : (!torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f64>
  // expect: shape [a[0], 3]
  %r2 = torch.operator "onnx.Clip"(%a) : (!torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32>
  %r3:2 = torch.operator "onnx.Dropout"(%a) : (!torch.vtensor<[?,3],f32>) -> (!torch.vtensor<[?,3],f32>, !torch.vtensor<[?,3],i1>)
  return
}

func.func @slopes(%a: !torch.vtensor<[?,?,4],f32>, %b: !torch.vtensor<[?,1],f32>) {
  // expect: refuted C1 with a[1] = 2, b[0] = 3
  // expect: shape [a[0], a[1], 4]
  %r0 = torch.operator "onnx.PRelu"(%a, %b) : (!torch.vtensor<[?,?,4],f32>, !torch.vtensor<[?,1],f32>) -> !torch.vtensor<[?,?,4],f32>
  return
}

func.func @triangle_of_vector(%a: !torch.vtensor<[?],f32>) {
  // expect: refuted C1
  %r0 = torch.operator "onnx.Trilu"(%a) : (!torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
  return
}

func.func @diagonals(%a: !torch.vtensor<[?,?],f32>, %b: !torch.vtensor<[?,?,4],f32>) {
  // expect: shape [a[0], a[1]]
  %r0 = torch.operator "onnx.EyeLike"(%a) : (!torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32>
  // expect: shape [b[0], b[1], 4]
  %r1 = torch.operator "onnx.Trilu"(%b) : (!torch.vtensor<[?,?,4],f32>) -> !torch.vtensor<[?,?,4],f32>
  // expect: refuted C1
  %r2 = torch.operator "onnx.EyeLike"(%b) : (!torch.vtensor<[?,?,4],f32>) -> !torch.vtensor<[?,?,4],f32>
  return
}

func.func @accumulated(%a: !torch.vtensor<[?,3],f32>, %n: !torch.vtensor<[],si64>) {
  %0 = torch.vtensor.literal(dense<-2> : tensor<si64>) : !torch.vtensor<[],si64>
  %1 = torch.vtensor.literal(dense<2> : tensor<1xsi64>) : !torch.vtensor<[1],si64>
  // expect: proved C9
  // expect: shape [a[0], 3]
  %r0 = torch.operator "onnx.CumSum"(%a, %0) : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[?,3],f32>
  // expect: refuted C9 with n.values[0] = 2
  %r1 = torch.operator "onnx.CumProd"(%a, %n) : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[?,3],f32>
  // expect: refuted C9
  %r2 = torch.operator "onnx.CumSum"(%a, %1) : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[?,3],f32>
  return
}
