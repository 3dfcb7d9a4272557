func.func @gathered(%a: !torch.vtensor<[?,?,5],f32>) {
  %i = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[[0, 1], [2, -3]]> : tensor<2x2xsi64>} : () -> !torch.vtensor<[2,2],si64>
  // expect: refuted C9
  // expect: refuted C9
  // expect: shape [2, 5]
  %r0 = torch.operator "onnx.GatherND"(%a, %i) : (!torch.vtensor<[?,?,5],f32>, !torch.vtensor<[2,2],si64>) -> !torch.vtensor<[2,5],f32>
  return
}

func.func @known(%a: !torch.vtensor<[3,4,?],f32>) {
  %i = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[[0, 1], [2, -4]]> : tensor<2x2xsi64>} : () -> !torch.vtensor<[2,2],si64>
  // expect: proved C9
  // expect: proved C9
  // expect: shape [2, a[2]]
  %r0 = torch.operator "onnx.GatherND"(%a, %i) : (!torch.vtensor<[3,4,?],f32>, !torch.vtensor<[2,2],si64>) -> !torch.vtensor<[2,?],f32>
  return
}

func.func @batches(%a: !torch.vtensor<[?,4,5],f32>, %i: !torch.vtensor<[?,?,1],si64>) {
  // expect: refuted C2
  // expect: undecided C9 because depends on the data of %i
  // expect: approximated depends on the data
  // expect: shape [i[0], i[1], 5]
  %r0 = torch.operator "onnx.GatherND"(%a, %i) {torch.onnx.batch_dims = 1 : si64} : (!torch.vtensor<[?,4,5],f32>, !torch.vtensor<[?,?,1],si64>) -> !torch.vtensor<[?,?,5],f32>
  return
}

func.func @long_tuples(%a: !torch.vtensor<[?,4],f32>, %i: !torch.vtensor<[?,3],si64>) {
  // expect: refuted C1
  %r0 = torch.operator "onnx.GatherND"(%a, %i) : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?,3],si64>) -> !torch.vtensor<[?],f32>
  return
}

func.func @long_tuples_written(%a: !torch.vtensor<[?,4],f32>, %i: !torch.vtensor<[?,3],si64>, %u: !torch.vtensor<[?],f32>) {
  // expect: refuted C1
  %r1 = torch.operator "onnx.ScatterND"(%a, %i, %u) : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?,3],si64>, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?,4],f32>
  return
}

func.func @written(%a: !torch.vtensor<[?,4],f32>, %u: !torch.vtensor<[?,?],f32>) {
  %i = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[[0], [-2]]> : tensor<2x1xsi64>} : () -> !torch.vtensor<[2,1],si64>
  // expect: refuted C2
  // expect: refuted C9
  // expect: shape [a[0], 4]
  %r0 = torch.operator "onnx.ScatterND"(%a, %i, %u) : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[2,1],si64>, !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,4],f32>
  return
}

func.func @found(%a: !torch.vtensor<[?,4],f32>) {
  // expect: approximated how many elements are not 0 depends on what %a holds
  %r0 = torch.operator "onnx.NonZero"(%a) : (!torch.vtensor<[?,4],f32>) -> !torch.vtensor<[2,?],si64>
  return
}

func.func @boxes(%b: !torch.vtensor<[?,?,?],f32>, %s: !torch.vtensor<[?,3,?],f32>) {
  // expect: refuted C1
  // expect: refuted C2
  // expect: approximated how many boxes are left depends on what %s holds
  %r0 = torch.operator "onnx.NonMaxSuppression"(%b, %s) : (!torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,3,?],f32>) -> !torch.vtensor<[?,3],si64>
  return
}

func.func @image(%a: !torch.vtensor<[?,3,?,?],f32>, %g: !torch.vtensor<[?,?,7,?],f32>) {
  // expect: refuted C1
  // expect: refuted C2
  // expect: shape [a[0], 3, g[1], 7]
  %r0 = torch.operator "onnx.GridSample"(%a, %g) : (!torch.vtensor<[?,3,?,?],f32>, !torch.vtensor<[?,?,7,?],f32>) -> !torch.vtensor<[?,3,?,7],f32>
  return
}

func.func @chosen(%x: !torch.vtensor<[?,?],f32>, %c: !torch.vtensor<[?],i1>) {
  // expect: undecided C2
  // expect: approximated how many parts are chosen depends
  // expect: approximated whether there may be more truths than parts depends on the runtime
  %r1 = torch.operator "onnx.Compress"(%x, %c) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?],i1>) -> !torch.vtensor<[?,?],f32>
  // expect: approximated how many parts are chosen depends
  %r2:4 = torch.operator "onnx.Unique"(%x) : (!torch.vtensor<[?,?],f32>) -> (!torch.vtensor<[?],f32>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>)
  return
}

func.func @chosen_by_a_matrix(%x: !torch.vtensor<[?,?],f32>, %c: !torch.vtensor<[?,?],i1>) {
  // expect: refuted C1
  %r1 = torch.operator "onnx.Compress"(%x, %c) : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],i1>) -> !torch.vtensor<[?],f32>
  return
}

func.func @turned(%x: !torch.vtensor<[?,?,3],f32>, %l: !torch.vtensor<[?],si64>) {
  // expect: refuted C1
  // expect: undecided C9 because depends on the data of %l
  // expect: approximated depends on the data
  // expect: shape [x[0], x[1], 3]
  %r1 = torch.operator "onnx.ReverseSequence"(%x, %l) : (!torch.vtensor<[?,?,3],f32>, !torch.vtensor<[?],si64>) -> !torch.vtensor<[?,?,3],f32>
  return
}

func.func @turned_by_known(%x: !torch.vtensor<[?,?,3],f32>) {
  %two = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expect: refuted C1
  // expect: refuted C9 with x[1] = 1
  %r2 = torch.operator "onnx.ReverseSequence"(%x, %two) {torch.onnx.batch_axis = 0 : si64, torch.onnx.time_axis = 1 : si64} : (!torch.vtensor<[?,?,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,?,3],f32>
  return
}
