// source: strided generic
func.func @f(%a: tensor<8xf32>) -> tensor<4xf32> {
  %r = tensor.extract_slice %a[1] [4] [2] : tensor<8xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<8xf32>) -> tensor<4xf32> {
  %a1 = tensor.extract_slice %a[1] [7] [1] : tensor<8xf32> to tensor<7xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 * 2)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a1 : tensor<7xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<8xf32>) -> tensor<4xf32> {
  %a1 = tensor.extract_slice %a[0] [7] [1] : tensor<8xf32> to tensor<7xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 * 2)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a1 : tensor<7xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: reduce axis
func.func @f(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x4xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(j,i) -> (i,j)>, affine_map<(j,i) -> (i)>], iterator_types = ["reduction", "parallel"]} ins(%a : tensor<4x4xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i,j) -> (j,i)>, affine_map<(i,j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x4xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%one : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x4xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x4xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.subf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: sum window
func.func @f(%a: tensor<6xf32>, %w: tensor<3xf32>) -> tensor<4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.conv_1d ins(%a, %w : tensor<6xf32>, tensor<3xf32>) outs(%i : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<6xf32>, %w: tensor<3xf32>) -> tensor<4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i,k) -> (i + k)>, affine_map<(i,k) -> (k)>, affine_map<(i,k) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a, %w : tensor<6xf32>, tensor<3xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: two outs
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r:2 = linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%a : tensor<4xf32>) outs(%e, %e : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32, %q: f32):
    %s = arith.negf %x : f32
    linalg.yield %x, %s : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %r#1 : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = arith.negf %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
