func.func @read_back(%n: index, %m: index) -> index {
  %c1 = arith.constant 1 : index
  %0 = tensor.from_elements %n, %m : tensor<2xindex>
  // expect: proved
  // expect: value m
  %1 = tensor.extract %0[%c1] : tensor<2xindex>
  return %1 : index
}

func.func @overwritten(%n: index, %m: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensor.splat %n : tensor<3xindex>
  // expect: proved
  %1 = tensor.insert %m into %0[%c0] : tensor<3xindex>
  // expect: value m
  %2 = tensor.extract %1[%c0] : tensor<3xindex>
  return %2 : index
}

func.func @first_of_maybe_none(%a: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  // expect: refuted C1 with a[0] = 0
  %0 = tensor.extract %a[%c0] : tensor<?xf32>
  return %0 : f32
}

func.func @negative(%a: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
  // expect: refuted C1
  %0 = tensor.insert %x into %a[%i] : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// What is not known of a tensor, of the place or of the element that is put there leaves the elements unknown.
func.func @not_known(%a: tensor<3xf32>, %b: tensor<?xindex>, %x: f32, %i: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  // expect: proved C1
  // expect: shape [3]
  %0 = tensor.insert %one into %a[%c1] : tensor<3xf32>
  %1 = tensor.from_elements %one, %one : tensor<2xf32>
  // expect: proved C1
  // expect: shape [2]
  %2 = tensor.insert %x into %1[%c1] : tensor<2xf32>
  // expect: refuted C1 with b[0] = 0
  // expect: shape [b[0]]
  %3 = tensor.insert %c1 into %b[%c0] : tensor<?xindex>
  %4 = tensor.from_elements %c0, %c1 : tensor<2xindex>
  // expect: refuted C1
  // expect: shape [2]
  %5 = tensor.insert %c1 into %4[%i] : tensor<2xindex>
  // expect: proved C1
  // expect: approximated depends on the data of %i, in %5
  %6 = tensor.extract %5[%c0] : tensor<2xindex>
  return %6 : index
}
