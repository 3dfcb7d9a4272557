// passes: convert-tensor-to-linalg
// shown: sizes, checks and elements
// wrong (refuted): wrong place
//   into %2[%arg1, 1] => into %2[%arg1, 2]
// wrong (refuted): wrong value
//   arith.constant 1.000000e+00 => arith.constant 0.000000e+00
// wrong (refuted): wrong row
//   into %2[%arg1, 1] => into %2[%c0, 1]

func.func @f(%a: tensor<?x3xf32>, %k: index) -> tensor<?x6xf32> {
  %z = arith.constant 1.0 : f32
  %0 = tensor.pad %a low[%k, 1] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x3xf32> to tensor<?x6xf32>
  return %0 : tensor<?x6xf32>
}
