func.func @checked(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %s = shape.shape_of %a : tensor<?x?xf32> -> tensor<2xindex>
  %t = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %w = shape.cstr_broadcastable %s, %t : tensor<2xindex>, tensor<1xindex>
  %r = shape.assuming %w -> (tensor<?x?xf32>) {
    shape.assuming_yield %a : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
