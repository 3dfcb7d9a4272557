// passes: func.func(eliminate-empty-tensors)
// shown: sizes, checks and elements
// wrong (refuted): wrong place
//   %1 into %arg1[%arg3] => %1 into %arg1[%c0]
// wrong (refuted): wrong tensor
//   %1 into %arg1[%arg3] => %1 into %1[%arg3]

func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %x: f32, %k: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = tensor.insert_slice %f into %b[%k] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}
