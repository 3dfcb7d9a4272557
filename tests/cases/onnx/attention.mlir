// Attention and rotated embeddings.
func.func @four(%q: !torch.vtensor<[?,?,?,8],f32>, %k: !torch.vtensor<[?,2,?,8],f32>, %v: !torch.vtensor<[?,2,?,8],f32>, %m: !torch.vtensor<[?,?],f32>) {
  // expect: refuted C3 with k[2] = 2, v[2] = 3
  // expect: refuted C4 with q[1] = 3
  // expect: refuted C7 with k[2] = 0
  // expect: shape [q[0], q[1], q[2], 8]
  %0 = torch.operator "onnx.Attention"(%q, %k, %v) : (!torch.vtensor<[?,?,?,8],f32>, !torch.vtensor<[?,2,?,8],f32>, !torch.vtensor<[?,2,?,8],f32>) -> !torch.vtensor<[?,?,?,?],f32>
  // expect: refuted C6 with k[2] = 2, m[1] = 3
  // expect: undecided C8
  // expect: approximated whether a mask may have fewer rows or elements depends on the runtime
  %1 = torch.operator "onnx.Attention"(%q, %k, %v, %m) : (!torch.vtensor<[?,?,?,8],f32>, !torch.vtensor<[?,2,?,8],f32>, !torch.vtensor<[?,2,?,8],f32>, !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?,?,?],f32>
  return
}

func.func @three(%q: !torch.vtensor<[?,?,?],f32>, %k: !torch.vtensor<[?,?,16],f32>, %v: !torch.vtensor<[?,?,16],f32>) {
  // expect: refuted C2 with q[2] = 33
  // expect: refuted C7 with k[1] = 0
  // expect: refuted C3 with q[2] = 4
  // expect: shape [q[0], q[1], 32]
  %0 = torch.operator "onnx.Attention"(%q, %k, %v) {torch.onnx.q_num_heads = 4 : si64, torch.onnx.kv_num_heads = 2 : si64} : (!torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,?,16],f32>, !torch.vtensor<[?,?,16],f32>) -> !torch.vtensor<[?,?,?],f32>
  return
}

func.func @past(%q: !torch.vtensor<[?,4,?,8],f32>, %k: !torch.vtensor<[?,2,?,8],f32>, %v: !torch.vtensor<[?,2,?,8],f32>, %c: !torch.vtensor<[?,2,?,8],f32>, %d: !torch.vtensor<[?,2,?,8],f32>) {
  %none = torch.constant.none
  // expect: refuted C3 with k[2] = 2, v[2] = 3
  // expect: refuted C5 with c[2] = 2, d[2] = 3
  // expect: refuted C7 with k[2] = 0, c[2] = 0
  // expect: shape [q[0], 4, q[2], 8]
  %0:3 = torch.operator "onnx.Attention"(%q, %k, %v, %none, %c, %d) : (!torch.vtensor<[?,4,?,8],f32>, !torch.vtensor<[?,2,?,8],f32>, !torch.vtensor<[?,2,?,8],f32>, !torch.none, !torch.vtensor<[?,2,?,8],f32>, !torch.vtensor<[?,2,?,8],f32>) -> (!torch.vtensor<[?,?,?,?],f32>, !torch.vtensor<[?,?,?,?],f32>, !torch.vtensor<[?,?,?,?],f32>)
  return
}

func.func @ranks(%q: !torch.vtensor<[?,?,?,?],f32>, %k: !torch.vtensor<[?,?,?],f32>) {
  // expect: refuted C1
  %0 = torch.operator "onnx.Attention"(%q, %k, %k) : (!torch.vtensor<[?,?,?,?],f32>, !torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,?,?],f32>) -> !torch.vtensor<[?,?,?,?],f32>
  return
}

func.func @of_heads(%q: !torch.vtensor<[?,?,?],f32>) {
  // expect: refuted C1
  %0 = torch.operator "onnx.Attention"(%q, %q, %q) : (!torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,?,?],f32>) -> !torch.vtensor<[?,?,?],f32>
  return
}

func.func @alone(%q: !torch.vtensor<[?,?,?,?],f32>) {
  %none = torch.constant.none
  // expect: refuted C5
  %0:3 = torch.operator "onnx.Attention"(%q, %q, %q, %none, %q) : (!torch.vtensor<[?,?,?,?],f32>, !torch.vtensor<[?,?,?,?],f32>, !torch.vtensor<[?,?,?,?],f32>, !torch.none, !torch.vtensor<[?,?,?,?],f32>) -> (!torch.vtensor<[?,?,?,?],f32>, !torch.vtensor<[?,?,?,?],f32>, !torch.vtensor<[?,?,?,?],f32>)
  return
}

func.func @other_heads(%q: !torch.vtensor<[2,2,3,4],f32>) {
  // expect: approximated whether its numbers of heads must be those of its attributes depends on the runtime
  %0 = torch.operator "onnx.Attention"(%q, %q, %q) {torch.onnx.q_num_heads = 3 : si64} : (!torch.vtensor<[2,2,3,4],f32>, !torch.vtensor<[2,2,3,4],f32>, !torch.vtensor<[2,2,3,4],f32>) -> !torch.vtensor<[2,2,3,4],f32>
  return
}

func.func @odd(%x: !torch.vtensor<[?,1,?,3],f32>, %c: !torch.vtensor<[?,?,1],f32>) {
  // expect: refuted C3 with x[2] = 2, c[1] = 3
  // expect: proved C2
  // expect: undecided C4
  // expect: shape [x[0], 1, x[2], 3]
  // expect: approximated whether an odd number of elements may be rotated depends on the runtime
  %0 = torch.operator "onnx.RotaryEmbedding"(%x, %c, %c) : (!torch.vtensor<[?,1,?,3],f32>, !torch.vtensor<[?,?,1],f32>, !torch.vtensor<[?,?,1],f32>) -> !torch.vtensor<[?,?,?,?],f32>
  return
}

func.func @rotated(%x: !torch.vtensor<[?,?,?,8],f32>, %c: !torch.vtensor<[?,?,?],f32>, %s: !torch.vtensor<[?,?,?],f32>) {
  // expect: refuted C2 with c[2] = 2
  // expect: refuted C3 with x[2] = 2, c[1] = 3
  // expect: proved C4
  // expect: shape [x[0], x[1], x[2], 8]
  %0 = torch.operator "onnx.RotaryEmbedding"(%x, %c, %s) : (!torch.vtensor<[?,?,?,8],f32>, !torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,?,?],f32>) -> !torch.vtensor<[?,?,?,?],f32>
  return
}

func.func @looked_up(%x: !torch.vtensor<[?,?,?],f32>, %c: !torch.vtensor<[64,?],f32>, %s: !torch.vtensor<[64,?],f32>, %p: !torch.vtensor<[?,?],si64>) {
  // expect: refuted C1 with x[2] = 9
  // expect: refuted C2 with x[2] = 8
  // expect: undecided C4
  // expect: approximated whether an odd number of elements may be rotated depends on the runtime
  // expect: refuted C3 with x[1] = 2, p[1] = 3
  // expect: undecided C9
  // expect: shape [x[0], x[1], x[2]]
  // expect: approximated depends on the data of %p
  %0 = torch.operator "onnx.RotaryEmbedding"(%x, %c, %s, %p) {torch.onnx.num_heads = 2 : si64} : (!torch.vtensor<[?,?,?],f32>, !torch.vtensor<[64,?],f32>, !torch.vtensor<[64,?],f32>, !torch.vtensor<[?,?],si64>) -> !torch.vtensor<[?,?,?],f32>
  return
}

func.func @a_part(%x: !torch.vtensor<[2,3,?,?],f32>, %c: !torch.vtensor<[2,?,2],f32>) {
  // expect: refuted C3 with x[2] = 2, c[1] = 3
  // expect: refuted C4 with x[3] = 2
  // expect: shape [2, 3, x[2], x[3]]
  %0 = torch.operator "onnx.RotaryEmbedding"(%x, %c, %c) {torch.onnx.rotary_embedding_dim = 4 : si64} : (!torch.vtensor<[2,3,?,?],f32>, !torch.vtensor<[2,?,2],f32>, !torch.vtensor<[2,?,2],f32>) -> !torch.vtensor<[?,?,?,?],f32>
  return
}

func.func @fifth_position(%x: !torch.vtensor<[1,2,1,8],f32>, %c: !torch.vtensor<[?,4],f32>) {
  %five = torch.operator "onnx.Constant"() {torch.onnx.value = dense<5> : tensor<1x1xsi64>} : () -> !torch.vtensor<[1,1],si64>
  // expect: refuted C9 with c[0] = 2
  %0 = torch.operator "onnx.RotaryEmbedding"(%x, %c, %c, %five) : (!torch.vtensor<[1,2,1,8],f32>, !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>, !torch.vtensor<[1,1],si64>) -> !torch.vtensor<[1,2,1,8],f32>
  return
}
