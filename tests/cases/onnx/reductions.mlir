func.func @folded(%a: !torch.vtensor<[?,?,4],f32>) {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expect: shape [a[0], 4]
  %r0 = torch.operator "onnx.ReduceMean"(%a, %s) {torch.onnx.keepdims = 0 : si64} : (!torch.vtensor<[?,?,4],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[?,4],f32>
  // expect: shape [1, 1, 1]
  %r1 = torch.operator "onnx.ReduceMax"(%a) : (!torch.vtensor<[?,?,4],f32>) -> !torch.vtensor<[1,1,1],f32>
  // expect: shape [a[0], a[1], 4]
  %r2 = torch.operator "onnx.ReduceSum"(%a) {torch.onnx.noop_with_empty_axes = 1 : si64} : (!torch.vtensor<[?,?,4],f32>) -> !torch.vtensor<[?,?,4],f32>
  return
}

func.func @places(%a: !torch.vtensor<[?,?],f32>) {
  // expect: refuted C1 with a[1] = 0
  // expect: shape [a[0], 1]
  %r0 = torch.operator "onnx.ArgMax"(%a) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,1],si64>
  %k = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[3]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expect: refuted C1
  %r1:2 = torch.operator "onnx.TopK"(%a, %k) : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[1],si64>) -> (!torch.vtensor<[?,3],f32>, !torch.vtensor<[?,3],si64>)
  return
}

func.func @normalized(%a: !torch.vtensor<[?,?],f32>) {
  // expect: shape [a[0], a[1]]
  %r0 = torch.operator "onnx.Softmax"(%a) {torch.onnx.axis = -1 : si64} : (!torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @channels(%a: !torch.vtensor<[?,?,?],f32>, %s: !torch.vtensor<[?],f32>) {
  // expect: refuted C1
  %r0 = torch.operator "onnx.InstanceNormalization"(%a, %s, %s) : (!torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?,?,?],f32>
  return
}

func.func @no_channels(%a: !torch.vtensor<[?],f32>, %s: !torch.vtensor<[?],f32>) {
  // expect: refuted C2
  %r0 = torch.operator "onnx.InstanceNormalization"(%a, %s, %s) : (!torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
  return
}

func.func @layers(%a: !torch.vtensor<[?,?],f32>, %s: !torch.vtensor<[?],f32>) {
  // expect: refuted C1
  // expect: undecided C2
  // expect: approximated whether what is normalized may be empty depends on the runtime
  // expect: shape [a[0], a[1]]
  %r0 = torch.operator "onnx.LayerNormalization"(%a, %s) : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @a_scale_of_each_row(%a: !torch.vtensor<[?,4],f32>, %s: !torch.vtensor<[?,4],f32>) {
  // expect: refuted C1 with a[0] = 2, s[0] = 3
  // expect: shape [a[0], 4]
  %r0 = torch.operator "onnx.LayerNormalization"(%a, %s) : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32>
  return
}

func.func @groups(%a: !torch.vtensor<[?,?,5],f32>, %s: !torch.vtensor<[?],f32>) {
  // expect: refuted C1
  // expect: refuted C1
  // expect: refuted C3
  // expect: refuted C4
  // expect: shape [a[0], a[1], 5]
  %r0 = torch.operator "onnx.GroupNormalization"(%a, %s, %s) {torch.onnx.num_groups = 4 : si64} : (!torch.vtensor<[?,?,5],f32>, !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?,?,5],f32>
  return
}

func.func @no_groups(%a: !torch.vtensor<[?],f32>, %s: !torch.vtensor<[?],f32>) {
  // expect: refuted C2
  %r0 = torch.operator "onnx.GroupNormalization"(%a, %s, %s) {torch.onnx.num_groups = 4 : si64} : (!torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
  return
}

func.func @determinants(%a: !torch.vtensor<[?,?,?],f32>) {
  // expect: refuted C1
  // expect: shape [a[0]]
  %r0 = torch.operator "onnx.Det"(%a) : (!torch.vtensor<[?,?,?],f32>) -> !torch.vtensor<[?],f32>
  return
}

func.func @of_an_attribute(%x: !torch.vtensor<[?,?],f32>) {
  // expect: refuted C1 with x[1] = 2
  // expect: shape [x[0], 3]
  %r1:2 = torch.operator "onnx.TopK"(%x) {torch.onnx.axis = 1 : si64, torch.onnx.k = 3 : si64} : (!torch.vtensor<[?,?],f32>) -> (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],si64>)
  return
}

func.func @folded_sizes(%a: !torch.vtensor<[?,?],f32>) {
  %s = torch.operator "onnx.Shape"(%a) : (!torch.vtensor<[?,?],f32>) -> !torch.vtensor<[2],si64>
  %p = torch.operator "onnx.ReduceProd"(%s) : (!torch.vtensor<[2],si64>) -> !torch.vtensor<[1],si64>
  // expect: shape [a[0]*a[1]]
  %r0 = torch.operator "onnx.ConstantOfShape"(%p) : (!torch.vtensor<[1],si64>) -> !torch.vtensor<[?],f32>
  %m = torch.operator "onnx.ReduceMin"(%s) : (!torch.vtensor<[2],si64>) -> !torch.vtensor<[1],si64>
  // expect: shape [min(a[0], a[1])]
  %r1 = torch.operator "onnx.ConstantOfShape"(%m) : (!torch.vtensor<[1],si64>) -> !torch.vtensor<[?],f32>
  %q = torch.operator "onnx.Constant"() {torch.onnx.value_ints = [0 : si64, 2 : si64, -1 : si64]} : () -> !torch.vtensor<[3],si64>
  // expect: refuted elements with a[0] = 2, a[1] = 3
  // expect: shape [a[0], 2, a[1]//2]
  %r2 = torch.operator "onnx.Reshape"(%a, %q) : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[?,2,?],f32>
  %z = torch.operator "onnx.Constant"() {torch.onnx.value_float = 0.0 : f32} : () -> !torch.vtensor<[],f32>
  %e = torch.operator "onnx.Constant"() {torch.onnx.value_float = 3.5 : f32} : () -> !torch.vtensor<[],f32>
  %d = torch.operator "onnx.Constant"() {torch.onnx.value_float = 0.1 : f32} : () -> !torch.vtensor<[],f32>
  // expect: shape [35]
  %r3 = torch.operator "onnx.Range"(%z, %e, %d) : (!torch.vtensor<[],f32>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[35],f32>
  return
}
