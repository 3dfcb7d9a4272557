// As torch-mlir lowers index_put: rows of the updates are put where the integers say.
func.func @rows(%u: tensor<?x8xf32>, %i: tensor<?x1xi32>, %o: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expect: refuted C1
  // expect: undecided C3
  // expect: proved C2
  // expect: approximated depends on the data of %i
  // expect: shape [o[0], 8]
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%u, %i : tensor<?x8xf32>, tensor<?x1xi32>) outs(%o : tensor<?x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tm_tensor.yield %s : f32
  } -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// Integers that the program itself holds: the last place is 3.
func.func @known(%u: tensor<2x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %i = arith.constant dense<[[0], [3]]> : tensor<2x1xi32>
  // expect: proved C1
  // expect: refuted C2
  // expect: refuted C3 with o[0] = 2
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<2x?xf32>, tensor<2x1xi32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A place that is moved along the updates: three elements from the second on.
func.func @moved(%u: tensor<1x3xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %i = arith.constant dense<1> : tensor<1x1xi32>
  // expect: proved C1
  // expect: refuted C3 with o[0] = 2
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<1x3xf32>, tensor<1x1xi32>) outs(%o : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Nothing is put anywhere: no place is looked at.
func.func @nothing(%u: tensor<0x8xf32>, %i: tensor<0x1xi32>, %o: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expect: proved C1
  // expect: proved C2
  // expect: proved C3
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%u, %i : tensor<0x8xf32>, tensor<0x1xi32>) outs(%o : tensor<?x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
