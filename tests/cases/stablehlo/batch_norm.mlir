func.func @normalised(%a: tensor<?x?xf32>, %s: tensor<?xf32>, %o: tensor<?xf32>, %g: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expect: refuted C1
  %0 = "stablehlo.batch_norm_inference"(%a, %s, %o, %s, %o) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  // expect: proved
  %1, %mean, %variance = "stablehlo.batch_norm_training"(%a, %s, %o) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>)
  // expect: proved C1
  // expect: refuted C2
  %2, %ds, %do = "stablehlo.batch_norm_grad"(%a, %s, %mean, %variance, %g) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>)
  return %2 : tensor<?x?xf32>
}

func.func @features_first(%a: tensor<3x?xf32>, %s: tensor<?xf32>) -> tensor<3x?xf32> {
  // expect: refuted C1 with s[0] = 2
  // expect: shape [3, a[1]]
  %0 = "stablehlo.batch_norm_inference"(%a, %s, %s, %s, %s) <{epsilon = 0.0 : f32, feature_index = 0 : i64}> : (tensor<3x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}
