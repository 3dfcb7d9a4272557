func.func @f(%a: tensor<1xf32>, %p: i1) {
  scf.if %p {
    %c0 = arith.constant 0 : index
    %s = tensor.from_elements %c0 : tensor<1xindex>
    %r = stablehlo.dynamic_reshape %a, %s : (tensor<1xf32>, tensor<1xindex>) -> tensor<?xf32>
  }
  return
}
