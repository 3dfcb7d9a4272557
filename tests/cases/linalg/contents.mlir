// What a body writes everywhere lies between the bounds of what it computes from positions.

#id = affine_map<(d0) -> (d0)>
#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>

func.func @positions(%x: tensor<?xf32>, %table: tensor<64xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xi64>
  %iota = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<?xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    linalg.yield %j : i64
  } -> tensor<?xi64>
  %wide = tensor.expand_shape %iota [[0, 1]] output_shape [1, %n] : tensor<?xi64> into tensor<1x?xi64>
  %flat = tensor.collapse_shape %wide [[0, 1]] : tensor<1x?xi64> into tensor<?xi64>
  %f = tensor.empty(%n) : tensor<?xf32>
  %taken = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%flat : tensor<?xi64>) outs(%f : tensor<?xf32>) {
  ^bb0(%in: i64, %out: f32):
    %k = arith.index_cast %in : i64 to index
    // expect: proved C1
    %a = tensor.extract %x[%k] : tensor<?xf32>
    // expect: refuted C1 with x[0] = 65
    %b = tensor.extract %table[%k] : tensor<64xf32>
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %taken : tensor<?xf32>
}

// assume: x[0] <= 64
func.func @few_positions(%x: tensor<?xf32>, %table: tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : i64
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xi64>
  %back = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<?xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %m = arith.subi %c63, %j : i64
    linalg.yield %m : i64
  } -> tensor<?xi64>
  %same = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%back : tensor<?xi64>) outs(%e : tensor<?xi64>) {
  ^bb0(%in: i64, %out: i64):
    %k = arith.index_cast %in : i64 to index
    // expect: proved C1
    %b = tensor.extract %table[%k] : tensor<64xf32>
    linalg.yield %in : i64
  } -> tensor<?xi64>
  return
}

// A body that reads two elements of the same place does not see every pair of them; nor one that asks where it is.
// assume: n >= 0
func.func @pairs(%n: index, %table: tensor<1xf32>) {
  %e = tensor.empty(%n) : tensor<?xi64>
  %iota = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<?xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    linalg.yield %j : i64
  } -> tensor<?xi64>
  // expect: approximated only the bounds are known
  %none = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%iota, %iota : tensor<?xi64>, tensor<?xi64>) outs(%e : tensor<?xi64>) {
  ^bb0(%a: i64, %b: i64, %out: i64):
    %d = arith.subi %a, %b : i64
    %k = arith.index_cast %d : i64 to index
    // expect: undecided C1 because only the bounds
    %t = tensor.extract %table[%k] : tensor<1xf32>
    linalg.yield %d : i64
  } -> tensor<?xi64>
  // expect: approximated only the bounds are known
  %nor = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%iota : tensor<?xi64>) outs(%e : tensor<?xi64>) {
  ^bb0(%a: i64, %out: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %d = arith.subi %a, %j : i64
    %k = arith.index_cast %d : i64 to index
    // expect: undecided C1 because only the bounds
    %t = tensor.extract %table[%k] : tensor<1xf32>
    linalg.yield %d : i64
  } -> tensor<?xi64>
  return
}

// Elements that are read along different loops meet in every pair.
// assume: n >= 0
func.func @distances(%n: index, %table: tensor<8xf32>) {
  %e = tensor.empty(%n) : tensor<?xi64>
  %iota = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<?xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    linalg.yield %j : i64
  } -> tensor<?xi64>
  %square = tensor.empty(%n, %n) : tensor<?x?xi64>
  %all = linalg.generic {indexing_maps = [#row, #column, #map], iterator_types = ["parallel", "parallel"]} ins(%iota, %iota : tensor<?xi64>, tensor<?xi64>) outs(%square : tensor<?x?xi64>) {
  ^bb0(%a: i64, %b: i64, %out: i64):
    %c3 = arith.constant 3 : i64
    %d = arith.subi %a, %b : i64
    %s = arith.addi %d, %c3 : i64
    %k = arith.index_cast %s : i64 to index
    // expect: refuted C1 with n = 5
    %t = tensor.extract %table[%k] : tensor<8xf32>
    linalg.yield %d : i64
  } -> tensor<?x?xi64>
  return
}

// Of part of a tensor nobody knows which elements are in it.
// assume: n >= 0
func.func @some(%n: index, %table: tensor<8xf32>) {
  %e = tensor.empty(%n) : tensor<?xi64>
  %iota = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<?xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    linalg.yield %j : i64
  } -> tensor<?xi64>
  // expect: refuted C3
  %part = tensor.extract_slice %iota[0] [4] [1] : tensor<?xi64> to tensor<4xi64>
  %four = tensor.empty() : tensor<4xi64>
  // expect: approximated only the bounds are known
  %same = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%part : tensor<4xi64>) outs(%four : tensor<4xi64>) {
  ^bb0(%a: i64, %out: i64):
    %k = arith.index_cast %a : i64 to index
    // expect: undecided C1 because only the bounds
    %t = tensor.extract %table[%k] : tensor<8xf32>
    linalg.yield %a : i64
  } -> tensor<4xi64>
  return
}

// Where a position writes what another one has written, an empty range leaves what was there before.
func.func @not_all(%x: tensor<4x?xi64>, %before: tensor<4xi64>, %table: tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %last = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x?xi64>) outs(%before : tensor<4xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %zero : i64
  } -> tensor<4xi64>
  // expect: approximated what %last holds is not followed
  %i = tensor.extract %last[%c0] : tensor<4xi64>
  %k = arith.index_cast %i : i64 to index
  // expect: undecided C1 because what %last holds is not followed
  %a = tensor.extract %table[%k] : tensor<64xf32>
  return
}

// What comes from data is data, whatever is added to it.
func.func @data(%data: tensor<100xi64>, %table: tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<100xi64>
  // expect: approximated depends on the data of %data
  %sums = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%data : tensor<100xi64>) outs(%e : tensor<100xi64>) {
  ^bb0(%in: i64, %out: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %q = arith.addi %in, %j : i64
    linalg.yield %q : i64
  } -> tensor<100xi64>
  // expect: approximated depends on the data of %data, in %sums
  %i = tensor.extract %sums[%c0] : tensor<100xi64>
  %k = arith.index_cast %i : i64 to index
  // expect: undecided C1 because depends on the data of %data, in %sums
  %a = tensor.extract %table[%k] : tensor<64xf32>
  return
}

// What is clamped lies between the bounds, whatever it was; moved, it is a place of the table.
func.func @clamped(%data: tensor<100xi64>, %table: tensor<17xf32>, %short: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %least = arith.constant -8 : i64
  %most = arith.constant 8 : i64
  %e = tensor.empty() : tensor<100xi64>
  // expect: approximated depends on the data of %data
  %places = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%data : tensor<100xi64>) outs(%e : tensor<100xi64>) {
  ^bb0(%in: i64, %out: i64):
    %raised = arith.maxsi %in, %least : i64
    %clamped = arith.minsi %raised, %most : i64
    %moved = arith.addi %clamped, %most : i64
    linalg.yield %moved : i64
  } -> tensor<100xi64>
  // expect: approximated only the bounds are known
  %i = tensor.extract %places[%c0] : tensor<100xi64>
  %k = arith.index_cast %i : i64 to index
  // expect: proved C1
  %a = tensor.extract %table[%k] : tensor<17xf32>
  // expect: undecided C1 because only the bounds are known
  %b = tensor.extract %short[%k] : tensor<?xf32>
  return
}

// From below alone, nobody knows how great it is.
func.func @raised(%data: tensor<100xi64>, %table: tensor<17xf32>) {
  %c0 = arith.constant 0 : index
  %least = arith.constant 0 : i64
  %e = tensor.empty() : tensor<100xi64>
  // expect: approximated depends on the data of %data
  %places = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%data : tensor<100xi64>) outs(%e : tensor<100xi64>) {
  ^bb0(%in: i64, %out: i64):
    %raised = arith.maxsi %in, %least : i64
    linalg.yield %raised : i64
  } -> tensor<100xi64>
  // expect: approximated depends on the data of %data, in %places
  %i = tensor.extract %places[%c0] : tensor<100xi64>
  %k = arith.index_cast %i : i64 to index
  // expect: undecided C1 because depends on the data of %data, in %places
  %a = tensor.extract %table[%k] : tensor<17xf32>
  return
}

// The same distance before the first element and behind the last one, of a tensor that has more.
// assume: x[0] >= 5
func.func @mirrored(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %last = arith.subi %n, %c1 : index
  %m = arith.addi %n, %c8 : index
  %e = tensor.empty(%m) : tensor<?xi64>
  %places = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<?xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %from = arith.subi %i, %c4 : index
    %from_first = math.absi %from : index
    %from_last = arith.subi %last, %from_first : index
    %back = math.absi %from_last : index
    %place = arith.subi %last, %back : index
    %word = arith.index_cast %place : index to i64
    linalg.yield %word : i64
  } -> tensor<?xi64>
  %f = tensor.empty(%m) : tensor<?xf32>
  // expect: approximated only the bounds are known
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%places : tensor<?xi64>) outs(%f : tensor<?xf32>) {
  ^bb0(%in: i64, %out: f32):
    %k = arith.index_cast %in : i64 to index
    // expect: proved C1
    %a = tensor.extract %x[%k] : tensor<?xf32>
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// Positions are never negative, so that those from the end are not meant, and what is chosen by that is a position.
func.func @places_from_the_end(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %length = arith.index_cast %n : index to i64
  %e = tensor.empty(%n) : tensor<?xi64>
  %iota = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<?xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    linalg.yield %j : i64
  } -> tensor<?xi64>
  %t = tensor.empty(%n) : tensor<?xi1>
  %from_end = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%iota : tensor<?xi64>) outs(%t : tensor<?xi1>) {
  ^bb0(%in: i64, %out: i1):
    %negative = arith.cmpi slt, %in, %zero : i64
    linalg.yield %negative : i1
  } -> tensor<?xi1>
  %places = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%from_end, %iota : tensor<?xi1>, tensor<?xi64>) outs(%e : tensor<?xi64>) {
  ^bb0(%from: i1, %in: i64, %out: i64):
    %later = arith.addi %in, %length : i64
    %place = arith.select %from, %later, %in : i64
    linalg.yield %place : i64
  } -> tensor<?xi64>
  %f = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%places : tensor<?xi64>) outs(%f : tensor<?xf32>) {
  ^bb0(%in: i64, %out: f32):
    %k = arith.index_cast %in : i64 to index
    // expect: proved C1
    %a = tensor.extract %x[%k] : tensor<?xf32>
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// What is copied into wider or narrower elements need not stay what it was: 2^32 becomes 0.
func.func @copied(%i: index) {
  %large = arith.constant 4294967296 : i64
  %many = arith.constant dense<4294967296> : tensor<100xi64>
  %wide = tensor.empty() : tensor<100xi64>
  %narrow = tensor.empty() : tensor<100xi32>
  %same = linalg.copy ins(%many : tensor<100xi64>) outs(%wide : tensor<100xi64>) -> tensor<100xi64>
  // expect: refuted C1
  %a = tensor.extract %same[%i] : tensor<100xi64>
  %is_large = arith.cmpi eq, %a, %large : i64
  // expect: proved C1
  cf.assert %is_large, "a copy has other elements"
  %cut = linalg.copy ins(%many : tensor<100xi64>) outs(%narrow : tensor<100xi32>) -> tensor<100xi32>
  // expect: approximated
  %b = tensor.extract %cut[%i] : tensor<100xi32>
  %again = arith.extsi %b : i32 to i64
  %is_still_large = arith.cmpi eq, %again, %large : i64
  // expect: refuted C1
  cf.assert %is_still_large, "elements of 32 bits hold no 2^32"
  return
}

// One element that all iterations read.
func.func @read_by_all(%x: tensor<?xi32>) -> tensor<?xi32> {
  %three = arith.constant dense<3> : tensor<i32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%three : tensor<i32>) outs(%x : tensor<?xi32>) {
    ^bb0(%e: i32, %o: i32):
      %c3 = arith.constant 3 : i32
      %same = arith.cmpi eq, %e, %c3 : i32
      // expect: proved C1
      cf.assert %same, "the element is not 3"
      linalg.yield %e : i32
  } -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// A shifted access is not followed, and other operands are not read in its place.
func.func @shifted() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %a = arith.constant dense<[9, 0, 1, 2]> : tensor<4xi32>
  %b = arith.constant dense<[0, 0, 0]> : tensor<3xi32>
  %out = tensor.empty() : tensor<3xi32>
  // expect: approximated only the bounds are known
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i + 1)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a, %b : tensor<4xi32>, tensor<3xi32>) outs(%out : tensor<3xi32>) {
    ^bb0(%x: i32, %y: i32, %o: i32):
      %sum = arith.addi %x, %y : i32
      linalg.yield %sum : i32
  } -> tensor<3xi32>
  // expect: approximated only the bounds are known
  %e = tensor.extract %0[%c0] : tensor<3xi32>
  %same = arith.cmpi eq, %e, %zero : i32
  // expect: undecided C1
  cf.assert %same, "it is 0"
  return
}

// A single position has no order to be right in.
func.func @one_position() {
  %c0 = arith.constant 0 : index
  %three = arith.constant 3 : i32
  %a = arith.constant dense<2> : tensor<1xi32>
  %b = arith.constant dense<5> : tensor<1xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<1xi32>) outs(%b : tensor<1xi32>) {
    ^bb0(%x: i32, %o: i32):
      %difference = arith.subi %o, %x : i32
      linalg.yield %difference : i32
  } -> tensor<1xi32>
  %e = tensor.extract %0[%c0] : tensor<1xi32>
  %same = arith.cmpi eq, %e, %three : i32
  // expect: proved
  cf.assert %same, "it is not 3"
  return
}

// One result is a sum, the other has an element for each position: 1, and 10 + 2 in the end.
func.func @a_sum_and_elements() {
  %c1 = arith.constant 1 : index
  %twelve = arith.constant 12 : i32
  %a = arith.constant dense<[1, 2]> : tensor<2xi32>
  %b = arith.constant dense<0> : tensor<i32>
  %c = arith.constant dense<10> : tensor<2xi32>
  // expect: approximated is not followed
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["reduction"]} ins(%a : tensor<2xi32>) outs(%b, %c : tensor<i32>, tensor<2xi32>) {
    ^bb0(%x: i32, %sum: i32, %o: i32):
      %next = arith.addi %sum, %x : i32
      %more = arith.addi %o, %x : i32
      linalg.yield %next, %more : i32, i32
  } -> (tensor<i32>, tensor<2xi32>)
  // expect: approximated only the bounds are known
  %e = tensor.extract %0#1[%c1] : tensor<2xi32>
  %same = arith.cmpi eq, %e, %twelve : i32
  // expect: undecided C1
  cf.assert %same, "it is 12"
  return
}
