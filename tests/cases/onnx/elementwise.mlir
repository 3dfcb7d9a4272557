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

// A shape that is computed in 32 bits: (T + 1) / 2 pairs, of which the last is not full where T is odd.
func.func @shape_in_32_bits(%x: !torch.vtensor<[?],f32>) {
  %one = torch.vtensor.literal(dense<1> : tensor<1xsi32>) : !torch.vtensor<[1],si32>
  %two = torch.vtensor.literal(dense<2> : tensor<1xsi32>) : !torch.vtensor<[1],si32>
  %s = torch.operator "onnx.Shape"(%x) : (!torch.vtensor<[?],f32>) -> !torch.vtensor<[1],si64>
  %n = torch.operator "onnx.Cast"(%s) {torch.onnx.to = 6 : si64} : (!torch.vtensor<[1],si64>) -> !torch.vtensor<[1],si32>
  %more = torch.operator "onnx.Add"(%n, %one) : (!torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>) -> !torch.vtensor<[1],si32>
  %half = torch.operator "onnx.Div"(%more, %two) : (!torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>) -> !torch.vtensor<[1],si32>
  %both = torch.operator "onnx.Concat"(%half, %two) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>) -> !torch.vtensor<[2],si32>
  %shape = torch.operator "onnx.Cast"(%both) {torch.onnx.to = 7 : si64} : (!torch.vtensor<[2],si32>) -> !torch.vtensor<[2],si64>
  // expect: proved C1
  // expect: refuted C2 with x[0] = 3
  %r0 = torch.operator "onnx.Reshape"(%x, %shape) : (!torch.vtensor<[?],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,2],f32>
  %ends = torch.operator "onnx.ReduceProd"(%both) {torch.onnx.keepdims = 1 : si64} : (!torch.vtensor<[2],si32>) -> !torch.vtensor<[1],si32>
  %end = torch.operator "onnx.Cast"(%ends) {torch.onnx.to = 7 : si64} : (!torch.vtensor<[1],si32>) -> !torch.vtensor<[1],si64>
  // expect: shape [x[0] - (x[0] + 1) % 2 + 1]
  %r1 = torch.operator "onnx.ConstantOfShape"(%end) : (!torch.vtensor<[1],si64>) -> !torch.vtensor<[?],f32>
  return
}

// A sum that 32 bits do not hold wraps, for small sizes, too.
func.func @sum_above_32_bits(%x: !torch.vtensor<[?],f32>) {
  %big = torch.vtensor.literal(dense<2147483647> : tensor<1xsi32>) : !torch.vtensor<[1],si32>
  %s = torch.operator "onnx.Shape"(%x) : (!torch.vtensor<[?],f32>) -> !torch.vtensor<[1],si64>
  %n = torch.operator "onnx.Cast"(%s) {torch.onnx.to = 6 : si64} : (!torch.vtensor<[1],si64>) -> !torch.vtensor<[1],si32>
  %more = torch.operator "onnx.Add"(%n, %big) : (!torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>) -> !torch.vtensor<[1],si32>
  %size = torch.operator "onnx.Cast"(%more) {torch.onnx.to = 7 : si64} : (!torch.vtensor<[1],si32>) -> !torch.vtensor<[1],si64>
  // expect: refuted C1 with x[0] = 2
  %r0 = torch.operator "onnx.ConstantOfShape"(%size) : (!torch.vtensor<[1],si64>) -> !torch.vtensor<[?],f32>
  return
}
