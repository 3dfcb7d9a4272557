// A transformer encoder block on [B, S, 8]: exporters/transformer.py, torch-mlir linalg-on-tensors
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @forward(%arg0: tensor<?x?x8xf32>, %arg1: tensor<?x?x8xf32>, %arg2: tensor<?x1x?x?xf32>) -> tensor<?x?x8xf32> {
    %true = arith.constant true
    %c8_i64 = arith.constant 8 : i64
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %c4_i64 = arith.constant 4 : i64
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c2_i64 = arith.constant 2 : i64
    %c3 = arith.constant 3 : index
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<1.250000e-01> : tensor<16xf32>
    %cst_2 = arith.constant 1.000000e-05 : f64
    %cst_3 = arith.constant dense<1.250000e-01> : tensor<8xf32>
    %cst_4 = arith.constant 8.000000e+00 : f32
    %cst_5 = arith.constant dense<1.250000e-01> : tensor<8x8xf32>
    %cst_6 = arith.constant 2.000000e+00 : f32
    %cst_7 = arith.constant dense<1.250000e-01> : tensor<8x16xf32>
    %cst_8 = arith.constant dense<1.250000e-01> : tensor<16x8xf32>
    %dim = tensor.dim %arg1, %c1 : tensor<?x?x8xf32>
    %0 = arith.index_cast %dim : index to i64
    %dim_9 = tensor.dim %arg2, %c0 : tensor<?x1x?x?xf32>
    %1 = arith.index_cast %dim_9 : index to i64
    %dim_10 = tensor.dim %arg0, %c0 : tensor<?x?x8xf32>
    %dim_11 = tensor.dim %arg0, %c1 : tensor<?x?x8xf32>
    %dim_12 = tensor.dim %arg1, %c0 : tensor<?x?x8xf32>
    %2 = arith.cmpi eq, %dim_10, %dim_12 : index
    cf.assert %2, "mismatched size for broadcast"
    %3 = arith.cmpi eq, %dim_11, %dim : index
    cf.assert %3, "mismatched size for broadcast"
    %4 = tensor.empty(%dim_10, %dim_11) : tensor<?x?x8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg1 : tensor<?x?x8xf32>, tensor<?x?x8xf32>) outs(%4 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %123 = arith.addf %in, %in_23 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x8xf32>
    %6 = tensor.empty(%dim_10, %dim_11) : tensor<?x?x1xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%5 : tensor<?x?x8xf32>) outs(%7 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %123 = arith.addf %in, %out : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<?x?x1xf32>) outs(%6 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %123 = arith.divf %in, %cst_4 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x1xf32>
    %10 = arith.index_cast %dim_10 : index to i64
    %11 = arith.index_cast %dim_11 : index to i64
    %12 = arith.cmpi sge, %10, %c0_i64 : i64
    cf.assert %12, "unimplemented: dynamic negative broadcast sizes"
    %13 = arith.cmpi sge, %11, %c0_i64 : i64
    cf.assert %13, "unimplemented: dynamic negative broadcast sizes"
    %14 = tensor.empty(%dim_10, %dim_11) : tensor<?x?x8xf32>
    %15 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel"]} outs(%14 : tensor<?x?x8xf32>) {
    ^bb0(%out: f32):
      %123 = linalg.index 0 : index
      %124 = linalg.index 1 : index
      %125 = arith.cmpi eq, %dim_10, %c1 : index
      %126 = arith.select %125, %c0, %123 : index
      %127 = arith.cmpi eq, %dim_11, %c1 : index
      %128 = arith.select %127, %c0, %124 : index
      %extracted = tensor.extract %9[%126, %128, %c0] : tensor<?x?x1xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x?x8xf32>
    cf.assert %true, "mismatched size for broadcast"
    cf.assert %true, "mismatched size for broadcast"
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %15 : tensor<?x?x8xf32>, tensor<?x?x8xf32>) outs(%4 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %123 = arith.subf %in, %in_23 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x8xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %16 : tensor<?x?x8xf32>, tensor<?x?x8xf32>) outs(%4 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %123 = arith.mulf %in, %in_23 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x8xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%17 : tensor<?x?x8xf32>) outs(%7 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %123 = arith.addf %in, %out : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<?x?x1xf32>) outs(%6 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %123 = arith.divf %in, %cst_4 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<?x?x1xf32>) outs(%6 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %123 = arith.truncf %cst_2 : f64 to f32
      %124 = arith.addf %in, %123 : f32
      linalg.yield %124 : f32
    } -> tensor<?x?x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<?x?x1xf32>) outs(%6 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %123 = math.rsqrt %in : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x1xf32>
    cf.assert %12, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %13, "unimplemented: dynamic negative broadcast sizes"
    %22 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel"]} outs(%14 : tensor<?x?x8xf32>) {
    ^bb0(%out: f32):
      %123 = linalg.index 0 : index
      %124 = linalg.index 1 : index
      %125 = arith.cmpi eq, %dim_10, %c1 : index
      %126 = arith.select %125, %c0, %123 : index
      %127 = arith.cmpi eq, %dim_11, %c1 : index
      %128 = arith.select %127, %c0, %124 : index
      %extracted = tensor.extract %21[%126, %128, %c0] : tensor<?x?x1xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x?x8xf32>
    cf.assert %true, "mismatched size for broadcast"
    cf.assert %true, "mismatched size for broadcast"
    %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %22 : tensor<?x?x8xf32>, tensor<?x?x8xf32>) outs(%4 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %123 = arith.mulf %in, %in_23 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x8xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %cst_3 : tensor<?x?x8xf32>, tensor<8xf32>) outs(%4 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %123 = arith.mulf %in, %in_23 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x8xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %cst_3 : tensor<?x?x8xf32>, tensor<8xf32>) outs(%4 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %123 = arith.addf %in, %in_23 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x8xf32>
    %26 = arith.cmpi sge, %10, %c0_i64 : i64
    cf.assert %26, "negative values not allowed in new dimensions"
    %27 = tensor.empty(%dim_10) : tensor<?x8x8xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<8x8xf32>) outs(%27 : tensor<?x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x8x8xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%4 : tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %30 = linalg.batch_matmul ins(%25, %28 : tensor<?x?x8xf32>, tensor<?x8x8xf32>) outs(%29 : tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30, %cst_3 : tensor<?x?x8xf32>, tensor<8xf32>) outs(%4 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %123 = arith.addf %in, %in_23 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x8xf32>
    %32 = arith.cmpi slt, %1, %c0_i64 : i64
    %33 = arith.select %32, %c1_i64, %1 : i64
    %34 = arith.extui %32 : i1 to i64
    %35 = arith.muli %33, %0 : i64
    %36 = arith.addi %34, %c1_i64 : i64
    %37 = arith.cmpi slt, %0, %c0_i64 : i64
    %38 = arith.select %37, %33, %35 : i64
    %39 = arith.select %37, %36, %34 : i64
    %40 = arith.muli %38, %c8_i64 : i64
    %41 = arith.cmpi sle, %39, %c1_i64 : i64
    cf.assert %41, "must have at most one inferred (negative) dimension"
    %42 = arith.muli %10, %11 : i64
    %43 = arith.muli %42, %c8_i64 : i64
    %44 = arith.divsi %43, %40 : i64
    %45 = arith.select %32, %44, %1 : i64
    %46 = arith.select %37, %44, %0 : i64
    %from_elements = tensor.from_elements %45, %46, %c2_i64, %c4_i64 : tensor<4xi64>
    %reshape = tensor.reshape %31(%from_elements) : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x?x2x4xf32>
    %47 = arith.index_cast %45 : i64 to index
    %48 = arith.index_cast %46 : i64 to index
    %49 = tensor.empty(%47, %48) : tensor<?x2x?x4xf32>
    %transposed = linalg.transpose ins(%reshape : tensor<?x?x2x4xf32>) outs(%49 : tensor<?x2x?x4xf32>) permutation = [0, 2, 1, 3] 
    cf.assert %26, "negative values not allowed in new dimensions"
    cf.assert %41, "must have at most one inferred (negative) dimension"
    cf.assert %26, "negative values not allowed in new dimensions"
    cf.assert %41, "must have at most one inferred (negative) dimension"
    %50 = tensor.empty(%47, %48) : tensor<?x2x4x?xf32>
    %transposed_13 = linalg.transpose ins(%reshape : tensor<?x?x2x4xf32>) outs(%50 : tensor<?x2x4x?xf32>) permutation = [0, 2, 3, 1] 
    %collapsed = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<?x2x?x4xf32> into tensor<?x?x4xf32>
    %collapsed_14 = tensor.collapse_shape %transposed_13 [[0, 1], [2], [3]] : tensor<?x2x4x?xf32> into tensor<?x4x?xf32>
    %51 = arith.muli %47, %c2 : index
    %52 = tensor.empty(%51, %48, %48) : tensor<?x?x?xf32>
    %53 = linalg.fill ins(%cst : f32) outs(%52 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %54 = linalg.batch_matmul ins(%collapsed, %collapsed_14 : tensor<?x?x4xf32>, tensor<?x4x?xf32>) outs(%53 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %55 = arith.divsi %51, %c2 : index
    %expanded = tensor.expand_shape %54 [[0, 1], [2], [3]] output_shape [%55, 2, %48, %48] : tensor<?x?x?xf32> into tensor<?x2x?x?xf32>
    %56 = tensor.empty(%55, %48, %48) : tensor<?x2x?x?xf32>
    %57 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<?x2x?x?xf32>) outs(%56 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %123 = arith.divf %in, %cst_6 : f32
      linalg.yield %123 : f32
    } -> tensor<?x2x?x?xf32>
    %58 = arith.cmpi eq, %55, %dim_9 : index
    cf.assert %58, "mismatched size for broadcast"
    %dim_15 = tensor.dim %arg2, %c2 : tensor<?x1x?x?xf32>
    %59 = arith.cmpi eq, %48, %dim_15 : index
    cf.assert %59, "mismatched size for broadcast"
    %dim_16 = tensor.dim %arg2, %c3 : tensor<?x1x?x?xf32>
    %60 = arith.cmpi eq, %48, %dim_16 : index
    cf.assert %60, "mismatched size for broadcast"
    %61 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57, %arg2 : tensor<?x2x?x?xf32>, tensor<?x1x?x?xf32>) outs(%56 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %123 = arith.addf %in, %in_23 : f32
      linalg.yield %123 : f32
    } -> tensor<?x2x?x?xf32>
    %62 = tensor.empty(%55, %48) : tensor<?x2x?xi64>
    %63 = linalg.fill ins(%c0_i64 : i64) outs(%62 : tensor<?x2x?xi64>) -> tensor<?x2x?xi64>
    %64 = tensor.empty(%55, %48) : tensor<?x2x?xf32>
    %65 = linalg.fill ins(%cst_0 : f32) outs(%64 : tensor<?x2x?xf32>) -> tensor<?x2x?xf32>
    %66:2 = linalg.generic {indexing_maps = [#map4, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%61 : tensor<?x2x?x?xf32>) outs(%65, %63 : tensor<?x2x?xf32>, tensor<?x2x?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_23: i64):
      %123 = linalg.index 3 : index
      %124 = arith.index_cast %123 : index to i64
      %125 = arith.maximumf %in, %out : f32
      %126 = arith.cmpf ogt, %in, %out : f32
      %127 = arith.select %126, %124, %out_23 : i64
      linalg.yield %125, %127 : f32, i64
    } -> (tensor<?x2x?xf32>, tensor<?x2x?xi64>)
    %expanded_17 = tensor.expand_shape %66#0 [[0], [1], [2, 3]] output_shape [%55, 2, %48, 1] : tensor<?x2x?xf32> into tensor<?x2x?x1xf32>
    %67 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %expanded_17 : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%56 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %123 = arith.subf %in, %in_23 : f32
      linalg.yield %123 : f32
    } -> tensor<?x2x?x?xf32>
    %68 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67 : tensor<?x2x?x?xf32>) outs(%56 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %123 = math.exp %in : f32
      linalg.yield %123 : f32
    } -> tensor<?x2x?x?xf32>
    %69 = tensor.empty(%55, %48) : tensor<?x2x?x1xf32>
    %70 = linalg.fill ins(%cst : f32) outs(%69 : tensor<?x2x?x1xf32>) -> tensor<?x2x?x1xf32>
    %71 = linalg.generic {indexing_maps = [#map4, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%68 : tensor<?x2x?x?xf32>) outs(%70 : tensor<?x2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %123 = arith.addf %in, %out : f32
      linalg.yield %123 : f32
    } -> tensor<?x2x?x1xf32>
    %72 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68, %71 : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%56 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %123 = arith.divf %in, %in_23 : f32
      linalg.yield %123 : f32
    } -> tensor<?x2x?x?xf32>
    %73 = arith.maxui %55, %47 : index
    %collapsed_18 = tensor.collapse_shape %72 [[0, 1], [2], [3]] : tensor<?x2x?x?xf32> into tensor<?x?x?xf32>
    %74 = arith.muli %73, %c2 : index
    %75 = tensor.empty(%74, %48) : tensor<?x?x4xf32>
    %76 = linalg.fill ins(%cst : f32) outs(%75 : tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    %77 = linalg.batch_matmul ins(%collapsed_18, %collapsed : tensor<?x?x?xf32>, tensor<?x?x4xf32>) outs(%76 : tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    %78 = arith.divsi %74, %c2 : index
    %expanded_19 = tensor.expand_shape %77 [[0, 1], [2], [3]] output_shape [%78, 2, %48, 4] : tensor<?x?x4xf32> into tensor<?x2x?x4xf32>
    %79 = tensor.empty(%78, %48) : tensor<?x?x2x4xf32>
    %transposed_20 = linalg.transpose ins(%expanded_19 : tensor<?x2x?x4xf32>) outs(%79 : tensor<?x?x2x4xf32>) permutation = [0, 2, 1, 3] 
    cf.assert %41, "must have at most one inferred (negative) dimension"
    %80 = arith.index_cast %78 : index to i64
    %81 = arith.muli %80, %46 : i64
    %82 = arith.muli %81, %c8_i64 : i64
    %83 = arith.divsi %82, %40 : i64
    %84 = arith.select %32, %83, %1 : i64
    %85 = arith.select %37, %83, %0 : i64
    %from_elements_21 = tensor.from_elements %84, %85, %c8_i64 : tensor<3xi64>
    %reshape_22 = tensor.reshape %transposed_20(%from_elements_21) : (tensor<?x?x2x4xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
    %86 = arith.index_cast %84 : i64 to index
    %87 = arith.index_cast %85 : i64 to index
    %88 = arith.cmpi sge, %84, %c0_i64 : i64
    cf.assert %88, "negative values not allowed in new dimensions"
    %89 = tensor.empty(%86) : tensor<?x8x8xf32>
    %90 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<8x8xf32>) outs(%89 : tensor<?x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x8x8xf32>
    %91 = tensor.empty(%86, %87) : tensor<?x?x8xf32>
    %92 = linalg.fill ins(%cst : f32) outs(%91 : tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %93 = linalg.batch_matmul ins(%reshape_22, %90 : tensor<?x?x8xf32>, tensor<?x8x8xf32>) outs(%92 : tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %94 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %cst_3 : tensor<?x?x8xf32>, tensor<8xf32>) outs(%91 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %123 = arith.addf %in, %in_23 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x8xf32>
    %95 = arith.cmpi eq, %dim_10, %86 : index
    cf.assert %95, "mismatched size for broadcast"
    %96 = arith.cmpi eq, %dim_11, %87 : index
    cf.assert %96, "mismatched size for broadcast"
    %97 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %94 : tensor<?x?x8xf32>, tensor<?x?x8xf32>) outs(%4 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %123 = arith.addf %in, %in_23 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x8xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%97 : tensor<?x?x8xf32>) outs(%7 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %123 = arith.addf %in, %out : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x1xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<?x?x1xf32>) outs(%6 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %123 = arith.divf %in, %cst_4 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x1xf32>
    cf.assert %12, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %13, "unimplemented: dynamic negative broadcast sizes"
    %100 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel"]} outs(%14 : tensor<?x?x8xf32>) {
    ^bb0(%out: f32):
      %123 = linalg.index 0 : index
      %124 = linalg.index 1 : index
      %125 = arith.cmpi eq, %dim_10, %c1 : index
      %126 = arith.select %125, %c0, %123 : index
      %127 = arith.cmpi eq, %dim_11, %c1 : index
      %128 = arith.select %127, %c0, %124 : index
      %extracted = tensor.extract %99[%126, %128, %c0] : tensor<?x?x1xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x?x8xf32>
    cf.assert %true, "mismatched size for broadcast"
    cf.assert %true, "mismatched size for broadcast"
    %101 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %100 : tensor<?x?x8xf32>, tensor<?x?x8xf32>) outs(%4 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %123 = arith.subf %in, %in_23 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x8xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %101 : tensor<?x?x8xf32>, tensor<?x?x8xf32>) outs(%4 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %123 = arith.mulf %in, %in_23 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x8xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%102 : tensor<?x?x8xf32>) outs(%7 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %123 = arith.addf %in, %out : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x1xf32>
    %104 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<?x?x1xf32>) outs(%6 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %123 = arith.divf %in, %cst_4 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x1xf32>
    %105 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<?x?x1xf32>) outs(%6 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %123 = arith.truncf %cst_2 : f64 to f32
      %124 = arith.addf %in, %123 : f32
      linalg.yield %124 : f32
    } -> tensor<?x?x1xf32>
    %106 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<?x?x1xf32>) outs(%6 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %123 = math.rsqrt %in : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x1xf32>
    cf.assert %12, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %13, "unimplemented: dynamic negative broadcast sizes"
    %107 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel"]} outs(%14 : tensor<?x?x8xf32>) {
    ^bb0(%out: f32):
      %123 = linalg.index 0 : index
      %124 = linalg.index 1 : index
      %125 = arith.cmpi eq, %dim_10, %c1 : index
      %126 = arith.select %125, %c0, %123 : index
      %127 = arith.cmpi eq, %dim_11, %c1 : index
      %128 = arith.select %127, %c0, %124 : index
      %extracted = tensor.extract %106[%126, %128, %c0] : tensor<?x?x1xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x?x8xf32>
    cf.assert %true, "mismatched size for broadcast"
    cf.assert %true, "mismatched size for broadcast"
    %108 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %107 : tensor<?x?x8xf32>, tensor<?x?x8xf32>) outs(%4 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %123 = arith.mulf %in, %in_23 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x8xf32>
    %109 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %cst_3 : tensor<?x?x8xf32>, tensor<8xf32>) outs(%4 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %123 = arith.mulf %in, %in_23 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x8xf32>
    %110 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %cst_3 : tensor<?x?x8xf32>, tensor<8xf32>) outs(%4 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %123 = arith.addf %in, %in_23 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x8xf32>
    cf.assert %26, "negative values not allowed in new dimensions"
    %111 = tensor.empty(%dim_10) : tensor<?x8x16xf32>
    %112 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<8x16xf32>) outs(%111 : tensor<?x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x8x16xf32>
    %113 = tensor.empty(%dim_10, %dim_11) : tensor<?x?x16xf32>
    %114 = linalg.fill ins(%cst : f32) outs(%113 : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
    %115 = linalg.batch_matmul ins(%110, %112 : tensor<?x?x8xf32>, tensor<?x8x16xf32>) outs(%114 : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
    %116 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115, %cst_1 : tensor<?x?x16xf32>, tensor<16xf32>) outs(%113 : tensor<?x?x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %123 = arith.addf %in, %in_23 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x16xf32>
    %117 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116 : tensor<?x?x16xf32>) outs(%113 : tensor<?x?x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %123 = arith.cmpf ugt, %in, %cst : f32
      %124 = arith.select %123, %in, %cst : f32
      linalg.yield %124 : f32
    } -> tensor<?x?x16xf32>
    cf.assert %26, "negative values not allowed in new dimensions"
    %118 = tensor.empty(%dim_10) : tensor<?x16x8xf32>
    %119 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_8 : tensor<16x8xf32>) outs(%118 : tensor<?x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x16x8xf32>
    %120 = linalg.batch_matmul ins(%117, %119 : tensor<?x?x16xf32>, tensor<?x16x8xf32>) outs(%29 : tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %121 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120, %cst_3 : tensor<?x?x8xf32>, tensor<8xf32>) outs(%4 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %123 = arith.addf %in, %in_23 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x8xf32>
    %122 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %121 : tensor<?x?x8xf32>, tensor<?x?x8xf32>) outs(%4 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %123 = arith.addf %in, %in_23 : f32
      linalg.yield %123 : f32
    } -> tensor<?x?x8xf32>
    return %122 : tensor<?x?x8xf32>
  }
}
