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
