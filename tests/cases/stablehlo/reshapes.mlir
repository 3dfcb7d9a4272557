func.func @computed(%a: tensor<?x4xf32>, %s: tensor<2xi64>) -> tensor<?x?xf32> {
  // expect: refuted C1
  // expect: refuted C2
  // expect: shape [s.values[0], s.values[1]]
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @halves(%a: tensor<?x4xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %m = arith.muli %n, %c2 : index
  %s = tensor.from_elements %m, %c2 : tensor<2xindex>
  // expect: proved
  // expect: shape [2*a[0], 2]
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x2xf32>
  // expect: shape [2, 2*a[0]]
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<?x2xf32>) -> tensor<2x?xf32>
  %2 = stablehlo.reverse %1, dims = [0] : tensor<2x?xf32>
  return %0 : tensor<?x2xf32>
}

func.func @declared(%a: tensor<?xf32>) -> tensor<2x3xf32> {
  // expect: refuted C1
  %0 = stablehlo.reshape %a : (tensor<?xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

func.func @elements_in_reverse(%a: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %1 = stablehlo.reverse %0, dims = [1] : tensor<2x3xi64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i64
  %four = arith.constant 4 : i64
  %e = tensor.extract %1[%c0, %c0] : tensor<2x3xi64>
  %last = arith.cmpi eq, %e, %three : i64
  // expect: proved C1
  cf.assert %last, "the last of the first row"
  %c2 = arith.constant 2 : index
  %f = tensor.extract %1[%c1, %c2] : tensor<2x3xi64>
  %first = arith.cmpi eq, %f, %four : i64
  // expect: proved C1
  cf.assert %first, "the first of the last row"
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %2 = tensor.empty(%n, %n) : tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}
