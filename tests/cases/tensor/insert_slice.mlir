func.func @whole(%b: tensor<?xf32>, %a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %b, %c0 : tensor<?xf32>
  // expect: proved C4
  // expect: refuted C3 with a[0] = 2, b[0] = 3
  // expect: shape [a[0]]
  %0 = tensor.insert_slice %b into %a[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @wrong_size(%b: tensor<?xf32>, %a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  // expect: proved C3
  // expect: refuted C4
  %0 = tensor.insert_slice %b into %a[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Out of range in the second dimension alone: nothing is known of the elements then.
func.func @beside_a_row() -> tensor<2x2xi32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant dense<1> : tensor<1x1xi32>
  %zeros = arith.constant dense<0> : tensor<2x2xi32>
  // expect: refuted C3
  // expect: unreachable C4
  %0 = tensor.insert_slice %one into %zeros[%c1, %c2] [1, 1] [1, 1] : tensor<1x1xi32> into tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// The first element is written, the second one stays.
func.func @in_front() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  %five = arith.constant 5 : i32
  %one = arith.constant dense<7> : tensor<1xi32>
  %all = arith.constant dense<[4, 5]> : tensor<2xi32>
  %0 = tensor.insert_slice %one into %all[0] [1] [1] : tensor<1xi32> into tensor<2xi32>
  %a = tensor.extract %0[%c0] : tensor<2xi32>
  %b = tensor.extract %0[%c1] : tensor<2xi32>
  %first = arith.cmpi eq, %a, %seven : i32
  %second = arith.cmpi eq, %b, %five : i32
  // expect: proved
  cf.assert %first, "the first element is not 7"
  // expect: proved
  cf.assert %second, "the second element is not 5"
  return
}
