func.func @asserted(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %n = tosa.dim %a {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  %m = tosa.dim %b {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  // expect: refuted C1
  tosa.assert_equal_shape %n, %m {allow_broadcast = true} : (!tosa.shape<1>, !tosa.shape<1>) -> ()
  // expect: proved
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  // expect: refuted C1
  tosa.assert_equal_shape %n, %m {allow_broadcast = false} : (!tosa.shape<1>, !tosa.shape<1>) -> ()
  return %0 : tensor<?xf32>
}
