// -(-128) is 127 in 8 bits, as tosa.negate saturates, and -127 is not -128. canonicalize returns %a.
func.func @f(%a: tensor<2xi8>) -> tensor<2xi8> {
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %b = tosa.negate %a, %zero, %zero : (tensor<2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2xi8>
  %c = tosa.negate %b, %zero, %zero : (tensor<2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2xi8>
  return %c : tensor<2xi8>
}
