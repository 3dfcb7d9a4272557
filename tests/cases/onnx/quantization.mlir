func.func @one_scale(%a: !torch.vtensor<[?,4],f32>, %s: !torch.vtensor<[],f32>, %z: !torch.vtensor<[],ui8>) {
  // expect: shape [a[0], 4]
  %r0 = torch.operator "onnx.QuantizeLinear"(%a, %s, %z) : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[?,4],ui8>
  return
}

func.func @scale_of_each(%a: !torch.vtensor<[?,?],ui8>, %s: !torch.vtensor<[?],f32>, %z: !torch.vtensor<[?],ui8>) {
  // expect: refuted C1
  // expect: refuted C2
  // expect: shape [a[0], a[1]]
  %r0 = torch.operator "onnx.DequantizeLinear"(%a, %s, %z) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[?,?],ui8>, !torch.vtensor<[?],f32>, !torch.vtensor<[?],ui8>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @by_extremes(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[?,3],ui8>) {
  // expect: shape [a[0], 4]
  %r:3 = torch.operator "onnx.DynamicQuantizeLinear"(%a) : (!torch.vtensor<[?,4],f32>) -> (!torch.vtensor<[?,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>)
  // expect: refuted C3
  // expect: shape [a[0], 3]
  %r1 = torch.operator "onnx.MatMulInteger"(%r#0, %b, %r#2) : (!torch.vtensor<[?,4],ui8>, !torch.vtensor<[?,3],ui8>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[?,3],si32>
  return
}

func.func @scale_of_columns(%a: !torch.vtensor<[?,4],ui8>, %b: !torch.vtensor<[4,3],ui8>, %s: !torch.vtensor<[3],ui8>) {
  // expect: approximated scales and zero points of rows or columns are not followed
  %r0 = torch.operator "onnx.MatMulInteger"(%a, %b, %s) : (!torch.vtensor<[?,4],ui8>, !torch.vtensor<[4,3],ui8>, !torch.vtensor<[3],ui8>) -> !torch.vtensor<[?,3],si32>
  return
}

func.func @one_scale_in_a_vector(%a: !torch.vtensor<[?],f32>, %s: !torch.vtensor<[1],f32>) {
  // expect: shape [a[0]]
  %r0 = torch.operator "onnx.QuantizeLinear"(%a, %s) : (!torch.vtensor<[?],f32>, !torch.vtensor<[1],f32>) -> !torch.vtensor<[?],ui8>
  return
}
