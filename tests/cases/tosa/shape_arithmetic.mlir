func.func @computed(%a: tensor<?x6xf32>) -> tensor<?x?xf32> {
  %n = tosa.dim %a {axis = 0 : i32} : (tensor<?x6xf32>) -> !tosa.shape<1>
  %m = tosa.dim %a {axis = 1 : i32} : (tensor<?x6xf32>) -> !tosa.shape<1>
  %two = tosa.const_shape {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>
  %double = tosa.mul_shape %n, %two : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %half = tosa.div_floor_shape %m, %two : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %both = tosa.concat_shape %double, %half : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  // expect: proved
  // expect: shape [2*a[0], 3]
  %0 = tosa.reshape %a, %both : (tensor<?x6xf32>, !tosa.shape<2>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @all(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %n = tosa.dim %a {axis = 0 : i32} : (tensor<?x?xf32>) -> !tosa.shape<1>
  %m = tosa.dim %a {axis = 1 : i32} : (tensor<?x?xf32>) -> !tosa.shape<1>
  %sum = tosa.add_shape %n, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %rest = tosa.sub_shape %sum, %n : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  // expect: proved
  tosa.assert_equal_shape %rest, %m {allow_broadcast = false} : (!tosa.shape<1>, !tosa.shape<1>) -> ()
  %max = tosa.max_shape %n, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %min = tosa.min_shape %n, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %total = tosa.add_shape %max, %min : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  // expect: proved
  tosa.assert_equal_shape %total, %sum {allow_broadcast = false} : (!tosa.shape<1>, !tosa.shape<1>) -> ()
  // expect: refuted C1
  %up = tosa.div_ceil_shape %n, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  // expect: proved
  %left = tosa.mod_shape %n, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %three = tosa.const_shape {values = dense<3> : tensor<1xindex>} : () -> !tosa.shape<1>
  %eight = tosa.exp2_shape %three : (!tosa.shape<1>) -> !tosa.shape<1>
  %ceil = tosa.log2_ceil_shape %three : (!tosa.shape<1>) -> !tosa.shape<1>
  %floor = tosa.log2_floor_shape %eight : (!tosa.shape<1>) -> !tosa.shape<1>
  %list = tosa.concat_shape %eight, %ceil, %floor : (!tosa.shape<1>, !tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<3>
  %known = tosa.const_shape {values = dense<[8, 2, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
  // expect: proved
  tosa.assert_equal_shape %list, %known {allow_broadcast = false} : (!tosa.shape<3>, !tosa.shape<3>) -> ()
  %one = "tosa.const"() <{values = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %two = "tosa.const"() <{values = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
  %part = tosa.slice_shape %list, %one, %two : (!tosa.shape<3>, tensor<1xi32>, tensor<1xi32>) -> !tosa.shape<2>
  %tail = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expect: proved
  tosa.assert_equal_shape %part, %tail {allow_broadcast = false} : (!tosa.shape<2>, !tosa.shape<2>) -> ()
  return %a : tensor<?x?xf32>
}

func.func @too_large_a_power(%a: tensor<?xf32>) -> tensor<?xf32> {
  %n = tosa.const_shape {values = dense<1000000000000> : tensor<1xindex>} : () -> !tosa.shape<1>
  // expect: refuted C1
  // expect: approximated powers of two
  %huge = tosa.exp2_shape %n : (!tosa.shape<1>) -> !tosa.shape<1>
  %0 = tosa.tile %a, %huge : (tensor<?xf32>, !tosa.shape<1>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
