// Sums of products by letters, and lookups by index.

func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expect: refuted C1 with a[1] = 2, b[0] = 3
  // expect: shape [b[1], a[0]]
  %0 = stablehlo.einsum %a, %b, config = "ij,jk->ki" : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @batches(%a: tensor<?x4x?xf32>, %b: tensor<2x?x5xf32>) -> tensor<2x4x5xf32> {
  // expect: refuted C1 with a[0] = 3
  // expect: refuted C1 with a[2] = 2, b[1] = 3
  // expect: shape [2, 4, 5]
  %0 = stablehlo.einsum %a, %b, config = "bij, bjk -> bik" : (tensor<?x4x?xf32>, tensor<2x?x5xf32>) -> tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}

func.func @another_extent(%a: tensor<4x?xf32>, %b: tensor<?x2xf32>) -> tensor<4x3xf32> {
  // expect: refuted C1
  // expect: refuted T2
  %0 = stablehlo.einsum %a, %b, config = "ij,jk->ik" : (tensor<4x?xf32>, tensor<?x2xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

func.func @diagonal(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  // expect: refuted C1 with a[0] = 2, a[1] = 3
  // expect: shape [a[0]]
  %0 = stablehlo.unary_einsum %a, config = "ii->i" : (tensor<?x?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @sum_of_all(%a: tensor<?x?xf32>) -> tensor<f32> {
  // expect: shape []
  %0 = stablehlo.unary_einsum %a, config = "ij->" : (tensor<?x?xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @dots(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expect: approximated which dimensions belong together
  %0 = stablehlo.einsum %a, %b, config = "...ij,...jk->...ik" : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @selected(%a: tensor<?x?x7xf32>, %i: tensor<?x4xi32>) -> tensor<?x4x7xf32> {
  // expect: refuted C1 with a[0] = 2, i[0] = 3
  // expect: undecided C2 because depends on the data
  // expect: approximated depends on the data
  // expect: shape [a[0], 4, 7]
  %0 = "stablehlo.torch_index_select"(%a, %i) <{batch_dims = 1 : i64, dim = 1 : i64}> : (tensor<?x?x7xf32>, tensor<?x4xi32>) -> tensor<?x4x7xf32>
  return %0 : tensor<?x4x7xf32>
}

func.func @selected_from_the_end(%a: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %i = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  // expect: shape [a[0], 2]
  %0 = "stablehlo.torch_index_select"(%a, %i) <{batch_dims = 0 : i64, dim = -1 : i64}> : (tensor<?x3xf32>, tensor<2xi32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

func.func @selected_beyond(%a: tensor<?x?xf32>) -> tensor<?x2xf32> {
  %i = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  // expect: refuted C2 with a[0] = 2, a[1] = 2
  %0 = "stablehlo.torch_index_select"(%a, %i) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
