// A branch is reached where its condition holds: the importer orders the graphs by name, `else_branch` first.
func.func @chosen(%x: !torch.vtensor<[?,?],f32>) {
  %three = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %five = torch.operator "onnx.Constant"() {torch.onnx.value = dense<5> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %axis = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %t = torch.operator "onnx.Shape"(%x) {torch.onnx.end = 2 : si64, torch.onnx.start = 1 : si64} : (!torch.vtensor<[?,?],f32>) -> !torch.vtensor<[1],si64>
  %n = torch.operator "onnx.Squeeze"(%t, %axis) : (!torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[],si64>
  %long = torch.operator "onnx.Greater"(%n, %three) : (!torch.vtensor<[],si64>, !torch.vtensor<[],si64>) -> !torch.vtensor<[],i1>
  // expect: shape [x[0], select(x[1] <= 3, x[1], 5)]
  %y = torch.operator "onnx.If"(%long) : (!torch.vtensor<[],i1>) -> !torch.vtensor<[?,?],f32> {
    %same = torch.operator "onnx.Identity"(%x) : (!torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32>
    torch.operator_terminator %same : !torch.vtensor<[?,?],f32>
  }, {
    // expect: refuted C1 with x[1] = 4
    %big:2 = torch.operator "onnx.TopK"(%x, %five) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[1],si64>) -> (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],si64>)
    torch.operator_terminator %big#0 : !torch.vtensor<[?,?],f32>
  }
  return
}

// A condition that is an argument reaches both graphs.
func.func @by_data(%x: !torch.vtensor<[?,?],f32>, %y: !torch.vtensor<[?,?],f32>, %p: !torch.vtensor<[],i1>) {
  %z = torch.operator "onnx.If"(%p) : (!torch.vtensor<[],i1>) -> !torch.vtensor<[?,?],f32> {
    torch.operator_terminator %x : !torch.vtensor<[?,?],f32>
  }, {
    // expect: refuted C1 with p.values[0] = 1
    %sum = torch.operator "onnx.Add"(%x, %y) : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32>
    torch.operator_terminator %sum : !torch.vtensor<[?,?],f32>
  }
  return
}

func.func @counted(%x: !torch.vtensor<[?,?,4],f32>, %k: !torch.vtensor<[?,?,4],f32>, %first: !torch.vtensor<[?,4],f32>, %p: !torch.vtensor<[],i1>) {
  %true = torch.operator "onnx.Constant"() {torch.onnx.value = dense<true> : tensor<i1>} : () -> !torch.vtensor<[],i1>
  %none = torch.constant.none
  %t = torch.operator "onnx.Shape"(%x) {torch.onnx.end = 2 : si64, torch.onnx.start = 1 : si64} : (!torch.vtensor<[?,?,4],f32>) -> !torch.vtensor<[1],si64>
  // expect: shape [first[0], 4]
  %0 = torch.operator "onnx.Loop"(%t, %true, %first) : (!torch.vtensor<[1],si64>, !torch.vtensor<[],i1>, !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  ^bb0(%i: !torch.vtensor<[],si64>, %on: !torch.vtensor<[],i1>, %sum: !torch.vtensor<[?,4],f32>):
    // expect: refuted C9
    %row = torch.operator "onnx.Gather"(%k, %i) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[?,?,4],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[?,4],f32>
    %still = torch.operator "onnx.Identity"(%on) : (!torch.vtensor<[],i1>) -> !torch.vtensor<[],i1>
    torch.operator_terminator %still, %sum : !torch.vtensor<[],i1>, !torch.vtensor<[?,4],f32>
  }
  // A cache that grows in each of three iterations.
  %three = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expect: shape [4*first[0], 4]
  %1 = torch.operator "onnx.Loop"(%three, %none, %first) : (!torch.vtensor<[],si64>, !torch.none, !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  ^bb0(%i: !torch.vtensor<[],si64>, %on: !torch.vtensor<[],i1>, %cache: !torch.vtensor<[?,4],f32>):
    %more = torch.operator "onnx.Concat"(%cache, %first) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32>
    torch.operator_terminator %true, %more : !torch.vtensor<[],i1>, !torch.vtensor<[?,4],f32>
  }
  // How often a loop runs whose condition data decides is not known, and whether it ends.
  // expect: approximated how often a loop runs is not followed
  %2 = torch.operator "onnx.Loop"(%t, %true, %first) : (!torch.vtensor<[1],si64>, !torch.vtensor<[],i1>, !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  ^bb0(%i: !torch.vtensor<[],si64>, %on: !torch.vtensor<[],i1>, %cache: !torch.vtensor<[?,4],f32>):
    %more = torch.operator "onnx.Concat"(%cache, %first) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32>
    torch.operator_terminator %p, %more : !torch.vtensor<[],i1>, !torch.vtensor<[?,4],f32>
  }
  %3 = torch.operator "onnx.Loop"(%none, %true, %first) : (!torch.none, !torch.vtensor<[],i1>, !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  ^bb0(%i: !torch.vtensor<[],si64>, %on: !torch.vtensor<[],i1>, %sum: !torch.vtensor<[?,4],f32>):
    torch.operator_terminator %on, %sum : !torch.vtensor<[],i1>, !torch.vtensor<[?,4],f32>
  }
  // Behind a loop that may never end, nothing is refuted.
  // expect: undecided C1
  %last = torch.operator "onnx.Add"(%x, %k) : (!torch.vtensor<[?,?,4],f32>, !torch.vtensor<[?,?,4],f32>) -> !torch.vtensor<[?,?,4],f32>
  return
}

// The places of the greatest elements are places, whatever the data: they hide no condition on sizes behind them.
func.func @behind_places(%x: !torch.vtensor<[?,?],f32>) {
  %two = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %n = torch.operator "onnx.Shape"(%x) {torch.onnx.end = 2 : si64, torch.onnx.start = 1 : si64} : (!torch.vtensor<[?,?],f32>) -> !torch.vtensor<[1],si64>
  %half = torch.operator "onnx.Div"(%n, %two) : (!torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],si64>
  %v:2 = torch.operator "onnx.TopK"(%x, %half) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[1],si64>) -> (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],si64>)
  // expect: proved C9
  // expect: approximated depends on the data of %x, in %v#1
  %g = torch.operator "onnx.GatherElements"(%x, %v#1) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],si64>) -> !torch.vtensor<[?,?],f32>
  // expect: refuted C1
  %d = torch.operator "onnx.Sub"(%x, %g) : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32>
  return
}
