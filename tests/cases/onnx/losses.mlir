// Losses over classes.
func.func @likelihood(%x: !torch.vtensor<[?,3,?],f32>, %t: !torch.vtensor<[?,?],si64>, %w: !torch.vtensor<[?],f32>) {
  // expect: refuted C2 with x[2] = 2, t[1] = 3
  // expect: refuted C3 with w[0] = 2
  // expect: undecided C9
  // expect: shape [t[0], t[1]]
  // expect: approximated depends on the data of %t
  %0 = torch.operator "onnx.NegativeLogLikelihoodLoss"(%x, %t, %w) {torch.onnx.reduction = "none"} : (!torch.vtensor<[?,3,?],f32>, !torch.vtensor<[?,?],si64>, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @softmax(%x: !torch.vtensor<[?,?],f32>, %t: !torch.vtensor<[?],si64>, %w: !torch.vtensor<[?],f32>) {
  // expect: refuted C2 with x[0] = 2, t[0] = 3
  // expect: refuted C4 with x[1] = 0
  // expect: undecided C3
  // expect: undecided C9
  // expect: shape []
  // expect: approximated depends on the data of %t
  // expect: approximated whether there may be another number of weights than of classes depends on the runtime
  %0:2 = torch.operator "onnx.SoftmaxCrossEntropyLoss"(%x, %t, %w) {torch.onnx.ignore_index = -1 : si64} : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],f32>) -> (!torch.vtensor<[],f32>, !torch.vtensor<[?,?],f32>)
  return
}

func.func @ranks(%x: !torch.vtensor<[?,?],f32>, %t: !torch.vtensor<[?,?],si64>) {
  // expect: refuted C1
  %0 = torch.operator "onnx.SoftmaxCrossEntropyLoss"(%x, %t) : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],si64>) -> !torch.vtensor<[],f32>
  return
}

func.func @weights(%x: !torch.vtensor<[?,?],f32>, %t: !torch.vtensor<[?],si64>, %w: !torch.vtensor<[?,?],f32>) {
  // expect: refuted C2
  // expect: refuted C4
  // expect: refuted C3
  // expect: unreachable C9
  // expect: approximated depends on the data of %t
  %0 = torch.operator "onnx.SoftmaxCrossEntropyLoss"(%x, %t, %w) : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?],si64>, !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[],f32>
  return
}

// Five is a class where there are six, and minus one never is.
func.func @numbers(%x: !torch.vtensor<[1,?],f32>) {
  %five = torch.operator "onnx.Constant"() {torch.onnx.value = dense<5> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %minus = torch.operator "onnx.Constant"() {torch.onnx.value = dense<-1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expect: refuted C9 with x[1] = 2
  %0 = torch.operator "onnx.NegativeLogLikelihoodLoss"(%x, %five) : (!torch.vtensor<[1,?],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[],f32>
  // expect: proved C9
  %1 = torch.operator "onnx.NegativeLogLikelihoodLoss"(%x, %minus) {torch.onnx.ignore_index = -1 : si64} : (!torch.vtensor<[1,?],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[],f32>
  return
}
