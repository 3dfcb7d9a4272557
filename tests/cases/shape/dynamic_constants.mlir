// The marker of a dynamic extent in a constant shape stands for an extent that nobody knows.

func.func @broadcast(%x: tensor<?x3xf32>) -> !shape.witness {
  // expect: approximated extent 1 of the constant is dynamic
  %s = shape.const_shape [1, -9223372036854775808] : tensor<2xindex>
  %t = shape.shape_of %x : tensor<?x3xf32> -> tensor<2xindex>
  // expect: undecided C1 because extent 1 of the constant is dynamic
  %w = shape.cstr_broadcastable %s, %t : tensor<2xindex>, tensor<2xindex>
  return %w : !shape.witness
}

func.func @equal_shapes(%x: tensor<1x?xf32>) -> !shape.witness {
  // expect: approximated extent 1 of the constant is dynamic
  %s = shape.const_shape [1, -9223372036854775808] : !shape.shape
  // expect: approximated extent 1 of the constant is dynamic
  %t = shape.const_shape [1, -9223372036854775808] : !shape.shape
  // expect: undecided C1 because extent 1 of the constant is dynamic
  %w = shape.cstr_eq %s, %t : !shape.shape, !shape.shape
  return %w : !shape.witness
}

func.func @as_a_number() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expect: approximated extent 1 of the constant is dynamic
  %s = shape.const_shape [1, -9223372036854775808] : tensor<2xindex>
  %n = tensor.extract %s[%c1] : tensor<2xindex>
  %natural = arith.cmpi sge, %n, %c0 : index
  // expect: undecided C1 because extent 1 of the constant is dynamic
  cf.assert %natural, "a size"
  return
}
