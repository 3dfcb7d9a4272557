func.func @f(%a: tensor<1xi64>) -> i64 {
  %0 = arith.constant 0 : index
  %e = tensor.extract %a[%0] : tensor<1xi64>
  return %e : i64
}
