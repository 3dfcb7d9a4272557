func.func @matrices(%a: !torch.vtensor<[?,?,8],f32>, %b: !torch.vtensor<[?,?,4],f32>) {
  // expect: refuted C3 with b[1] = 2
  // expect: refuted C2
  // expect: shape [broadcast(a[0], b[0]), a[1], 4]
  %r0 = torch.operator "onnx.MatMul"(%a, %b) : (!torch.vtensor<[?,?,8],f32>, !torch.vtensor<[?,?,4],f32>) -> !torch.vtensor<[?,?,4],f32>
  return
}

func.func @scalar(%a: !torch.vtensor<[],f32>, %b: !torch.vtensor<[?],f32>) {
  // expect: refuted C1
  %r0 = torch.operator "onnx.MatMul"(%a, %b) : (!torch.vtensor<[],f32>, !torch.vtensor<[?],f32>) -> !torch.vtensor<[],f32>
  return
}

func.func @added(%a: !torch.vtensor<[?,8],f32>, %b: !torch.vtensor<[4,?],f32>, %c: !torch.vtensor<[?],f32>) {
  // expect: refuted C3 with b[1] = 2
  // expect: refuted C2 with c[0] = 2
  // expect: shape [a[0], 4]
  %r0 = torch.operator "onnx.Gemm"(%a, %b, %c) {torch.onnx.transB = 1 : si64} : (!torch.vtensor<[?,8],f32>, !torch.vtensor<[4,?],f32>, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?,4],f32>
  return
}

func.func @no_matrix(%a: !torch.vtensor<[?,2,2],f32>, %b: !torch.vtensor<[2,2],f32>) {
  // expect: refuted C1
  %r0 = torch.operator "onnx.Gemm"(%a, %b) : (!torch.vtensor<[?,2,2],f32>, !torch.vtensor<[2,2],f32>) -> !torch.vtensor<[?,2],f32>
  return
}

func.func @attention(%a: !torch.vtensor<[?,?,8],f32>, %b: !torch.vtensor<[?,?,8],f32>) {
  // expect: refuted C4 with a[0] = 2, b[0] = 3
  // expect: shape [broadcast(a[0], b[0]), a[1], b[1]]
  %r0 = torch.operator "onnx.Einsum"(%a, %b) {torch.onnx.equation = "bqd,bkd->bqk"} : (!torch.vtensor<[?,?,8],f32>, !torch.vtensor<[?,?,8],f32>) -> !torch.vtensor<[?,?,?],f32>
  return
}

func.func @diagonal(%a: !torch.vtensor<[?,?],f32>) {
  // expect: refuted C3
  // expect: shape []
  %r0 = torch.operator "onnx.Einsum"(%a) {torch.onnx.equation = "ii"} : (!torch.vtensor<[?,?],f32>) -> !torch.vtensor<[],f32>
  return
}

func.func @terms(%a: !torch.vtensor<[?,?],f32>) {
  // expect: refuted C1
  %r0 = torch.operator "onnx.Einsum"(%a) {torch.onnx.equation = "ab,bc"} : (!torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @few(%a: !torch.vtensor<[?],f32>) {
  // expect: refuted C2
  %r0 = torch.operator "onnx.Einsum"(%a) {torch.onnx.equation = "ab->a"} : (!torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
  return
}
