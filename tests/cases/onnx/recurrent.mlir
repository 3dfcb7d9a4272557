func.func @forward(%x: !torch.vtensor<[?,?,?],f32>, %w: !torch.vtensor<[1,15,3],f32>, %r: !torch.vtensor<[1,15,5],f32>) {
  // expect: refuted C2 with x[2] = 2
  // expect: refuted C5 with x[0] = 0
  // expect: shape [x[0], 1, x[1], 5]
  %y:2 = torch.operator "onnx.GRU"(%x, %w, %r) {torch.onnx.hidden_size = 5 : si64} : (!torch.vtensor<[?,?,?],f32>, !torch.vtensor<[1,15,3],f32>, !torch.vtensor<[1,15,5],f32>) -> (!torch.vtensor<[?,1,?,5],f32>, !torch.vtensor<[1,?,5],f32>)
  return
}

func.func @states(%x: !torch.vtensor<[?,?,3],f32>, %w: !torch.vtensor<[2,4,3],f32>, %r: !torch.vtensor<[2,4,4],f32>, %b: !torch.vtensor<[2,?],f32>, %h: !torch.vtensor<[?,2,4],f32>) {
  %none = torch.constant.none
  // expect: proved C2
  // expect: refuted C3 with b[1] = 2
  // expect: refuted C4 with x[0] = 2, h[0] = 3
  // expect: shape [x[0], x[1], 2, 4]
  %y = torch.operator "onnx.RNN"(%x, %w, %r, %b, %none, %h) {torch.onnx.direction = "bidirectional", torch.onnx.layout = 1 : si64} : (!torch.vtensor<[?,?,3],f32>, !torch.vtensor<[2,4,3],f32>, !torch.vtensor<[2,4,4],f32>, !torch.vtensor<[2,?],f32>, !torch.none, !torch.vtensor<[?,2,4],f32>) -> !torch.vtensor<[?,?,2,4],f32>
  return
}

func.func @flat(%x: !torch.vtensor<[?,3],f32>, %w: !torch.vtensor<[1,16,3],f32>, %r: !torch.vtensor<[1,16,4],f32>) {
  // expect: refuted C1
  %y = torch.operator "onnx.LSTM"(%x, %w, %r) : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[1,16,3],f32>, !torch.vtensor<[1,16,4],f32>) -> !torch.vtensor<[?,1,?,4],f32>
  return
}
