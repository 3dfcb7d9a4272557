func.func @entered(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %s = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %t = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %checked = shape.cstr_eq %s, %t : tensor<1xindex>, tensor<1xindex>
  %never = shape.const_witness false
  %w = shape.assuming_all %checked, %never
  %r = shape.assuming %w -> (tensor<?xf32>) {
    shape.assuming_yield %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
