func.func @groups(%v: tensor<3x?x4xf32>, %i: tensor<?x2xi32>) -> tensor<3x4x4xf32> {
  %two = "tosa.const"() <{values = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expect: refuted C1 with i[0] = 2
  // expect: undecided C2
  // expect: approximated depends on the data of %i
  // expect: shape [3, 4, 4]
  %0 = tosa.row_gather %v, %i, %two : (tensor<3x?x4xf32>, tensor<?x2xi32>, tensor<1xi32>) -> tensor<3x4x4xf32>
  return %0 : tensor<3x4x4xf32>
}

func.func @last_groups(%v: tensor<1x?x4xf32>) -> (tensor<1x2x4xf32>, tensor<1x2x4xf32>) {
  %two = "tosa.const"() <{values = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
  %at = "tosa.const"() <{values = dense<3> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
  // expect: refuted C2 with v[1] = 2
  %0 = tosa.row_gather %v, %at, %two : (tensor<1x?x4xf32>, tensor<1x1xi32>, tensor<1xi32>) -> tensor<1x2x4xf32>
  // expect: proved C2
  %1 = tosa.row_gather %v, %at, %two : (tensor<1x?x4xf32>, tensor<1x1xi32>, tensor<1xi32>) -> tensor<1x2x4xf32>
  return %0, %1 : tensor<1x2x4xf32>, tensor<1x2x4xf32>
}

func.func @rows(%v: tensor<?x?x4xf32>, %i: tensor<?x?xi32>) -> tensor<?x?x4xf32> {
  // expect: refuted C1
  // expect: undecided C2
  // expect: approximated depends on the data of %i
  // expect: shape [v[0], i[1], 4]
  %0 = tosa.gather %v, %i : (tensor<?x?x4xf32>, tensor<?x?xi32>) -> tensor<?x?x4xf32>
  return %0 : tensor<?x?x4xf32>
}

func.func @replaced(%v: tensor<?x?x4xf32>, %i: tensor<?x?xi32>, %u: tensor<?x?x4xf32>) -> tensor<?x?x4xf32> {
  // expect: refuted C1
  // expect: refuted C2
  // expect: refuted C3
  // expect: undecided C4
  // expect: approximated depends on the data of %i
  // expect: shape [v[0], v[1], 4]
  %0 = tosa.scatter %v, %i, %u : (tensor<?x?x4xf32>, tensor<?x?xi32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  return %0 : tensor<?x?x4xf32>
}

func.func @replaced_far_down(%v: tensor<1x?x4xf32>, %u: tensor<1x1x4xf32>) -> tensor<1x?x4xf32> {
  %at = "tosa.const"() <{values = dense<3> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
  // expect: refuted C3 with v[1] = 0
  // expect: refuted C4 with v[1] = 2
  %0 = tosa.scatter %v, %at, %u : (tensor<1x?x4xf32>, tensor<1x1xi32>, tensor<1x1x4xf32>) -> tensor<1x?x4xf32>
  return %0 : tensor<1x?x4xf32>
}

func.func @of_known_rows(%v: tensor<2x?x4xf32>) -> tensor<2x3x4xf32> {
  %at = "tosa.const"() <{values = dense<[[0, 1, 2], [2, 1, 0]]> : tensor<2x3xi32>}> : () -> tensor<2x3xi32>
  // expect: refuted C2 with v[1] = 2
  %0 = tosa.gather %v, %at : (tensor<2x?x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

func.func @of_no_columns(%v: tensor<2x?x?xf32>, %i: tensor<2x3xi32>) -> tensor<2x3x?xf32> {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %c = tensor.dim %v, %two : tensor<2x?x?xf32>
  %none = arith.cmpi eq, %c, %zero : index
  // expect: refuted C1
  cf.assert %none, "there are columns"
  // expect: proved C2
  %0 = tosa.gather %v, %i : (tensor<2x?x?xf32>, tensor<2x3xi32>) -> tensor<2x3x?xf32>
  return %0 : tensor<2x3x?xf32>
}

func.func @groups_of_any_length(%v: tensor<1x8x4xf32>, %n: tensor<1xi32>) -> tensor<1x?x4xf32> {
  %at = "tosa.const"() <{values = dense<3> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
  // expect: refuted C2
  // expect: refuted C3 with n.values[0] = 0
  %0 = tosa.row_gather %v, %at, %n : (tensor<1x8x4xf32>, tensor<1x1xi32>, tensor<1xi32>) -> tensor<1x?x4xf32>
  return %0 : tensor<1x?x4xf32>
}

func.func @written_twice(%v: tensor<2x8x4xf32>, %u: tensor<2x2x4xf32>, %n: tensor<?xf32>) -> tensor<2x8x4xf32> {
  %apart = "tosa.const"() <{values = dense<[[3, 5], [5, 3]]> : tensor<2x2xi32>}> : () -> tensor<2x2xi32>
  // expect: proved
  %0 = tosa.scatter %v, %apart, %u : (tensor<2x8x4xf32>, tensor<2x2xi32>, tensor<2x2x4xf32>) -> tensor<2x8x4xf32>
  %same = "tosa.const"() <{values = dense<[[3, 5], [5, 5]]> : tensor<2x2xi32>}> : () -> tensor<2x2xi32>
  // expect: refuted C5
  %1 = tosa.scatter %0, %same, %u : (tensor<2x8x4xf32>, tensor<2x2xi32>, tensor<2x2x4xf32>) -> tensor<2x8x4xf32>
  return %1 : tensor<2x8x4xf32>
}

func.func @up_to_the_last_row(%v: tensor<2x3x4xf32>, %u: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
  %at = "tosa.const"() <{values = dense<[[0, 1, 2], [2, 1, 0]]> : tensor<2x3xi32>}> : () -> tensor<2x3xi32>
  // expect: proved
  %0 = tosa.gather %v, %at : (tensor<2x3x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  // expect: proved
  %1 = tosa.scatter %v, %at, %u : (tensor<2x3x4xf32>, tensor<2x3xi32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0, %1 : tensor<2x3x4xf32>, tensor<2x3x4xf32>
}

func.func @replaced_at_unknown_rows(%v: tensor<2x800x4xf32>, %i: tensor<2x300xi32>, %u: tensor<2x?x4xf32>) -> tensor<2x800x4xf32> {
  // expect: refuted C2
  // expect: undecided C4
  // expect: approximated depends on the data of %i
  // expect: shape [2, 800, 4]
  %0 = tosa.scatter %v, %i, %u : (tensor<2x800x4xf32>, tensor<2x300xi32>, tensor<2x?x4xf32>) -> tensor<2x800x4xf32>
  return %0 : tensor<2x800x4xf32>
}
