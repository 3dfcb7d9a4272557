func.func @f(%a: tensor<f32>) -> index {
  %0 = arith.constant 0 : index
  %b = tensor.cast %a : tensor<f32> to tensor<*xf32>
  %n = tensor.dim %b, %0 : tensor<*xf32>
  return %n : index
}
