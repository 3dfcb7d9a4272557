// nn.Linear(8, 4) on [B, T, 8]: exporters/linear.py, torch-mlir linalg-on-tensors
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @forward(%arg0: tensor<?x?x8xf32>) -> tensor<?x?x4xf32> {
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c4_i64 = arith.constant 4 : i64
    %cst_0 = arith.constant dense<5.000000e-01> : tensor<4xf32>
    %c1 = arith.constant 1 : index
    %cst_1 = arith.constant dense<5.000000e-01> : tensor<8x4xf32>
    %dim = tensor.dim %arg0, %c0 : tensor<?x?x8xf32>
    %0 = arith.index_cast %dim : index to i64
    %dim_2 = tensor.dim %arg0, %c1 : tensor<?x?x8xf32>
    %1 = arith.index_cast %dim_2 : index to i64
    %cast = tensor.cast %arg0 : tensor<?x?x8xf32> to tensor<?x1x8xf32>
    %collapsed = tensor.collapse_shape %cast [[0], [1, 2]] : tensor<?x1x8xf32> into tensor<?x8xf32>
    %dim_3 = tensor.dim %arg0, %c0 : tensor<?x?x8xf32>
    %2 = tensor.empty(%dim_3) : tensor<?x4xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %4 = linalg.matmul ins(%collapsed, %cst_1 : tensor<?x8xf32>, tensor<8x4xf32>) outs(%3 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %cst_0 : tensor<?x4xf32>, tensor<4xf32>) outs(%2 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %21 = arith.addf %in, %in_4 : f32
      linalg.yield %21 : f32
    } -> tensor<?x4xf32>
    %6 = arith.cmpi slt, %0, %c0_i64 : i64
    %7 = arith.select %6, %c1_i64, %0 : i64
    %8 = arith.extui %6 : i1 to i64
    %9 = arith.muli %7, %1 : i64
    %10 = arith.addi %8, %c1_i64 : i64
    %11 = arith.cmpi slt, %1, %c0_i64 : i64
    %12 = arith.select %11, %7, %9 : i64
    %13 = arith.select %11, %10, %8 : i64
    %14 = arith.muli %12, %c4_i64 : i64
    %15 = arith.cmpi sle, %13, %c1_i64 : i64
    cf.assert %15, "must have at most one inferred (negative) dimension"
    %16 = arith.index_cast %dim_3 : index to i64
    %17 = arith.muli %16, %c4_i64 : i64
    %18 = arith.divsi %17, %14 : i64
    %19 = arith.select %6, %18, %0 : i64
    %20 = arith.select %11, %18, %1 : i64
    %from_elements = tensor.from_elements %19, %20, %c4_i64 : tensor<3xi64>
    %reshape = tensor.reshape %5(%from_elements) : (tensor<?x4xf32>, tensor<3xi64>) -> tensor<?x?x4xf32>
    return %reshape : tensor<?x?x4xf32>
  }
}
