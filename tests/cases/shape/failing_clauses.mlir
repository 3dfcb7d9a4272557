// What the rules of this dialect demand, and sizes for which it does not hold: one clause or two for each function.

func.func @negative_contents_as_a_shape(%n: index) {
  %t = tensor.from_elements %n : tensor<1xindex>
  // expect: refuted C1
  %0 = shape.value_as_shape %t : tensor<1xindex> -> tensor<?xindex>
  return
}

func.func @a_dimension_that_is_not_there(%a: tensor<?x?xf32>, %i: index) {
  // expect: refuted C1
  %0 = shape.dim %a, %i : tensor<?x?xf32>, index -> index
  return
}

func.func @a_negative_quotient(%a: index, %b: index) {
  // expect: refuted C1
  %s = shape.index_to_size %a
  // expect: refuted C1
  // expect: refuted C2
  %0 = shape.div %s, %b : !shape.size, index -> !shape.size
  return
}

func.func @a_negative_size() {
  // expect: refuted C1
  %s = shape.const_size -1
  return
}
