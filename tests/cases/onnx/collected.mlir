// Loops that collect a value of each iteration, and scans.
func.func @rows(%n: !torch.vtensor<[1],si64>, %x: !torch.vtensor<[?],f32>, %y: !torch.vtensor<[?,4],f32>) {
  %true = torch.operator "onnx.Constant"() {torch.onnx.value = dense<true> : tensor<i1>} : () -> !torch.vtensor<[],i1>
  %t = torch.operator "onnx.Shape"(%y) {torch.onnx.end = 1 : si64, torch.onnx.start = 0 : si64} : (!torch.vtensor<[?,4],f32>) -> !torch.vtensor<[1],si64>
  // A row of the second tensor in each iteration.
  // expect: proved C1
  // expect: shape [y[0], 4]
  %0 = torch.operator "onnx.Loop"(%t, %true) : (!torch.vtensor<[1],si64>, !torch.vtensor<[],i1>) -> !torch.vtensor<[?,4],f32> {
  ^bb0(%i: !torch.vtensor<[],si64>, %on: !torch.vtensor<[],i1>):
    // expect: proved C9
    %row = torch.operator "onnx.Gather"(%y, %i) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[4],f32>
    torch.operator_terminator %on, %row : !torch.vtensor<[],i1>, !torch.vtensor<[4],f32>
  }
  // expect: proved C1
  %1 = torch.operator "onnx.Add"(%0, %y) : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32>
  // Without an iteration, the extents are those that the body's type states; others are left to the runtime.
  // expect: proved C1
  // expect: approximated what a loop without iterations collects has extents that depend on the runtime
  %2 = torch.operator "onnx.Loop"(%t, %true) : (!torch.vtensor<[1],si64>, !torch.vtensor<[],i1>) -> !torch.vtensor<[?,?],f32> {
  ^bb0(%i: !torch.vtensor<[],si64>, %on: !torch.vtensor<[],i1>):
    torch.operator_terminator %on, %x : !torch.vtensor<[],i1>, !torch.vtensor<[?],f32>
  }
  // expect: undecided C1
  %3 = torch.operator "onnx.Add"(%2, %x) : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?,?],f32>
  // How often a loop runs whose number of iterations may be negative.
  // expect: proved C1
  // expect: shape [max(0, n.values[0]), 4]
  %4 = torch.operator "onnx.Loop"(%n, %true) : (!torch.vtensor<[1],si64>, !torch.vtensor<[],i1>) -> !torch.vtensor<[?,4],f32> {
  ^bb0(%i: !torch.vtensor<[],si64>, %on: !torch.vtensor<[],i1>):
    %row = torch.operator "onnx.ReduceMax"(%y) {torch.onnx.keepdims = 0 : si64, torch.onnx.axes = [0 : si64]} : (!torch.vtensor<[?,4],f32>) -> !torch.vtensor<[4],f32>
    torch.operator_terminator %on, %row : !torch.vtensor<[],i1>, !torch.vtensor<[4],f32>
  }
  return
}

// A cache that grows cannot be collected, unless there is one iteration, or none.
func.func @growing(%x: !torch.vtensor<[?],f32>, %y: !torch.vtensor<[?,4],f32>) {
  %true = torch.operator "onnx.Constant"() {torch.onnx.value = dense<true> : tensor<i1>} : () -> !torch.vtensor<[],i1>
  %three = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %t = torch.operator "onnx.Shape"(%y) {torch.onnx.end = 1 : si64, torch.onnx.start = 0 : si64} : (!torch.vtensor<[?,4],f32>) -> !torch.vtensor<[1],si64>
  // expect: refuted C1 with x[0] = 2, y[0] = 2
  // expect: approximated what a loop without iterations collects has extents that depend on the runtime
  %0:2 = torch.operator "onnx.Loop"(%t, %true, %x) : (!torch.vtensor<[1],si64>, !torch.vtensor<[],i1>, !torch.vtensor<[?],f32>) -> (!torch.vtensor<[?],f32>, !torch.vtensor<[?,?],f32>) {
  ^bb0(%i: !torch.vtensor<[],si64>, %on: !torch.vtensor<[],i1>, %cache: !torch.vtensor<[?],f32>):
    %more = torch.operator "onnx.Concat"(%cache, %x) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
    torch.operator_terminator %on, %more, %more : !torch.vtensor<[],i1>, !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>
  }
  // Each of three iterations is followed.
  // expect: proved C1
  // expect: shape [4*x[0]]
  %1:2 = torch.operator "onnx.Loop"(%three, %true, %x) : (!torch.vtensor<[],si64>, !torch.vtensor<[],i1>, !torch.vtensor<[?],f32>) -> (!torch.vtensor<[?],f32>, !torch.vtensor<[3,?],f32>) {
  ^bb0(%i: !torch.vtensor<[],si64>, %on: !torch.vtensor<[],i1>, %cache: !torch.vtensor<[?],f32>):
    %more = torch.operator "onnx.Concat"(%cache, %x) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
    torch.operator_terminator %on, %more, %x : !torch.vtensor<[],i1>, !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>
  }
  return
}

// Which elements are nonzero may differ from iteration to iteration.
func.func @by_data(%x: !torch.vtensor<[?],f32>, %y: !torch.vtensor<[?,4],f32>, %p: !torch.vtensor<[],i1>) {
  %true = torch.operator "onnx.Constant"() {torch.onnx.value = dense<true> : tensor<i1>} : () -> !torch.vtensor<[],i1>
  %t = torch.operator "onnx.Shape"(%y) {torch.onnx.end = 1 : si64, torch.onnx.start = 0 : si64} : (!torch.vtensor<[?,4],f32>) -> !torch.vtensor<[1],si64>
  // expect: undecided C1
  // expect: approximated what a loop without iterations collects has extents that depend on the runtime
  // expect: approximated whether each iteration of onnx.Loop yields the same shape is not followed
  // expect: approximated the shape of what the iterations yield is not followed
  %0 = torch.operator "onnx.Loop"(%t, %true) : (!torch.vtensor<[1],si64>, !torch.vtensor<[],i1>) -> !torch.vtensor<[?,1,?],si64> {
  ^bb0(%i: !torch.vtensor<[],si64>, %on: !torch.vtensor<[],i1>):
    %row = torch.operator "onnx.Gather"(%y, %i) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[4],f32>
    // expect: approximated how many elements are not 0 depends on what %row holds
    %found = torch.operator "onnx.NonZero"(%row) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[1,?],si64>
    torch.operator_terminator %on, %found : !torch.vtensor<[],i1>, !torch.vtensor<[1,?],si64>
  }
  // How often this loop runs, data decide.
  // expect: approximated how often a loop runs is not followed
  %1 = torch.operator "onnx.Loop"(%t, %true) : (!torch.vtensor<[1],si64>, !torch.vtensor<[],i1>) -> !torch.vtensor<[?,4],f32> {
  ^bb0(%i: !torch.vtensor<[],si64>, %on: !torch.vtensor<[],i1>):
    %row = torch.operator "onnx.Gather"(%y, %i) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[4],f32>
    torch.operator_terminator %p, %row : !torch.vtensor<[],i1>, !torch.vtensor<[4],f32>
  }
  // expect: undecided C1
  %2 = torch.operator "onnx.Add"(%1, %y) : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32>
  return
}

func.func @scanned(%h: !torch.vtensor<[?],f32>, %x: !torch.vtensor<[?,?],f32>, %z: !torch.vtensor<[?,?],f32>) {
  // expect: refuted C1 with x[0] = 2, z[1] = 3
  // expect: proved C2
  // expect: refuted C3 with x[0] = 0
  // expect: shape [x[1], x[0]]
  %0 = torch.operator "onnx.Scan"(%x, %z) {torch.onnx.num_scan_inputs = 2 : si64, torch.onnx.scan_input_axes = [0 : si64, -1 : si64], torch.onnx.scan_output_axes = [1 : si64]} : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32> {
  ^bb0(%a: !torch.vtensor<[?],f32>, %b: !torch.vtensor<[?],f32>):
    // expect: refuted C1 with x[1] = 2, z[0] = 3
    %sum = torch.operator "onnx.Add"(%a, %b) : (!torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
    // expect: proved C1
    %same = torch.operator "onnx.Add"(%a, %a) : (!torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
    torch.operator_terminator %same : !torch.vtensor<[?],f32>
  }
  return
}

// A state that broadcasts with what is scanned keeps its shape only where that has as many elements, or one.
func.func @state(%h: !torch.vtensor<[?],f32>, %x: !torch.vtensor<[?,?],f32>) {
  // expect: refuted C2 with h[0] = 1, x[1] = 2
  // expect: refuted C3 with x[0] = 0
  // expect: shape [h[0]]
  %0:2 = torch.operator "onnx.Scan"(%h, %x) {torch.onnx.num_scan_inputs = 1 : si64} : (!torch.vtensor<[?],f32>, !torch.vtensor<[?,?],f32>) -> (!torch.vtensor<[?],f32>, !torch.vtensor<[?,?],f32>) {
  ^bb0(%state: !torch.vtensor<[?],f32>, %a: !torch.vtensor<[?],f32>):
    // expect: refuted C1 with h[0] = 2, x[1] = 3
    %sum = torch.operator "onnx.Add"(%state, %a) : (!torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
    torch.operator_terminator %sum, %a : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>
  }
  return
}

// Where a scan collects nothing, it is left to the runtime whether there may be no part.
func.func @last(%h: !torch.vtensor<[?],f32>, %x: !torch.vtensor<[?,?],f32>) {
  // expect: proved C2
  // expect: undecided C3
  // expect: shape [h[0]]
  // expect: approximated whether a scan may have no parts depends on the runtime
  %0 = torch.operator "onnx.Scan"(%h, %x) {torch.onnx.num_scan_inputs = 1 : si64} : (!torch.vtensor<[?],f32>, !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?],f32> {
  ^bb0(%state: !torch.vtensor<[?],f32>, %a: !torch.vtensor<[?],f32>):
    torch.operator_terminator %state : !torch.vtensor<[?],f32>
  }
  return
}
