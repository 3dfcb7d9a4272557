// source: float mul1
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = arith.addf %a, %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %k1 = arith.constant dense<1.0> : tensor<4xf32>
  %x = arith.mulf %a, %k1 : tensor<4xf32>
  %r = arith.addf %x, %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %k0 = arith.constant dense<0.0> : tensor<4xf32>
  %k1 = arith.constant dense<1.0> : tensor<4xf32>
  %x = arith.addf %a, %k0 : tensor<4xf32>
  %r = arith.mulf %x, %k1 : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: add zero
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = tensor.cast %a : tensor<4xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %k1 = arith.constant dense<1.0> : tensor<4xf32>
  %r = arith.mulf %a, %k1 : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %k0 = arith.constant dense<0.0> : tensor<4xf32>
  %r = arith.addf %a, %k0 : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %k0 = arith.constant dense<0.0> : tensor<4xf32>
  %r = arith.mulf %a, %k0 : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %k0 = arith.constant dense<0.0> : tensor<4xf32>
  %r = arith.maximumf %a, %k0 : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: max nan
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = arith.maximumf %a, %b : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = arith.maximumf %b, %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = arith.maxnumf %a, %b : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %p = arith.cmpf ogt, %a, %b : tensor<4xf32>
  %r = arith.select %p, %a, %b : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: cmp nan
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %p = arith.cmpf olt, %a, %b : tensor<4xf32>
  %r = arith.select %p, %a, %b : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %p = arith.cmpf ogt, %b, %a : tensor<4xf32>
  %r = arith.select %p, %a, %b : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %p = arith.cmpf oge, %a, %b : tensor<4xf32>
  %r = arith.select %p, %b, %a : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %p = arith.cmpf ult, %a, %b : tensor<4xf32>
  %r = arith.select %p, %a, %b : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: neg zero
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = arith.negf %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %x = arith.negf %a : tensor<4xf32>
  %y = arith.negf %x : tensor<4xf32>
  %r = arith.negf %y : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %k0 = arith.constant dense<0.0> : tensor<4xf32>
  %r = arith.subf %k0, %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: x-x
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = arith.subf %a, %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %k1 = arith.constant dense<1.0> : tensor<4xf32>
  %x = arith.mulf %k1, %a : tensor<4xf32>
  %r = arith.subf %a, %x : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %k0 = arith.constant dense<0.0> : tensor<4xf32>
  %r = arith.addf %k0, %k0 : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: x/x
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = arith.divf %a, %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %k1 = arith.constant dense<1.0> : tensor<4xf32>
  %r = arith.mulf %k1, %k1 : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: max zeros
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %kn = arith.constant dense<-0.0> : tensor<4xf32>
  %r = stablehlo.maximum %a, %kn : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %kn = arith.constant dense<-0.0> : tensor<4xf32>
  %r = stablehlo.maximum %kn, %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %k0 = arith.constant dense<0.0> : tensor<4xf32>
  %r = stablehlo.maximum %a, %k0 : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: copysign
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = math.copysign %a, %b : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %x = arith.negf %b : tensor<4xf32>
  %y = arith.negf %x : tensor<4xf32>
  %r = math.copysign %a, %y : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = math.copysign %b, %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = math.absf %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: reduce max
func.func @f(%a: tensor<?xf32>) -> tensor<f32> {
  %k = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%k : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->()>], iterator_types=["reduction"]} ins(%a : tensor<?xf32>) outs(%i : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// -----
// proved
func.func @f(%a: tensor<?xf32>) -> tensor<f32> {
  %k = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%k : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->()>], iterator_types=["reduction"]} ins(%a : tensor<?xf32>) outs(%i : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> tensor<f32> {
  %k = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%k : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->()>], iterator_types=["reduction"]} ins(%a : tensor<?xf32>) outs(%i : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maxnumf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> tensor<f32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%k : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->()>], iterator_types=["reduction"]} ins(%a : tensor<?xf32>) outs(%i : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> tensor<f32> {
  %k = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%k : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->()>], iterator_types=["reduction"]} ins(%a : tensor<?xf32>) outs(%i : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.minimumf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// -----
// source: single
func.func @f(%a: tensor<1xf32>) -> tensor<f32> {
  %k = arith.constant -0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%k : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->()>], iterator_types=["reduction"]} ins(%a : tensor<1xf32>) outs(%i : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// -----
// proved
func.func @f(%a: tensor<1xf32>) -> tensor<f32> {
  %r = tensor.collapse_shape %a [] : tensor<1xf32> into tensor<f32>
  return %r : tensor<f32>
}
// -----
// source: single0
func.func @f(%a: tensor<1xf32>) -> tensor<f32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%k : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->()>], iterator_types=["reduction"]} ins(%a : tensor<1xf32>) outs(%i : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// -----
// wrong
func.func @f(%a: tensor<1xf32>) -> tensor<f32> {
  %r = tensor.collapse_shape %a [] : tensor<1xf32> into tensor<f32>
  return %r : tensor<f32>
}
// -----
// source: singlemaxnum
func.func @f(%a: tensor<1xf32>) -> tensor<f32> {
  %k = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%k : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->()>], iterator_types=["reduction"]} ins(%a : tensor<1xf32>) outs(%i : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maxnumf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// -----
// wrong
func.func @f(%a: tensor<1xf32>) -> tensor<f32> {
  %r = tensor.collapse_shape %a [] : tensor<1xf32> into tensor<f32>
  return %r : tensor<f32>
}
