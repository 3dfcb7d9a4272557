#map = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
#first = affine_map<(i, j) -> (i, 0)>

func.func @added(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expect: refuted C1
  // expect: shape [a[0], a[1]]
  %0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%a : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @column_broadcast(%a: tensor<?x1xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expect: refuted C1
  // expect: proved C2
  // expect: shape [b[0], b[1]]
  %0 = linalg.generic {indexing_maps = [#first, #map], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<?x1xf32>) outs(%b : tensor<?x?xf32>) {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// An empty second dimension would be read at column 0, but then no loop runs.
func.func @first_column_of_itself(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expect: proved
  // expect: shape [a[0], a[1]]
  %0 = linalg.generic {indexing_maps = [#first, #map], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<?x?xf32>) outs(%a : tensor<?x?xf32>) {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @position(%a: tensor<?x?xf32>, %t: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%a : tensor<?x?xf32>) {
  ^bb0(%z: f32):
    %i = linalg.index 0 : index
    // expect: refuted C1
    %x = tensor.extract %t[%i] : tensor<?xf32>
    linalg.yield %x : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// assume: t[0] >= a[0]
func.func @position_in_a_table(%a: tensor<?x?xf32>, %t: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%a : tensor<?x?xf32>) {
  ^bb0(%z: f32):
    %i = linalg.index 0 : index
    // expect: proved C1
    %x = tensor.extract %t[%i] : tensor<?xf32>
    linalg.yield %x : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @looked_up(%i: tensor<?xindex>, %t: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  // expect: approximated
  // expect: refuted C1
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%i : tensor<?xindex>) outs(%c : tensor<?xf32>) {
  ^bb0(%k: index, %z: f32):
    // expect: undecided C1 because depends on the data of %i
    %x = tensor.extract %t[%k] : tensor<?xf32>
    linalg.yield %x : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @summed(%a: tensor<?x?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  // expect: refuted C1
  // expect: shape [c[0]]
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<?x?xf32>) outs(%c : tensor<?xf32>) dimensions = [1]
  return %0 : tensor<?xf32>
}

func.func @mapped(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expect: proved
  // expect: shape [a[0]]
  %0 = linalg.map { math.absf } ins(%a : tensor<?xf32>) outs(%a : tensor<?xf32>)
  return %0 : tensor<?xf32>
}

// A division by a number that is not positive is not defined.
func.func @read_at_no_place(%a: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  // expect: refuted C2
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 floordiv -4 + 4)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
