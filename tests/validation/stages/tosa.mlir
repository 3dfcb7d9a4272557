// passes: func.func(tosa-to-linalg-named,tosa-to-linalg)
// shown: sizes, checks and elements
// wrong (refuted): swapped
//   subf %in, %in_7 => subf %in_7, %in
// wrong (refuted): no broadcast
//   #map1 = affine_map<(d0, d1) -> (0, d1)> => #map1 = affine_map<(d0, d1) -> (d0, d1)>

func.func @f(%a: tensor<?x4xf32>, %b: tensor<1x4xf32>, %c: tensor<2x?xf32>) -> (tensor<?x4xf32>, tensor<?x2xf32>) {
  %0 = tosa.sub %a, %b : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
  %1 = tosa.maximum %0, %a : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %2 = tosa.transpose %c {perms = array<i32: 1, 0>} : (tensor<2x?xf32>) -> tensor<?x2xf32>
  return %1, %2 : tensor<?x4xf32>, tensor<?x2xf32>
}
