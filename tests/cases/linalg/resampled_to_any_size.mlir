#map = affine_map<(d0) -> (d0)>

// Each of n places looks up the pixel of an image of m that is next to it: floor(i * (m / n)). No float holds the scale
// exactly, and what is rounded stays below m as long as n is not too large.
// assume: x[0] >= 1 and y[0] >= 1 and x[0] <= 1048576
func.func @nearest(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = tensor.dim %y, %c0 : tensor<?xf32>
  %n64 = arith.index_cast %n : index to i64
  %m64 = arith.index_cast %m : index to i64
  %nf = arith.sitofp %n64 : i64 to f64
  %mf = arith.sitofp %m64 : i64 to f64
  %scale = arith.divf %mf, %nf : f64
  %ei = tensor.empty(%n) : tensor<?xi64>
  %ef = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%ef : tensor<?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %k = arith.sitofp %j : i64 to f32
    linalg.yield %k : f32
  } -> tensor<?xf32>
  // expect: approximated of what %f holds only the bounds are known
  %scaled = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%f : tensor<?xf32>) outs(%ef : tensor<?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.truncf %scale : f64 to f32
    %k = arith.mulf %v, %s : f32
    linalg.yield %k : f32
  } -> tensor<?xf32>
  // expect: approximated of what %scaled holds only the bounds are known
  %place = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%scaled : tensor<?xf32>) outs(%ei : tensor<?xi64>) {
  ^bb0(%v: f32, %o: i64):
    // expect: approximated floats that are rounded are not followed
    %k = arith.fptosi %v : f32 to i64
    linalg.yield %k : i64
  } -> tensor<?xi64>
  // expect: approximated of what %place holds only the bounds are known
  %result = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%place : tensor<?xi64>) outs(%ef : tensor<?xf32>) {
  ^bb0(%v: i64, %o: f32):
    %p = arith.index_cast %v : i64 to index
    // expect: proved C1
    %k = tensor.extract %y[%p] : tensor<?xf32>
    linalg.yield %k : f32
  } -> tensor<?xf32>
  return %result : tensor<?xf32>
}

// assume: y[0] >= 1
func.func @places_that_f32_does_not_hold(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = tensor.dim %y, %c0 : tensor<?xf32>
  %n64 = arith.index_cast %n : index to i64
  %m64 = arith.index_cast %m : index to i64
  %nf = arith.sitofp %n64 : i64 to f64
  %mf = arith.sitofp %m64 : i64 to f64
  %scale = arith.divf %mf, %nf : f64
  %ei = tensor.empty(%n) : tensor<?xi64>
  %ef = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%ef : tensor<?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %k = arith.sitofp %j : i64 to f32
    linalg.yield %k : f32
  } -> tensor<?xf32>
  // expect: approximated of what %f holds only the bounds are known
  %scaled = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%f : tensor<?xf32>) outs(%ef : tensor<?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.truncf %scale : f64 to f32
    %k = arith.mulf %v, %s : f32
    linalg.yield %k : f32
  } -> tensor<?xf32>
  // expect: approximated of what %scaled holds only the bounds are known
  %place = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%scaled : tensor<?xf32>) outs(%ei : tensor<?xi64>) {
  ^bb0(%v: f32, %o: i64):
    // expect: approximated floats that are rounded are not followed
    %k = arith.fptosi %v : f32 to i64
    linalg.yield %k : i64
  } -> tensor<?xi64>
  // expect: approximated of what %place holds only the bounds are known
  %result = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%place : tensor<?xi64>) outs(%ef : tensor<?xf32>) {
  ^bb0(%v: i64, %o: f32):
    %p = arith.index_cast %v : i64 to index
    // expect: undecided C1
    %k = tensor.extract %y[%p] : tensor<?xf32>
    linalg.yield %k : f32
  } -> tensor<?xf32>
  return %result : tensor<?xf32>
}
