func.func @asked(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) {
  %s = shape.shape_of %a : tensor<?x3xf32> -> tensor<2xindex>
  %t = shape.shape_of %b : tensor<?x3xf32> -> tensor<2xindex>
  %fits = shape.is_broadcastable %s, %t : tensor<2xindex>, tensor<2xindex>
  // expect: refuted C1
  cf.assert %fits, "fits"
  %same = shape.shape_eq %s, %t : tensor<2xindex>, tensor<2xindex>
  // expect: refuted C1
  cf.assert %same, "same"
  %itself = shape.shape_eq %s, %s : tensor<2xindex>, tensor<2xindex>
  // expect: proved
  cf.assert %itself, "itself"
  return
}
