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

// What is checked of every extent holds afterwards.
func.func @checked(%a: tensor<?x?xf32>) -> index {
  %e = shape.shape_of %a : tensor<?x?xf32> -> tensor<2xindex>
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %n = shape.reduce(%e, %one) : tensor<2xindex> -> index {
    ^bb0(%i: index, %d: index, %acc: index):
      %few = arith.cmpi ule, %d, %four : index
      // expect: refuted C1 with a[0] = 5
      // expect: refuted C1 with a[1] = 5
      cf.assert %few, "an extent is large"
      %next = arith.muli %acc, %d : index
      shape.yield %next : index
  }
  %most = arith.constant 16 : index
  %p = arith.cmpi ule, %n, %most : index
  // expect: proved C1
  cf.assert %p, "too large"
  return %n : index
}

// Nothing is known of the body where there is no extent.
func.func @of_a_scalar(%a: tensor<f32>, %n: index) -> index {
  %e = shape.shape_of %a : tensor<f32> -> tensor<0xindex>
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %r = shape.reduce(%e, %one) : tensor<0xindex> -> index {
    ^bb0(%i: index, %d: index, %acc: index):
      %few = arith.cmpi ule, %n, %four : index
      cf.assert %few, "not run"
      shape.yield %acc : index
  }
  %p = arith.cmpi ule, %n, %four : index
  // expect: refuted C1 with n = -1
  cf.assert %p, "too large"
  return %r : index
}
