func.func @pooled(%a: tensor<?x8xf32>, %zero: tensor<f32>, %s: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // expect: shape [max(1, a[0]) - 1, 3]
  %0 = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %sum = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x3xf32>
  // expect: refuted C1
  // expect: shape [a[0], 8]
  %1 = "stablehlo.select_and_scatter"(%a, %s, %zero) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %more = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
  }, {
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %sum = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) : (tensor<?x8xf32>, tensor<?x3xf32>, tensor<f32>) -> tensor<?x8xf32>
  return %0 : tensor<?x3xf32>
}

// Without strides, a window begins at every place.
func.func @overlapping(%a: tensor<?x8xf32>, %zero: tensor<f32>) -> tensor<?x6xf32> {
  // expect: shape [max(1, a[0]) - 1, 6]
  %0 = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 2, 3>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %sum = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x6xf32>
  return %0 : tensor<?x6xf32>
}

// Elements of a constant in windows: 1 + 2 and 3 + 4, and sums of all elements so far.
func.func @windows_of_numbers(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %numbers = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %0 = "stablehlo.reduce_window"(%numbers, %zero) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %s = stablehlo.add %x, %y : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<4xi64>, tensor<i64>) -> tensor<2xi64>
  %second = tensor.extract %0[%c1] : tensor<2xi64>
  %seven = arith.constant 7 : i64
  %is_seven = arith.cmpi eq, %second, %seven : i64
  // expect: proved C1
  cf.assert %is_seven, "3 + 4"
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.dim %b, %c0 : tensor<?xf32>
  %first_size = arith.index_cast %d : index to i64
  %second_size = arith.index_cast %e : index to i64
  %sizes = tensor.from_elements %first_size, %second_size : tensor<2xi64>
  %1 = "stablehlo.reduce_window"(%sizes, %zero) <{window_dimensions = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %s = stablehlo.add %x, %y : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  %first = tensor.extract %1[%c0] : tensor<2xi64>
  %is_first = arith.cmpi eq, %first, %first_size : i64
  // expect: proved C1
  cf.assert %is_first, "the padding adds nothing"
  %last = tensor.extract %1[%c1] : tensor<2xi64>
  %is_more = arith.cmpi sgt, %last, %first_size : i64
  // expect: refuted C1 with b[0] = 0
  cf.assert %is_more, "the second size may be 0"
  return
}
