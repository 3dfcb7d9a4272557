func.func @product(%a: tensor<?x3x?xf32>) -> index {
  %e = shape.shape_of %a : tensor<?x3x?xf32> -> tensor<3xindex>
  %one = arith.constant 1 : index
  // expect: value 3*a[0]*a[2]
  %n = shape.reduce(%e, %one) : tensor<3xindex> -> index {
    ^bb0(%i: index, %d: index, %acc: index):
      %next = shape.mul %acc, %d : index, index -> index
      shape.yield %next : index
  }
  return %n : index
}

func.func @of_shape(%a: tensor<?x?xf32>) -> !shape.size {
  %s = shape.shape_of %a : tensor<?x?xf32> -> !shape.shape
  %zero = shape.const_size 0
  // expect: value a[0] + a[1]
  %n = shape.reduce(%s, %zero) : !shape.shape -> !shape.size {
    ^bb0(%i: index, %d: !shape.size, %acc: !shape.size):
      %next = shape.add %acc, %d : !shape.size, !shape.size -> !shape.size
      shape.yield %next : !shape.size
  }
  return %n : !shape.size
}
