// passes: lower-affine
// shown: sizes, checks and elements
// wrong (refuted): off by one
//   %c-1_0 = arith.constant -1 => %c-1_0 = arith.constant -2
// wrong (refuted): min
//   maxsi => minsi

func.func @f(%a: tensor<?xf32>, %i: index) -> (index, f32) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = affine.max affine_map<(d)[s] -> (d + 1, s - 3)>(%i)[%n]
  %j = affine.apply affine_map<(d)[s] -> (s - d - 1)>(%i)[%n]
  %x = tensor.extract %a[%j] : tensor<?xf32>
  return %m, %x : index, f32
}
