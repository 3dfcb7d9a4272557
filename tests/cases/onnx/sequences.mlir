func.func @of_two(%x: !torch.vtensor<[?,?],f32>, %y: !torch.vtensor<[?,2],f32>) {
  %last = torch.operator "onnx.Constant"() {torch.onnx.value = dense<-1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %third = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %q = torch.operator "onnx.SequenceConstruct"(%x, %y) : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?,2],f32>) -> !torch.list<vtensor<[?,?],f32>>
  // expect: shape [y[0], 2]
  %r2 = torch.operator "onnx.SequenceAt"(%q, %last) : (!torch.list<vtensor<[?,?],f32>>, !torch.vtensor<[],si64>) -> !torch.vtensor<[?,?],f32>
  // expect: refuted C2
  // expect: shape [x[0] + y[0], x[1]]
  %r3 = torch.operator "onnx.ConcatFromSequence"(%q) {torch.onnx.axis = 0 : si64} : (!torch.list<vtensor<[?,?],f32>>) -> !torch.vtensor<[?,?],f32>
  // expect: refuted C2
  // expect: shape [x[0], 2, x[1]]
  %r4 = torch.operator "onnx.ConcatFromSequence"(%q) {torch.onnx.axis = 1 : si64, torch.onnx.new_axis = 1 : si64} : (!torch.list<vtensor<[?,?],f32>>) -> !torch.vtensor<[?,?,?],f32>
  %more = torch.operator "onnx.SequenceInsert"(%q, %x) : (!torch.list<vtensor<[?,?],f32>>, !torch.vtensor<[?,?],f32>) -> !torch.list<vtensor<[?,?],f32>>
  // expect: shape [x[0], x[1]]
  %r6 = torch.operator "onnx.SequenceAt"(%more, %third) : (!torch.list<vtensor<[?,?],f32>>, !torch.vtensor<[],si64>) -> !torch.vtensor<[?,?],f32>
  %between = torch.operator "onnx.SequenceInsert"(%q, %x, %last) : (!torch.list<vtensor<[?,?],f32>>, !torch.vtensor<[?,?],f32>, !torch.vtensor<[],si64>) -> !torch.list<vtensor<[?,?],f32>>
  // expect: shape [y[0], 2]
  %r8 = torch.operator "onnx.SequenceAt"(%between, %third) : (!torch.list<vtensor<[?,?],f32>>, !torch.vtensor<[],si64>) -> !torch.vtensor<[?,?],f32>
  %again = torch.operator "onnx.SequenceErase"(%more) : (!torch.list<vtensor<[?,?],f32>>) -> !torch.list<vtensor<[?,?],f32>>
  // expect: shape []
  %r10 = torch.operator "onnx.SequenceLength"(%again) : (!torch.list<vtensor<[?,?],f32>>) -> !torch.vtensor<[],si64>
  // expect: refuted C1
  %r11 = torch.operator "onnx.SequenceAt"(%again, %third) : (!torch.list<vtensor<[?,?],f32>>, !torch.vtensor<[],si64>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @beyond(%x: !torch.vtensor<[?,?],f32>, %y: !torch.vtensor<[?,2],f32>) {
  %third = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %q = torch.operator "onnx.SequenceConstruct"(%x, %y) : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?,2],f32>) -> !torch.list<vtensor<[?,?],f32>>
  // expect: refuted C1
  %r2 = torch.operator "onnx.SequenceErase"(%q, %third) : (!torch.list<vtensor<[?,?],f32>>, !torch.vtensor<[],si64>) -> !torch.list<vtensor<[?,?],f32>>
  return
}

func.func @of_none(%x: !torch.vtensor<[?,?],f32>) {
  %q = torch.operator "onnx.SequenceEmpty"() : () -> !torch.list<vtensor<[?,?],f32>>
  // expect: refuted C1
  %r2 = torch.operator "onnx.ConcatFromSequence"(%q) {torch.onnx.axis = 0 : si64} : (!torch.list<vtensor<[?,?],f32>>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @split(%x: !torch.vtensor<[?,?],f32>, %y: !torch.vtensor<[5,?],f32>) {
  %one = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %sizes = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 1]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %two = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expect: refuted C1
  %q = torch.operator "onnx.SplitToSequence"(%x, %sizes) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[2],si64>) -> !torch.list<vtensor<[?,?],f32>>
  // expect: shape [x[0], 1]
  %r2 = torch.operator "onnx.SequenceAt"(%q, %one) : (!torch.list<vtensor<[?,?],f32>>, !torch.vtensor<[],si64>) -> !torch.vtensor<[?,?],f32>
  %p = torch.operator "onnx.SplitToSequence"(%y, %two) : (!torch.vtensor<[5,?],f32>, !torch.vtensor<[],si64>) -> !torch.list<vtensor<[?,?],f32>>
  // expect: shape [1, y[1]]
  %r4 = torch.operator "onnx.SequenceAt"(%p, %two) : (!torch.list<vtensor<[?,?],f32>>, !torch.vtensor<[],si64>) -> !torch.vtensor<[?,?],f32>
  %o = torch.operator "onnx.SplitToSequence"(%y) {torch.onnx.keepdims = 0 : si64} : (!torch.vtensor<[5,?],f32>) -> !torch.list<vtensor<[?],f32>>
  // expect: shape [y[1]]
  %r6 = torch.operator "onnx.SequenceAt"(%o, %one) : (!torch.list<vtensor<[?],f32>>, !torch.vtensor<[],si64>) -> !torch.vtensor<[?],f32>
  // expect: proved C3
  %r7 = torch.operator "onnx.SplitToSequence"(%x) : (!torch.vtensor<[?,?],f32>) -> !torch.list<vtensor<[1,?],f32>>
  return
}

// Parts of three, as many as it takes: the last may be smaller.
func.func @split_in_any_number(%x: !torch.vtensor<[2,?],f32>, %n: !torch.vtensor<[],si64>) {
  %first = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %last = torch.operator "onnx.Constant"() {torch.onnx.value = dense<-1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %third = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %three = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expect: proved C3
  %q = torch.operator "onnx.SplitToSequence"(%x, %three) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[2,?],f32>, !torch.vtensor<[],si64>) -> !torch.list<vtensor<[2,?],f32>>
  // expect: refuted C1 with x[1] = 2
  %a = torch.operator "onnx.SequenceAt"(%q, %third) : (!torch.list<vtensor<[2,?],f32>>, !torch.vtensor<[],si64>) -> !torch.vtensor<[2,?],f32>
  // expect: proved C1
  %b = torch.operator "onnx.SequenceAt"(%q, %last) : (!torch.list<vtensor<[2,?],f32>>, !torch.vtensor<[],si64>) -> !torch.vtensor<[2,?],f32>
  %c = torch.operator "onnx.SequenceAt"(%q, %first) : (!torch.list<vtensor<[2,?],f32>>, !torch.vtensor<[],si64>) -> !torch.vtensor<[2,3],f32>
  // expect: refuted broadcast with x[1] = 8
  %d = torch.operator "onnx.Add"(%b, %c) : (!torch.vtensor<[2,?],f32>, !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  // expect: shape [2, x[1]]
  %e = torch.operator "onnx.ConcatFromSequence"(%q) {torch.onnx.axis = 1 : si64} : (!torch.list<vtensor<[2,?],f32>>) -> !torch.vtensor<[2,?],f32>
  %o = torch.operator "onnx.SplitToSequence"(%x) {torch.onnx.axis = 1 : si64, torch.onnx.keepdims = 0 : si64} : (!torch.vtensor<[2,?],f32>) -> !torch.list<vtensor<[2],f32>>
  // expect: shape [x[1], 2]
  %f = torch.operator "onnx.ConcatFromSequence"(%o) {torch.onnx.axis = 0 : si64, torch.onnx.new_axis = 1 : si64} : (!torch.list<vtensor<[2],f32>>) -> !torch.vtensor<[?,2],f32>
  // expect: refuted C3
  %p = torch.operator "onnx.SplitToSequence"(%x, %n) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[2,?],f32>, !torch.vtensor<[],si64>) -> !torch.list<vtensor<[2,?],f32>>
  return
}

// A tensor that may be missing.
func.func @optional(%x: !torch.vtensor<[?,3],f32>, %o: !torch.optional<vtensor<[?,3],f32>>) {
  // expect: shape [x[0], 3]
  %0 = torch.operator "onnx.Optional"(%x) : (!torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32>
  %1 = torch.operator "onnx.OptionalHasElement"(%0) : (!torch.vtensor<[?,3],f32>) -> !torch.vtensor<[],i1>
  // expect: shape [x[0], 3]
  %2 = torch.operator "onnx.OptionalGetElement"(%0) : (!torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32>
  %3 = torch.operator "onnx.Optional"() : () -> !torch.none
  // expect: refuted C1
  %4 = torch.operator "onnx.OptionalGetElement"(%3) : (!torch.none) -> !torch.vtensor<[?,3],f32>
  // expect: approximated whether %o is there is not known
  %5 = torch.operator "onnx.OptionalGetElement"(%o) : (!torch.optional<vtensor<[?,3],f32>>) -> !torch.vtensor<[?,3],f32>
  return
}
