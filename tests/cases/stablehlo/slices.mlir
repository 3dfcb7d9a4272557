func.func @constant(%a: tensor<?x6xf32>) -> tensor<2x3xf32> {
  // expect: refuted C1 with a[0] = 2
  // expect: shape [2, 3]
  %0 = stablehlo.slice %a [2:4, 0:6:2] : (tensor<?x6xf32>) -> tensor<2x3xf32>
  // expect: proved
  %1 = stablehlo.slice %a [0:4, 1:2] : (tensor<?x6xf32>) -> tensor<4x1xf32>
  return %0 : tensor<2x3xf32>
}

func.func @computed(%a: tensor<?xf32>, %start: tensor<1xi64>, %limit: tensor<1xi64>, %stride: tensor<1xi64>) -> tensor<?xf32> {
  // expect: refuted C1
  // expect: refuted C2
  %0 = stablehlo.real_dynamic_slice %a, %start, %limit, %stride : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @moved(%a: tensor<?xf32>, %i: tensor<i32>, %b: tensor<?xf32>) -> tensor<3xf32> {
  // expect: refuted C1 with a[0] = 2
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [3] : (tensor<?xf32>, tensor<i32>) -> tensor<3xf32>
  // expect: refuted C1
  // expect: shape [a[0]]
  %1 = stablehlo.dynamic_update_slice %a, %b, %i : (tensor<?xf32>, tensor<?xf32>, tensor<i32>) -> tensor<?xf32>
  return %0 : tensor<3xf32>
}

// Which elements a slice with a stride takes, and where a padding puts them.
func.func @elements() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %from = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
  %filler = stablehlo.constant dense<7> : tensor<i64>
  %i7 = arith.constant 7 : i64
  %i11 = arith.constant 11 : i64
  %i13 = arith.constant 13 : i64
  %i15 = arith.constant 15 : i64
  // expect: shape [3]
  %0 = stablehlo.slice %from [1:6:2] : (tensor<6xi64>) -> tensor<3xi64>
  %a = tensor.extract %0[%c0] : tensor<3xi64>
  %first = arith.cmpi eq, %a, %i11 : i64
  // expect: proved C1
  cf.assert %first, "the first is element 1"
  %b = tensor.extract %0[%c1] : tensor<3xi64>
  %second = arith.cmpi eq, %b, %i13 : i64
  // expect: proved C1
  cf.assert %second, "the second is element 3"
  // expect: shape [4]
  %1 = stablehlo.pad %0, %filler, low = [2], high = [-1], interior = [0] : (tensor<3xi64>, tensor<i64>) -> tensor<4xi64>
  %c = tensor.extract %1[%c1] : tensor<4xi64>
  %filled = arith.cmpi eq, %c, %i7 : i64
  // expect: proved C1
  cf.assert %filled, "two are filled in"
  %d = tensor.extract %1[%c3] : tensor<4xi64>
  %moved = arith.cmpi eq, %d, %i13 : i64
  // expect: proved C1
  cf.assert %moved, "the second stands last"
  // expect: shape [2]
  %2 = stablehlo.pad %0, %filler, low = [-1], high = [0], interior = [0] : (tensor<3xi64>, tensor<i64>) -> tensor<2xi64>
  %e = tensor.extract %2[%c1] : tensor<2xi64>
  %last = arith.cmpi eq, %e, %i15 : i64
  // expect: proved C1
  cf.assert %last, "the first is taken away"
  return
}

// Elements of unsigned types are the numbers that their type says, also where they hold places and sizes.
func.func @unsigned(%a: tensor<400xf32>, %b: tensor<10xf32>, %z: tensor<f32>, %i: tensor<1xui8>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %start = stablehlo.constant dense<10> : tensor<1xui8>
  %limit = stablehlo.constant dense<200> : tensor<1xui8>
  %one = stablehlo.constant dense<1> : tensor<1xui8>
  %none = stablehlo.constant dense<0> : tensor<1xui8>
  // expect: shape [190]
  %0 = stablehlo.real_dynamic_slice %a, %start, %limit, %one : (tensor<400xf32>, tensor<1xui8>, tensor<1xui8>, tensor<1xui8>) -> tensor<?xf32>
  // expect: shape [210]
  %1 = stablehlo.dynamic_pad %b, %z, %limit, %none, %none : (tensor<10xf32>, tensor<f32>, tensor<1xui8>, tensor<1xui8>, tensor<1xui8>) -> tensor<?xf32>
  // expect: refuted C1
  %2 = stablehlo.real_dynamic_slice %a, %start, %i, %one : (tensor<400xf32>, tensor<1xui8>, tensor<1xui8>, tensor<1xui8>) -> tensor<?xf32>
  %3 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %last = stablehlo.constant dense<200> : tensor<ui8>
  %4 = stablehlo.dynamic_slice %3, %last, sizes = [1] : (tensor<4xi32>, tensor<ui8>) -> tensor<1xi32>
  %four = arith.constant 4 : i32
  %e = tensor.extract %4[%c0] : tensor<1xi32>
  %moved = arith.cmpi eq, %e, %four : i32
  // expect: proved C1
  cf.assert %moved, "a place behind the end is moved to the end, not to the beginning"
  return %2 : tensor<?xf32>
}

func.func @from_the_first_element(%x: tensor<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = stablehlo.constant dense<[7, 8, 9]> : tensor<3xi64>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %0 = stablehlo.dynamic_slice %a, %zero, sizes = [2] : (tensor<3xi64>, tensor<i64>) -> tensor<2xi64>
  %first = tensor.extract %0[%c0] : tensor<2xi64>
  %seven = arith.constant 7 : i64
  %is_seven = arith.cmpi eq, %first, %seven : i64
  // expect: proved C1
  cf.assert %is_seven, "the slice begins with the first element"
  %1 = stablehlo.pad %a, %zero, low = [1], high = [0], interior = [0] : (tensor<3xi64>, tensor<i64>) -> tensor<4xi64>
  %second = tensor.extract %1[%c1] : tensor<4xi64>
  %is_first = arith.cmpi eq, %second, %seven : i64
  // expect: proved C1
  cf.assert %is_first, "the first element stands behind the padding"
  return
}
