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

// How many of the places up to each are marked: at most as many as there are. Narrow integers hold that up to a size.
#same = affine_map<(d0, d1) -> (d0, d1)>
func.func @positions(%x: tensor<?x?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %b = tensor.dim %x, %c0 : tensor<?x?xi64>
  %t = tensor.dim %x, %c1 : tensor<?x?xi64>
  %few = arith.constant 100 : index
  %is_short = arith.cmpi sle, %t, %few : index
  // expect: refuted C1 with x[1] = 101
  cf.assert %is_short, "a text of at most 100 words"
  %e = tensor.empty(%b, %t) : tensor<?x?xi64>
  // expect: approximated depends on the data of %x
  %marks = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xi64>) outs(%e : tensor<?x?xi64>) {
  ^bb0(%in: i64, %o: i64):
    %is_word = arith.cmpi ne, %in, %zero : i64
    %mark = arith.extui %is_word : i1 to i64
    linalg.yield %mark : i64
  } -> tensor<?x?xi64>
  %out = linalg.fill ins(%zero : i64) outs(%e : tensor<?x?xi64>) -> tensor<?x?xi64>
  %f = tensor.empty(%b) : tensor<?xi64>
  %acc = linalg.fill ins(%zero : i64) outs(%f : tensor<?xi64>) -> tensor<?xi64>
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%marks : tensor<?x?xi64>) outs(%out, %acc : tensor<?x?xi64>, tensor<?xi64>) {
  ^bb0(%a: i64, %c: i64):
    %s = arith.addi %a, %c : i64
    tm_tensor.yield %s : i64
  } -> tensor<?x?xi64>, tensor<?xi64>
  %short = tensor.empty(%b, %t) : tensor<?x?xi32>
  // expect: approximated of what %0#0 holds only the bounds are known
  %narrow = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%0#0 : tensor<?x?xi64>) outs(%short : tensor<?x?xi32>) {
  ^bb0(%in: i64, %o: i32):
    %cut = arith.trunci %in : i64 to i32
    linalg.yield %cut : i32
  } -> tensor<?x?xi32>
  // expect: approximated of what %narrow holds only the bounds are known
  %1 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%narrow : tensor<?x?xi32>) outs(%e : tensor<?x?xi64>) {
  ^bb0(%in: i32, %o: i64):
    %place = arith.extsi %in : i32 to i64
    %rows = arith.constant 101 : i64
    %is_below = arith.cmpi slt, %place, %rows : i64
    // expect: proved C1
    cf.assert %is_below, "a place of the table"
    %is_above = arith.cmpi sge, %place, %zero : i64
    // expect: proved C1
    cf.assert %is_above, "a place of the table"
    linalg.yield %place : i64
  } -> tensor<?x?xi64>
  return
}
