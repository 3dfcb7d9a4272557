func.func @f(%a: tensor<?xf32>) -> index {
  %1 = arith.constant 1 : index
  %n = tensor.dim %a, %1 : tensor<?xf32>
  return %n : index
}
