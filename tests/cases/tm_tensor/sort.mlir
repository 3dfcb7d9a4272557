// As torch-mlir lowers a sort: the values, and where each of them was.
func.func @places(%x: tensor<?x?xf32>) -> tensor<?x?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?xf32>
  %t = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%b, %t) : tensor<?x?xi64>
  %i = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<?x?xi64>) {
  ^bb0(%o: i64):
    %j = linalg.index 1 : index
    %w = arith.index_cast %j : index to i64
    linalg.yield %w : i64
  } -> tensor<?x?xi64>
  // expect: proved C1
  // expect: shape [x[0], x[1]]
  %0:2 = tm_tensor.sort dimension(1) outs(%x, %i : tensor<?x?xf32>, tensor<?x?xi64>) {
  ^bb0(%a: f32, %c: f32, %k: i64, %l: i64):
    // expect: approximated depends on the data of
    %s = arith.cmpf oge, %a, %c : f32
    tm_tensor.yield %s : i1
  } -> tensor<?x?xf32>, tensor<?x?xi64>
  return %0#1 : tensor<?x?xi64>
}

// The places are sorted in another order, but they stay places.
func.func @looked_up(%x: tensor<4xf32>, %table: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4xi64>
  %i = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<4xi64>) {
  ^bb0(%o: i64):
    %j = linalg.index 0 : index
    %w = arith.index_cast %j : index to i64
    linalg.yield %w : i64
  } -> tensor<4xi64>
  %0:2 = tm_tensor.sort dimension(0) outs(%x, %i : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%a: f32, %c: f32, %k: i64, %l: i64):
    // expect: approximated depends on the data of
    %s = arith.cmpf oge, %a, %c : f32
    tm_tensor.yield %s : i1
  } -> tensor<4xf32>, tensor<4xi64>
  // expect: approximated only the bounds are known
  %p = tensor.extract %0#1[%c0] : tensor<4xi64>
  %q = arith.index_cast %p : i64 to index
  %least = arith.constant 4 : index
  %n = tensor.dim %table, %c0 : tensor<?xf32>
  %enough = arith.cmpi sge, %n, %least : index
  // expect: refuted C1 with table[0] = 2
  cf.assert %enough, "the table has fewer than four rows"
  // expect: proved C1
  %r = tensor.extract %table[%q] : tensor<?xf32>
  return %r : f32
}

func.func @elsewhere(%x: tensor<?x4xf32>, %i: tensor<?x4xi64>) -> tensor<?x4xi64> {
  // expect: refuted C1
  %0:2 = tm_tensor.sort dimension(1) outs(%x, %i : tensor<?x4xf32>, tensor<?x4xi64>) {
  ^bb0(%a: f32, %c: f32, %k: i64, %l: i64):
    // expect: approximated depends on the data of
    %s = arith.cmpf oge, %a, %c : f32
    tm_tensor.yield %s : i1
  } -> tensor<?x4xf32>, tensor<?x4xi64>
  return %0#1 : tensor<?x4xi64>
}

// Of one element there is nothing to sort.
func.func @one(%x: tensor<?x1xf32>, %i: tensor<?x1xi64>) -> tensor<?x1xi64> {
  // expect: proved C1
  %0:2 = tm_tensor.sort dimension(1) outs(%x, %i : tensor<?x1xf32>, tensor<?x1xi64>) {
  ^bb0(%a: f32, %c: f32, %k: i64, %l: i64):
    // expect: approximated depends on the data of
    %s = arith.cmpf oge, %a, %c : f32
    tm_tensor.yield %s : i1
  } -> tensor<?x1xf32>, tensor<?x1xi64>
  return %0#1 : tensor<?x1xi64>
}
