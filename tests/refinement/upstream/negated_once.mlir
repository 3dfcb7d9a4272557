// Half of negated_twice.mlir: run twice, it shows what two negations are where nothing folds them.
func.func @f(%a: tensor<2xi8>) -> tensor<2xi8> {
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %b = tosa.negate %a, %zero, %zero : (tensor<2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2xi8>
  return %b : tensor<2xi8>
}
