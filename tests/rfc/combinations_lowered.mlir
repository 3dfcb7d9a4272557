// What the lowering of mid-2023 made of combinations.mlir: an extent that is static on one side only was taken for a
// broadcast one, and its operand collapsed.

#row = affine_map<(i, j) -> (j)>
#column = affine_map<(i, j) -> (i)>
#same = affine_map<(i, j) -> (i, j)>

func.func @dynamic_dynamic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %rows = tensor.dim %a, %0 : tensor<?x?xf32>
  %columns = tensor.dim %a, %1 : tensor<?x?xf32>
  %into = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %sum = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%into : tensor<?x?xf32>) {
  ^body(%x: f32, %y: f32, %old: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<?x?xf32>
  return %sum : tensor<?x?xf32>
}

func.func @one_dynamic(%a: tensor<1x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %columns = tensor.dim %a, %1 : tensor<1x?xf32>
  %rows = tensor.dim %b, %0 : tensor<?x?xf32>
  %into = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %flat = tensor.collapse_shape %a [[0, 1]] : tensor<1x?xf32> into tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#row, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%flat, %b : tensor<?xf32>, tensor<?x?xf32>) outs(%into : tensor<?x?xf32>) {
  ^body(%x: f32, %y: f32, %old: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<?x?xf32>
  return %sum : tensor<?x?xf32>
}

func.func @one_static(%a: tensor<1x5xf32>, %b: tensor<3x5xf32>) -> tensor<?x?xf32> {
  %into = tensor.empty() : tensor<3x5xf32>
  %flat = tensor.collapse_shape %a [[0, 1]] : tensor<1x5xf32> into tensor<5xf32>
  %sum = linalg.generic {indexing_maps = [#row, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%flat, %b : tensor<5xf32>, tensor<3x5xf32>) outs(%into : tensor<3x5xf32>) {
  ^body(%x: f32, %y: f32, %old: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<3x5xf32>
  %cast = tensor.cast %sum : tensor<3x5xf32> to tensor<?x?xf32>
  return %cast : tensor<?x?xf32>
}

func.func @static_static(%a: tensor<3x5xf32>, %b: tensor<3x5xf32>) -> tensor<?x?xf32> {
  %into = tensor.empty() : tensor<3x5xf32>
  %sum = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<3x5xf32>, tensor<3x5xf32>) outs(%into : tensor<3x5xf32>) {
  ^body(%x: f32, %y: f32, %old: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<3x5xf32>
  %cast = tensor.cast %sum : tensor<3x5xf32> to tensor<?x?xf32>
  return %cast : tensor<?x?xf32>
}

// Wrong: the 2N elements of the first operand are laid against the N columns of the second.
func.func @two_dynamic(%a: tensor<2x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %columns = tensor.dim %a, %1 : tensor<2x?xf32>
  %rows = tensor.dim %b, %0 : tensor<?x?xf32>
  %into = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %flat = tensor.collapse_shape %a [[0, 1]] : tensor<2x?xf32> into tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#row, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%flat, %b : tensor<?xf32>, tensor<?x?xf32>) outs(%into : tensor<?x?xf32>) {
  ^body(%x: f32, %y: f32, %old: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<?x?xf32>
  return %sum : tensor<?x?xf32>
}

// Wrong in the same way, twice: both operands are flattened, and each gives another range to one of the loops.
func.func @crosswise(%a: tensor<?x2xf32>, %b: tensor<2x?xf32>) -> tensor<?x?xf32> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %rows = tensor.dim %a, %0 : tensor<?x2xf32>
  %columns = tensor.dim %b, %1 : tensor<2x?xf32>
  %into = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %first = tensor.collapse_shape %a [[0, 1]] : tensor<?x2xf32> into tensor<?xf32>
  %second = tensor.collapse_shape %b [[0, 1]] : tensor<2x?xf32> into tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#column, #row, #same], iterator_types = ["parallel", "parallel"]}
      ins(%first, %second : tensor<?xf32>, tensor<?xf32>) outs(%into : tensor<?x?xf32>) {
  ^body(%x: f32, %y: f32, %old: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<?x?xf32>
  return %sum : tensor<?x?xf32>
}
