func.func @divided(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  // expect: approximated
  // expect: refuted C1
  // expect: shape [a[0]]
  %0 = linalg.div ins(%a, %b : tensor<?xi32>, tensor<?xi32>) outs(%a : tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @divided_floats(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expect: proved
  // expect: shape [a[0]]
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<div> ins(%a, %a : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @spread_and_turned(%a: tensor<?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) {
  // expect: refuted C1
  // expect: refuted C1
  // expect: refuted C1
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<add>
    indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>]
    ins(%a, %b : tensor<?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
