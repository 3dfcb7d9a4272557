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
