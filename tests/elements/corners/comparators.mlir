// source: tensor.gather
func.func @f(%a: tensor<5xf32>, %x: tensor<3x1xindex>, %y: tensor<3x1xindex>) -> tensor<3xf32> {
  %r = tensor.gather %a[%x] gather_dims([0]) : (tensor<5xf32>, tensor<3x1xindex>) -> tensor<3x1xf32>
  %q = tensor.collapse_shape %r [[0, 1]] : tensor<3x1xf32> into tensor<3xf32>
  return %q : tensor<3xf32>
}
// -----
// proved
func.func @f(%a: tensor<5xf32>, %x: tensor<3x1xindex>, %y: tensor<3x1xindex>) -> tensor<3xf32> {
  %xx = tensor.cast %x : tensor<3x1xindex> to tensor<?x1xindex>
  %x3 = tensor.cast %xx : tensor<?x1xindex> to tensor<3x1xindex>
  %r = tensor.gather %a[%x3] gather_dims([0]) : (tensor<5xf32>, tensor<3x1xindex>) -> tensor<3x1xf32>
  %q = tensor.collapse_shape %r [[0, 1]] : tensor<3x1xf32> into tensor<3xf32>
  return %q : tensor<3xf32>
}
// -----
// wrong
func.func @f(%a: tensor<5xf32>, %x: tensor<3x1xindex>, %y: tensor<3x1xindex>) -> tensor<3xf32> {
  %r = tensor.gather %a[%y] gather_dims([0]) : (tensor<5xf32>, tensor<3x1xindex>) -> tensor<3x1xf32>
  %q = tensor.collapse_shape %r [[0, 1]] : tensor<3x1xf32> into tensor<3xf32>
  return %q : tensor<3xf32>
}
// -----
// source: sort
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.compare GT, %y, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.compare LT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.compare LE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %q = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %p = stablehlo.not %q : tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// source: sort int
func.func @f(%a: tensor<4xi32>) -> tensor<4xi32> {
  %r = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %p = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
// open
func.func @f(%a: tensor<4xi32>) -> tensor<4xi32> {
  %r = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %q = stablehlo.compare GE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %p = stablehlo.not %q : tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
// wrong
func.func @f(%a: tensor<4xi32>) -> tensor<4xi32> {
  %r = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %q = stablehlo.compare GT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %p = stablehlo.not %q : tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
// source: scatter
func.func @f(%a: tensor<4xf32>, %ix: tensor<3x1xi32>, %u: tensor<3xf32>) -> tensor<4xf32> {
  %r = "stablehlo.scatter"(%a, %ix, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<4xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// proved
func.func @f(%a: tensor<4xf32>, %ix: tensor<3x1xi32>, %u: tensor<3xf32>) -> tensor<4xf32> {
  %r = "stablehlo.scatter"(%a, %ix, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.add %y, %x : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<4xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %ix: tensor<3x1xi32>, %u: tensor<3xf32>) -> tensor<4xf32> {
  %r = "stablehlo.scatter"(%a, %ix, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.subtract %x, %y : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<4xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// wrong
func.func @f(%a: tensor<4xf32>, %ix: tensor<3x1xi32>, %u: tensor<3xf32>) -> tensor<4xf32> {
  %r = "stablehlo.scatter"(%a, %ix, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.multiply %y, %x : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<4xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
