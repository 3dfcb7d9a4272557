#map = affine_map<(d0) -> (d0)>

// An image made twice as large: the places between pixels are floats, and exact as long as f32 holds them.
// assume: x[0] <= 4194304
func.func @twice_as_large(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %c1_i64 = arith.constant 1 : i64
  %h = tensor.dim %x, %c0 : tensor<?xf32>
  %n = arith.muli %h, %c2 : index
  %h64 = arith.index_cast %h : index to i64
  %last = arith.subi %h64, %c1_i64 : i64
  %ei = tensor.empty(%n) : tensor<?xi64>
  %ef = tensor.empty(%n) : tensor<?xf32>
  %arange = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%ei : tensor<?xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i64
    linalg.yield %k : i64
  } -> tensor<?xi64>
  %f = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arange : tensor<?xi64>) outs(%ef : tensor<?xf32>) {
  ^bb0(%a: i64, %o: f32):
    %k = arith.sitofp %a : i64 to f32
    linalg.yield %k : f32
  } -> tensor<?xf32>
  // expect: approximated of what %f holds only the bounds are known
  %add = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%f : tensor<?xf32>) outs(%ef : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %k = arith.addf %a, %half : f32
    linalg.yield %k : f32
  } -> tensor<?xf32>
  // expect: approximated of what %add holds only the bounds are known
  %mul = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%add : tensor<?xf32>) outs(%ef : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %k = arith.mulf %a, %half : f32
    linalg.yield %k : f32
  } -> tensor<?xf32>
  // expect: approximated of what %mul holds only the bounds are known
  %sub = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%mul : tensor<?xf32>) outs(%ef : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %k = arith.subf %a, %half : f32
    linalg.yield %k : f32
  } -> tensor<?xf32>
  // expect: approximated of what %sub holds only the bounds are known
  %clamp = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%sub : tensor<?xf32>) outs(%ef : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    // expect: approximated floats that are rounded are not followed
    %b = arith.cmpf ult, %a, %zero : f32
    %k = arith.select %b, %zero, %a : f32
    linalg.yield %k : f32
  } -> tensor<?xf32>
  // expect: approximated of what %clamp holds only the bounds are known
  %low = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%clamp : tensor<?xf32>) outs(%ei : tensor<?xi64>) {
  ^bb0(%a: f32, %o: i64):
    // expect: approximated floats that are rounded are not followed
    %k = arith.fptosi %a : f32 to i64
    linalg.yield %k : i64
  } -> tensor<?xi64>
  // expect: approximated of what %low holds only the bounds are known
  %high = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%low : tensor<?xi64>) outs(%ei : tensor<?xi64>) {
  ^bb0(%a: i64, %o: i64):
    %b = arith.addi %a, %c1_i64 : i64
    %k = arith.minsi %b, %last : i64
    linalg.yield %k : i64
  } -> tensor<?xi64>
  // expect: approximated of what %high holds only the bounds are known
  // expect: approximated of what %low holds only the bounds are known
  %result = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%low, %high : tensor<?xi64>, tensor<?xi64>) outs(%ef : tensor<?xf32>) {
  ^bb0(%a: i64, %b: i64, %o: f32):
    %k = arith.index_cast %a : i64 to index
    %l = arith.index_cast %b : i64 to index
    // expect: proved C1
    %p = tensor.extract %x[%k] : tensor<?xf32>
    // expect: proved C1
    %q = tensor.extract %x[%l] : tensor<?xf32>
    %r = arith.addf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  return %result : tensor<?xf32>
}

func.func @beyond_what_f32_holds(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %c1_i64 = arith.constant 1 : i64
  %h = tensor.dim %x, %c0 : tensor<?xf32>
  %n = arith.muli %h, %c2 : index
  %h64 = arith.index_cast %h : index to i64
  %last = arith.subi %h64, %c1_i64 : i64
  %ei = tensor.empty(%n) : tensor<?xi64>
  %ef = tensor.empty(%n) : tensor<?xf32>
  %arange = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%ei : tensor<?xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i64
    linalg.yield %k : i64
  } -> tensor<?xi64>
  %f = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arange : tensor<?xi64>) outs(%ef : tensor<?xf32>) {
  ^bb0(%a: i64, %o: f32):
    %k = arith.sitofp %a : i64 to f32
    linalg.yield %k : f32
  } -> tensor<?xf32>
  // expect: approximated of what %f holds only the bounds are known
  %add = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%f : tensor<?xf32>) outs(%ef : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %k = arith.addf %a, %half : f32
    linalg.yield %k : f32
  } -> tensor<?xf32>
  // expect: approximated of what %add holds only the bounds are known
  %mul = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%add : tensor<?xf32>) outs(%ef : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %k = arith.mulf %a, %half : f32
    linalg.yield %k : f32
  } -> tensor<?xf32>
  // expect: approximated of what %mul holds only the bounds are known
  %sub = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%mul : tensor<?xf32>) outs(%ef : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %k = arith.subf %a, %half : f32
    linalg.yield %k : f32
  } -> tensor<?xf32>
  // expect: approximated of what %sub holds only the bounds are known
  %clamp = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%sub : tensor<?xf32>) outs(%ef : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    // expect: approximated floats that are rounded are not followed
    %b = arith.cmpf ult, %a, %zero : f32
    %k = arith.select %b, %zero, %a : f32
    linalg.yield %k : f32
  } -> tensor<?xf32>
  // expect: approximated of what %clamp holds only the bounds are known
  %low = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%clamp : tensor<?xf32>) outs(%ei : tensor<?xi64>) {
  ^bb0(%a: f32, %o: i64):
    // expect: approximated floats that are rounded are not followed
    %k = arith.fptosi %a : f32 to i64
    linalg.yield %k : i64
  } -> tensor<?xi64>
  // expect: approximated of what %low holds only the bounds are known
  %high = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%low : tensor<?xi64>) outs(%ei : tensor<?xi64>) {
  ^bb0(%a: i64, %o: i64):
    %b = arith.addi %a, %c1_i64 : i64
    %k = arith.minsi %b, %last : i64
    linalg.yield %k : i64
  } -> tensor<?xi64>
  // expect: approximated of what %high holds only the bounds are known
  // expect: approximated of what %low holds only the bounds are known
  %result = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%low, %high : tensor<?xi64>, tensor<?xi64>) outs(%ef : tensor<?xf32>) {
  ^bb0(%a: i64, %b: i64, %o: f32):
    %k = arith.index_cast %a : i64 to index
    %l = arith.index_cast %b : i64 to index
    // expect: undecided C1
    %p = tensor.extract %x[%k] : tensor<?xf32>
    // expect: undecided C1
    %q = tensor.extract %x[%l] : tensor<?xf32>
    %r = arith.addf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  return %result : tensor<?xf32>
}

// Averages over a fixed number of parts, which overlap where the extent is not divided by it.
// assume: x[0] >= 1
func.func @parts(%x: tensor<?xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>, tensor<4x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  // expect: proved
  %longest = arith.ceildivsi %n, %c4 : index
  // expect: proved
  %floor = arith.floordivsi %n, %c4 : index
  %longer = arith.addi %floor, %c1 : index
  %last = arith.subi %n, %c1 : index
  %e = tensor.empty(%longest) : tensor<4x?xf32>
  %f = tensor.empty(%longer) : tensor<4x?xf32>
  %s = tensor.empty() : tensor<4xindex>
  %starts = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%s : tensor<4xindex>) {
  ^bb0(%o: index):
    %i = linalg.index 0 : index
    %k = arith.muli %i, %n : index
    // expect: proved
    %start = arith.divsi %k, %c4 : index
    linalg.yield %start : index
  } -> tensor<4xindex>
  // expect: approximated of what %starts holds only the bounds are known
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%starts : tensor<4xindex>) outs(%e : tensor<4x?xf32>) {
  ^bb0(%start: index, %o: f32):
    %j = linalg.index 1 : index
    %k = arith.addi %start, %j : index
    // expect: proved C1
    %p = tensor.extract %x[%k] : tensor<?xf32>
    linalg.yield %p : f32
  } -> tensor<4x?xf32>
  // expect: approximated of what %starts holds only the bounds are known
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%starts : tensor<4xindex>) outs(%f : tensor<4x?xf32>) {
  ^bb0(%start: index, %o: f32):
    %j = linalg.index 1 : index
    %k = arith.addi %start, %j : index
    %l = arith.minsi %k, %last : index
    // expect: proved C1
    %p = tensor.extract %x[%l] : tensor<?xf32>
    linalg.yield %p : f32
  } -> tensor<4x?xf32>
  // expect: approximated of what %starts holds only the bounds are known
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%starts : tensor<4xindex>) outs(%f : tensor<4x?xf32>) {
  ^bb0(%start: index, %o: f32):
    %j = linalg.index 1 : index
    %k = arith.addi %start, %j : index
    // expect: undecided C1
    %p = tensor.extract %x[%k] : tensor<?xf32>
    linalg.yield %p : f32
  } -> tensor<4x?xf32>
  return %0, %1, %2 : tensor<4x?xf32>, tensor<4x?xf32>, tensor<4x?xf32>
}
