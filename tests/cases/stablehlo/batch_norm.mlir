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
