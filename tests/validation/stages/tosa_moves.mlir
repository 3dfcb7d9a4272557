// passes: func.func(tosa-to-linalg,tosa-to-tensor,tosa-to-arith)
// shown: sizes, checks and elements
// wrong (refuted): wrong place
//   %inserted_slice[%dim, 0] => %inserted_slice[%c0, 0]
// wrong (refuted): not reversed
//   tensor.extract %arg1[%4, %7] => tensor.extract %arg1[%4, %5]
// wrong (refuted): off by one
//   arith.subi %6, %5 => arith.subi %c3, %5

func.func @f(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %0 = tosa.concat %a, %b {axis = 0 : i32} : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %1 = tosa.reverse %b {axis = 1 : i32} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0, %1 : tensor<?x3xf32>, tensor<?x3xf32>
}
