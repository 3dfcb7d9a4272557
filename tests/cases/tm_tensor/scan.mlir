// As torch-mlir lowers a cumulative sum: zeros of the same shape, and of the shape without the folded dimension.
func.func @sums(%x: tensor<?x?xi64>) -> tensor<?x?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %b = tensor.dim %x, %c0 : tensor<?x?xi64>
  %t = tensor.dim %x, %c1 : tensor<?x?xi64>
  %e = tensor.empty(%b, %t) : tensor<?x?xi64>
  %out = linalg.fill ins(%zero : i64) outs(%e : tensor<?x?xi64>) -> tensor<?x?xi64>
  %f = tensor.empty(%b) : tensor<?xi64>
  %acc = linalg.fill ins(%zero : i64) outs(%f : tensor<?xi64>) -> tensor<?xi64>
  // expect: proved C1
  // expect: proved C2
  // expect: shape [x[0], x[1]]
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<?x?xi64>) outs(%out, %acc : tensor<?x?xi64>, tensor<?xi64>) {
  ^bb0(%a: i64, %c: i64):
    %s = arith.addi %a, %c : i64
    tm_tensor.yield %s : i64
  } -> tensor<?x?xi64>, tensor<?xi64>
  return %0#0 : tensor<?x?xi64>
}

func.func @elsewhere(%x: tensor<?x4xi64>, %out: tensor<?x4xi64>, %acc: tensor<?xi64>) -> tensor<?x4xi64> {
  // expect: refuted C1
  // expect: refuted C2
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<?x4xi64>) outs(%out, %acc : tensor<?x4xi64>, tensor<?xi64>) {
  ^bb0(%a: i64, %c: i64):
    %s = arith.addi %a, %c : i64
    tm_tensor.yield %s : i64
  } -> tensor<?x4xi64>, tensor<?xi64>
  return %0#0 : tensor<?x4xi64>
}

// Without elements no loop runs.
func.func @nothing(%x: tensor<?x0xi64>, %out: tensor<?x0xi64>, %acc: tensor<?xi64>) -> tensor<?x0xi64> {
  // expect: proved C1
  // expect: proved C2
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<?x0xi64>) outs(%out, %acc : tensor<?x0xi64>, tensor<?xi64>) {
  ^bb0(%a: i64, %c: i64):
    %s = arith.addi %a, %c : i64
    tm_tensor.yield %s : i64
  } -> tensor<?x0xi64>, tensor<?xi64>
  return %0#0 : tensor<?x0xi64>
}

// The first step is kept as it is: nothing is combined where there is no other.
func.func @one(%x: tensor<1xf32>, %out: tensor<1xf32>, %acc: tensor<f32>, %holds: i1) -> tensor<1xf32> {
  // expect: proved C1
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<1xf32>) outs(%out, %acc : tensor<1xf32>, tensor<f32>) {
  ^bb0(%a: f32, %c: f32):
    // expect: unreachable C1
    cf.assert %holds, "asked where two are combined"
    tm_tensor.yield %a : f32
  } -> tensor<1xf32>, tensor<f32>
  return %0#0 : tensor<1xf32>
}

func.func @two(%x: tensor<?xf32>, %out: tensor<2xf32>, %acc: tensor<f32>, %holds: i1) -> tensor<2xf32> {
  // expect: refuted C1
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<?xf32>) outs(%out, %acc : tensor<2xf32>, tensor<f32>) {
  ^bb0(%a: f32, %c: f32):
    // expect: refuted C1
    cf.assert %holds, "asked where two are combined"
    tm_tensor.yield %a : f32
  } -> tensor<2xf32>, tensor<f32>
  return %0#0 : tensor<2xf32>
}
