func.func @asserted(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %p = stablehlo.compare EQ, %n, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expect: refuted C1
  stablehlo.custom_call @shape_assertion(%p, %n, %m) {api_version = 2 : i32, error_message = "{0} is not {1}", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  %q = stablehlo.compare GE, %m, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expect: proved
  stablehlo.custom_call @shape_assertion(%q) {api_version = 2 : i32, error_message = "again", has_side_effect = true} : (tensor<i1>) -> ()
  // expect: shape [a[0]]
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{replicated}"} : (tensor<?xf32>) -> tensor<?xf32>
  // expect: approximated
  %1 = stablehlo.custom_call @something(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
