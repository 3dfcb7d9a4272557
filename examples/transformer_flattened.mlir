// A transformer encoder block on [B, S, 8]: exporters/transformer.py, torch-mlir linalg-on-tensors, decomposed first
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @forward(%arg0: tensor<?x?x8xf32>, %arg1: tensor<?x?x8xf32>, %arg2: tensor<?x1x?x?xf32>) -> tensor<?x?x8xf32> {
    %c8_i64 = arith.constant 8 : i64
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %c4_i64 = arith.constant 4 : i64
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c2_i64 = arith.constant 2 : i64
    %c3 = arith.constant 3 : index
    %cst_1 = arith.constant 0xFF800000 : f32
    %c16_i64 = arith.constant 16 : i64
    %cst_2 = arith.constant dense<1.250000e-01> : tensor<16xf32>
    %cst_3 = arith.constant dense<1.250000e-01> : tensor<8xf32>
    %cst_4 = arith.constant 1.000000e-05 : f64
    %cst_5 = arith.constant 8.000000e+00 : f64
    %cst_6 = arith.constant 8.000000e+00 : f32
    %cst_7 = arith.constant dense<1.250000e-01> : tensor<8x8xf32>
    %cst_8 = arith.constant 2.000000e+00 : f32
    %cst_9 = arith.constant dense<1.250000e-01> : tensor<8x16xf32>
    %cst_10 = arith.constant dense<1.250000e-01> : tensor<16x8xf32>
    %dim = tensor.dim %arg1, %c1 : tensor<?x?x8xf32>
    %0 = arith.index_cast %dim : index to i64
    %dim_11 = tensor.dim %arg2, %c0 : tensor<?x1x?x?xf32>
    %1 = arith.index_cast %dim_11 : index to i64
    %dim_12 = tensor.dim %arg0, %c0 : tensor<?x?x8xf32>
    %dim_13 = tensor.dim %arg0, %c1 : tensor<?x?x8xf32>
    %dim_14 = tensor.dim %arg1, %c0 : tensor<?x?x8xf32>
    %2 = arith.cmpi eq, %dim_12, %dim_14 : index
    cf.assert %2, "mismatched size for broadcast"
    %3 = arith.cmpi eq, %dim_13, %dim : index
    cf.assert %3, "mismatched size for broadcast"
    %4 = tensor.empty(%dim_12, %dim_13) : tensor<?x?x8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg1 : tensor<?x?x8xf32>, tensor<?x?x8xf32>) outs(%4 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %212 = arith.addf %in, %in_41 : f32
      linalg.yield %212 : f32
    } -> tensor<?x?x8xf32>
    %6 = tensor.empty(%dim_12, %dim_13) : tensor<?x?x8xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<?x?x8xf32>) outs(%6 : tensor<?x?x8xf64>) {
    ^bb0(%in: f32, %out: f64):
      %212 = arith.extf %in : f32 to f64
      linalg.yield %212 : f64
    } -> tensor<?x?x8xf64>
    %8 = tensor.empty(%dim_12, %dim_13) : tensor<?x?x1xf64>
    %9 = linalg.fill ins(%cst : f64) outs(%8 : tensor<?x?x1xf64>) -> tensor<?x?x1xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<?x?x8xf64>) outs(%9 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %212 = arith.addf %in, %out : f64
      linalg.yield %212 : f64
    } -> tensor<?x?x1xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<?x?x1xf64>) outs(%8 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %212 = arith.divf %in, %cst_5 : f64
      linalg.yield %212 : f64
    } -> tensor<?x?x1xf64>
    %12 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %11 : tensor<?x?x8xf64>, tensor<?x?x1xf64>) outs(%6 : tensor<?x?x8xf64>) {
    ^bb0(%in: f64, %in_41: f64, %out: f64):
      %212 = arith.subf %in, %in_41 : f64
      linalg.yield %212 : f64
    } -> tensor<?x?x8xf64>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %12 : tensor<?x?x8xf64>, tensor<?x?x8xf64>) outs(%6 : tensor<?x?x8xf64>) {
    ^bb0(%in: f64, %in_41: f64, %out: f64):
      %212 = arith.mulf %in, %in_41 : f64
      linalg.yield %212 : f64
    } -> tensor<?x?x8xf64>
    %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%13 : tensor<?x?x8xf64>) outs(%9 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %212 = arith.addf %in, %out : f64
      linalg.yield %212 : f64
    } -> tensor<?x?x1xf64>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<?x?x1xf64>) outs(%8 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %212 = arith.divf %in, %cst_5 : f64
      linalg.yield %212 : f64
    } -> tensor<?x?x1xf64>
    %16 = tensor.empty(%dim_12, %dim_13) : tensor<?x?x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<?x?x1xf64>) outs(%16 : tensor<?x?x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %212 = arith.truncf %in : f64 to f32
      linalg.yield %212 : f32
    } -> tensor<?x?x1xf32>
    %18 = linalg.fill ins(%cst_0 : f32) outs(%16 : tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%5 : tensor<?x?x8xf32>) outs(%18 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %212 = arith.addf %in, %out : f32
      linalg.yield %212 : f32
    } -> tensor<?x?x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<?x?x1xf32>) outs(%16 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %212 = arith.divf %in, %cst_6 : f32
      linalg.yield %212 : f32
    } -> tensor<?x?x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<?x?x1xf32>) outs(%16 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %212 = arith.truncf %cst_4 : f64 to f32
      %213 = arith.addf %in, %212 : f32
      linalg.yield %213 : f32
    } -> tensor<?x?x1xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<?x?x1xf32>) outs(%16 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %212 = math.rsqrt %in : f32
      linalg.yield %212 : f32
    } -> tensor<?x?x1xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %20 : tensor<?x?x8xf32>, tensor<?x?x1xf32>) outs(%4 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %212 = arith.subf %in, %in_41 : f32
      linalg.yield %212 : f32
    } -> tensor<?x?x8xf32>
    %24 = tensor.empty(%dim_12) : tensor<?x1x8xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %22 : tensor<?x?x8xf32>, tensor<?x?x1xf32>) outs(%24 : tensor<?x1x8xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %212 = arith.mulf %in, %in_41 : f32
      linalg.yield %212 : f32
    } -> tensor<?x1x8xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %cst_3 : tensor<?x1x8xf32>, tensor<8xf32>) outs(%24 : tensor<?x1x8xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %212 = arith.mulf %in, %in_41 : f32
      linalg.yield %212 : f32
    } -> tensor<?x1x8xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %cst_3 : tensor<?x1x8xf32>, tensor<8xf32>) outs(%24 : tensor<?x1x8xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %212 = arith.addf %in, %in_41 : f32
      linalg.yield %212 : f32
    } -> tensor<?x1x8xf32>
    %collapsed = tensor.collapse_shape %27 [[0], [1, 2]] : tensor<?x1x8xf32> into tensor<?x8xf32>
    %28 = tensor.empty(%dim_12) : tensor<?x8xf32>
    %29 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<?x8xf32>) -> tensor<?x8xf32>
    %30 = linalg.matmul ins(%collapsed, %cst_7 : tensor<?x8xf32>, tensor<8x8xf32>) outs(%29 : tensor<?x8xf32>) -> tensor<?x8xf32>
    %31 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%30, %cst_3 : tensor<?x8xf32>, tensor<8xf32>) outs(%28 : tensor<?x8xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %212 = arith.addf %in, %in_41 : f32
      linalg.yield %212 : f32
    } -> tensor<?x8xf32>
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
    %42 = arith.index_cast %dim_12 : index to i64
    %43 = arith.muli %42, %c8_i64 : i64
    %44 = arith.divsi %43, %40 : i64
    %45 = arith.select %32, %44, %1 : i64
    %46 = arith.select %37, %44, %0 : i64
    cf.assert %41, "must have at most one inferred (negative) dimension"
    %47 = arith.muli %45, %46 : i64
    %48 = arith.muli %47, %c8_i64 : i64
    %49 = arith.divsi %48, %40 : i64
    %50 = arith.select %32, %49, %1 : i64
    %51 = arith.select %37, %49, %0 : i64
    %from_elements = tensor.from_elements %50, %51, %c2_i64, %c4_i64 : tensor<4xi64>
    %reshape = tensor.reshape %31(%from_elements) : (tensor<?x8xf32>, tensor<4xi64>) -> tensor<?x?x2x4xf32>
    %52 = arith.index_cast %50 : i64 to index
    %53 = arith.index_cast %51 : i64 to index
    %54 = tensor.empty(%52, %53) : tensor<?x2x?x4xf32>
    %transposed = linalg.transpose ins(%reshape : tensor<?x?x2x4xf32>) outs(%54 : tensor<?x2x?x4xf32>) permutation = [0, 2, 1, 3] 
    cf.assert %41, "must have at most one inferred (negative) dimension"
    cf.assert %41, "must have at most one inferred (negative) dimension"
    cf.assert %41, "must have at most one inferred (negative) dimension"
    cf.assert %41, "must have at most one inferred (negative) dimension"
    %55 = tensor.empty(%52, %53) : tensor<?x2x4x?xf32>
    %transposed_15 = linalg.transpose ins(%reshape : tensor<?x?x2x4xf32>) outs(%55 : tensor<?x2x4x?xf32>) permutation = [0, 2, 3, 1] 
    %56 = arith.muli %1, %c2_i64 : i64
    %57 = arith.cmpi sge, %1, %c0_i64 : i64
    cf.assert %57, "unimplemented: dynamic negative broadcast sizes"
    %58 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %58, "unimplemented: dynamic negative broadcast sizes"
    %59 = tensor.empty(%dim_11, %dim) : tensor<?x2x?x4xf32>
    %60 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%59 : tensor<?x2x?x4xf32>) {
    ^bb0(%out: f32):
      %212 = linalg.index 0 : index
      %213 = linalg.index 1 : index
      %214 = linalg.index 2 : index
      %215 = linalg.index 3 : index
      %216 = arith.cmpi eq, %52, %c1 : index
      %217 = arith.select %216, %c0, %212 : index
      %218 = arith.cmpi eq, %53, %c1 : index
      %219 = arith.select %218, %c0, %214 : index
      %extracted = tensor.extract %transposed[%217, %213, %219, %215] : tensor<?x2x?x4xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x?x4xf32>
    %61 = arith.cmpi slt, %56, %c0_i64 : i64
    %62 = arith.select %61, %c1_i64, %56 : i64
    %63 = arith.extui %61 : i1 to i64
    %64 = arith.muli %62, %0 : i64
    %65 = arith.addi %63, %c1_i64 : i64
    %66 = arith.select %37, %62, %64 : i64
    %67 = arith.select %37, %65, %63 : i64
    %68 = arith.muli %66, %c4_i64 : i64
    %69 = arith.cmpi sle, %67, %c1_i64 : i64
    cf.assert %69, "must have at most one inferred (negative) dimension"
    %70 = arith.muli %56, %0 : i64
    %71 = arith.muli %70, %c4_i64 : i64
    %72 = arith.divsi %71, %68 : i64
    %73 = arith.select %61, %72, %56 : i64
    %74 = arith.select %37, %72, %0 : i64
    %from_elements_16 = tensor.from_elements %73, %74, %c4_i64 : tensor<3xi64>
    %reshape_17 = tensor.reshape %60(%from_elements_16) : (tensor<?x2x?x4xf32>, tensor<3xi64>) -> tensor<?x?x4xf32>
    cf.assert %57, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %58, "unimplemented: dynamic negative broadcast sizes"
    %75 = tensor.empty(%dim_11, %dim) : tensor<?x2x4x?xf32>
    %76 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%75 : tensor<?x2x4x?xf32>) {
    ^bb0(%out: f32):
      %212 = linalg.index 0 : index
      %213 = linalg.index 1 : index
      %214 = linalg.index 2 : index
      %215 = linalg.index 3 : index
      %216 = arith.cmpi eq, %52, %c1 : index
      %217 = arith.select %216, %c0, %212 : index
      %218 = arith.cmpi eq, %53, %c1 : index
      %219 = arith.select %218, %c0, %215 : index
      %extracted = tensor.extract %transposed_15[%217, %213, %214, %219] : tensor<?x2x4x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x4x?xf32>
    %77 = arith.muli %62, %c4_i64 : i64
    %78 = arith.muli %77, %0 : i64
    %79 = arith.select %37, %77, %78 : i64
    cf.assert %69, "must have at most one inferred (negative) dimension"
    %80 = arith.muli %1, %c8_i64 : i64
    %81 = arith.muli %80, %0 : i64
    %82 = arith.divsi %81, %79 : i64
    %83 = arith.select %61, %82, %56 : i64
    %84 = arith.select %37, %82, %0 : i64
    %from_elements_18 = tensor.from_elements %83, %c4_i64, %84 : tensor<3xi64>
    %reshape_19 = tensor.reshape %76(%from_elements_18) : (tensor<?x2x4x?xf32>, tensor<3xi64>) -> tensor<?x4x?xf32>
    %85 = arith.index_cast %73 : i64 to index
    %86 = arith.index_cast %74 : i64 to index
    %87 = arith.index_cast %84 : i64 to index
    %88 = arith.cmpi eq, %73, %83 : i64
    cf.assert %88, "mismatching contracting dimension"
    %89 = tensor.empty(%85, %86, %87) : tensor<?x?x?xf32>
    %90 = linalg.fill ins(%cst_0 : f32) outs(%89 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %91 = linalg.batch_matmul ins(%reshape_17, %reshape_19 : tensor<?x?x4xf32>, tensor<?x4x?xf32>) outs(%90 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %92 = arith.muli %33, %c2_i64 : i64
    %93 = arith.muli %92, %0 : i64
    %94 = arith.select %37, %92, %93 : i64
    %95 = arith.muli %94, %0 : i64
    %96 = arith.addi %39, %c1_i64 : i64
    %97 = arith.select %37, %92, %95 : i64
    %98 = arith.select %37, %96, %34 : i64
    %99 = arith.cmpi sle, %98, %c1_i64 : i64
    cf.assert %99, "must have at most one inferred (negative) dimension"
    %100 = arith.muli %73, %74 : i64
    %101 = arith.muli %100, %84 : i64
    %102 = arith.divsi %101, %97 : i64
    %103 = arith.select %32, %102, %1 : i64
    %104 = arith.select %37, %102, %0 : i64
    %from_elements_20 = tensor.from_elements %103, %c2_i64, %104, %104 : tensor<4xi64>
    %reshape_21 = tensor.reshape %91(%from_elements_20) : (tensor<?x?x?xf32>, tensor<4xi64>) -> tensor<?x2x?x?xf32>
    %105 = arith.index_cast %103 : i64 to index
    %106 = arith.index_cast %104 : i64 to index
    %107 = tensor.empty(%105, %106, %106) : tensor<?x2x?x?xf32>
    %108 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%reshape_21 : tensor<?x2x?x?xf32>) outs(%107 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %212 = arith.divf %in, %cst_8 : f32
      linalg.yield %212 : f32
    } -> tensor<?x2x?x?xf32>
    %109 = arith.cmpi eq, %105, %dim_11 : index
    cf.assert %109, "mismatched size for broadcast"
    %dim_22 = tensor.dim %arg2, %c2 : tensor<?x1x?x?xf32>
    %110 = arith.cmpi eq, %106, %dim_22 : index
    cf.assert %110, "mismatched size for broadcast"
    %dim_23 = tensor.dim %arg2, %c3 : tensor<?x1x?x?xf32>
    %111 = arith.cmpi eq, %106, %dim_23 : index
    cf.assert %111, "mismatched size for broadcast"
    %112 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%108, %arg2 : tensor<?x2x?x?xf32>, tensor<?x1x?x?xf32>) outs(%107 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %212 = arith.addf %in, %in_41 : f32
      linalg.yield %212 : f32
    } -> tensor<?x2x?x?xf32>
    %113 = tensor.empty(%105, %106) : tensor<?x2x?xi64>
    %114 = linalg.fill ins(%c0_i64 : i64) outs(%113 : tensor<?x2x?xi64>) -> tensor<?x2x?xi64>
    %115 = tensor.empty(%105, %106) : tensor<?x2x?xf32>
    %116 = linalg.fill ins(%cst_1 : f32) outs(%115 : tensor<?x2x?xf32>) -> tensor<?x2x?xf32>
    %117:2 = linalg.generic {indexing_maps = [#map5, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%112 : tensor<?x2x?x?xf32>) outs(%116, %114 : tensor<?x2x?xf32>, tensor<?x2x?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_41: i64):
      %212 = linalg.index 3 : index
      %213 = arith.index_cast %212 : index to i64
      %214 = arith.maximumf %in, %out : f32
      %215 = arith.cmpf ogt, %in, %out : f32
      %216 = arith.select %215, %213, %out_41 : i64
      linalg.yield %214, %216 : f32, i64
    } -> (tensor<?x2x?xf32>, tensor<?x2x?xi64>)
    %expanded = tensor.expand_shape %117#0 [[0], [1], [2, 3]] output_shape [%105, 2, %106, 1] : tensor<?x2x?xf32> into tensor<?x2x?x1xf32>
    %118 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%112, %expanded : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%107 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %212 = arith.subf %in, %in_41 : f32
      linalg.yield %212 : f32
    } -> tensor<?x2x?x?xf32>
    %119 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%118 : tensor<?x2x?x?xf32>) outs(%107 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %212 = math.exp %in : f32
      linalg.yield %212 : f32
    } -> tensor<?x2x?x?xf32>
    %120 = tensor.empty(%105, %106) : tensor<?x2x?x1xf32>
    %121 = linalg.fill ins(%cst_0 : f32) outs(%120 : tensor<?x2x?x1xf32>) -> tensor<?x2x?x1xf32>
    %122 = linalg.generic {indexing_maps = [#map5, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%119 : tensor<?x2x?x?xf32>) outs(%121 : tensor<?x2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %212 = arith.addf %in, %out : f32
      linalg.yield %212 : f32
    } -> tensor<?x2x?x1xf32>
    %123 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%119, %122 : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%107 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %212 = arith.divf %in, %in_41 : f32
      linalg.yield %212 : f32
    } -> tensor<?x2x?x?xf32>
    cf.assert %57, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %58, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %58, "unimplemented: dynamic negative broadcast sizes"
    %124 = tensor.empty(%dim_11, %dim, %dim) : tensor<?x2x?x?xf32>
    %125 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%124 : tensor<?x2x?x?xf32>) {
    ^bb0(%out: f32):
      %212 = linalg.index 0 : index
      %213 = linalg.index 1 : index
      %214 = linalg.index 2 : index
      %215 = linalg.index 3 : index
      %216 = arith.cmpi eq, %105, %c1 : index
      %217 = arith.select %216, %c0, %212 : index
      %218 = arith.cmpi eq, %106, %c1 : index
      %219 = arith.select %218, %c0, %214 : index
      %220 = arith.select %218, %c0, %215 : index
      %extracted = tensor.extract %123[%217, %213, %219, %220] : tensor<?x2x?x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x?x?xf32>
    %126 = arith.muli %66, %0 : i64
    %127 = arith.addi %67, %c1_i64 : i64
    %128 = arith.select %37, %62, %126 : i64
    %129 = arith.select %37, %127, %63 : i64
    %130 = arith.cmpi sle, %129, %c1_i64 : i64
    cf.assert %130, "must have at most one inferred (negative) dimension"
    %131 = arith.muli %70, %0 : i64
    %132 = arith.divsi %131, %128 : i64
    %133 = arith.select %61, %132, %56 : i64
    %134 = arith.select %37, %132, %0 : i64
    %from_elements_24 = tensor.from_elements %133, %134, %134 : tensor<3xi64>
    %reshape_25 = tensor.reshape %125(%from_elements_24) : (tensor<?x2x?x?xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
    cf.assert %57, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %58, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %69, "must have at most one inferred (negative) dimension"
    %135 = arith.index_cast %133 : i64 to index
    %136 = arith.index_cast %134 : i64 to index
    %137 = arith.cmpi eq, %133, %73 : i64
    cf.assert %137, "mismatching contracting dimension"
    %138 = arith.cmpi eq, %134, %74 : i64
    cf.assert %138, "mismatching contracting dimension"
    %139 = tensor.empty(%135, %136) : tensor<?x?x4xf32>
    %140 = linalg.fill ins(%cst_0 : f32) outs(%139 : tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    %141 = linalg.batch_matmul ins(%reshape_25, %reshape_17 : tensor<?x?x?xf32>, tensor<?x?x4xf32>) outs(%140 : tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    %142 = arith.muli %94, %c4_i64 : i64
    cf.assert %41, "must have at most one inferred (negative) dimension"
    %143 = arith.muli %133, %134 : i64
    %144 = arith.muli %143, %c4_i64 : i64
    %145 = arith.divsi %144, %142 : i64
    %146 = arith.select %32, %145, %1 : i64
    %147 = arith.select %37, %145, %0 : i64
    %from_elements_26 = tensor.from_elements %146, %c2_i64, %147, %c4_i64 : tensor<4xi64>
    %reshape_27 = tensor.reshape %141(%from_elements_26) : (tensor<?x?x4xf32>, tensor<4xi64>) -> tensor<?x2x?x4xf32>
    %148 = arith.index_cast %146 : i64 to index
    %149 = arith.index_cast %147 : i64 to index
    %150 = tensor.empty(%148, %149) : tensor<?x?x2x4xf32>
    %transposed_28 = linalg.transpose ins(%reshape_27 : tensor<?x2x?x4xf32>) outs(%150 : tensor<?x?x2x4xf32>) permutation = [0, 2, 1, 3] 
    cf.assert %41, "must have at most one inferred (negative) dimension"
    %151 = arith.muli %146, %147 : i64
    %152 = arith.muli %151, %c8_i64 : i64
    %153 = arith.divsi %152, %40 : i64
    %154 = arith.select %32, %153, %1 : i64
    %155 = arith.select %37, %153, %0 : i64
    %from_elements_29 = tensor.from_elements %154, %155, %c8_i64 : tensor<3xi64>
    %reshape_30 = tensor.reshape %transposed_28(%from_elements_29) : (tensor<?x?x2x4xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
    %cast = tensor.cast %reshape_30 : tensor<?x?x8xf32> to tensor<?x1x8xf32>
    %collapsed_31 = tensor.collapse_shape %cast [[0], [1, 2]] : tensor<?x1x8xf32> into tensor<?x8xf32>
    %156 = arith.index_cast %154 : i64 to index
    %157 = tensor.empty(%156) : tensor<?x8xf32>
    %158 = linalg.fill ins(%cst_0 : f32) outs(%157 : tensor<?x8xf32>) -> tensor<?x8xf32>
    %159 = linalg.matmul ins(%collapsed_31, %cst_7 : tensor<?x8xf32>, tensor<8x8xf32>) outs(%158 : tensor<?x8xf32>) -> tensor<?x8xf32>
    %160 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%159, %cst_3 : tensor<?x8xf32>, tensor<8xf32>) outs(%157 : tensor<?x8xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %212 = arith.addf %in, %in_41 : f32
      linalg.yield %212 : f32
    } -> tensor<?x8xf32>
    cf.assert %41, "must have at most one inferred (negative) dimension"
    %161 = arith.muli %154, %c8_i64 : i64
    %162 = arith.divsi %161, %40 : i64
    %163 = arith.select %32, %162, %1 : i64
    %164 = arith.select %37, %162, %0 : i64
    %from_elements_32 = tensor.from_elements %163, %164, %c8_i64 : tensor<3xi64>
    %reshape_33 = tensor.reshape %160(%from_elements_32) : (tensor<?x8xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
    %165 = arith.index_cast %163 : i64 to index
    %166 = arith.cmpi eq, %dim_12, %165 : index
    cf.assert %166, "mismatched size for broadcast"
    %167 = arith.index_cast %164 : i64 to index
    %168 = arith.cmpi eq, %dim_13, %167 : index
    cf.assert %168, "mismatched size for broadcast"
    %169 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %reshape_33 : tensor<?x?x8xf32>, tensor<?x?x8xf32>) outs(%4 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %212 = arith.addf %in, %in_41 : f32
      linalg.yield %212 : f32
    } -> tensor<?x?x8xf32>
    %170 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169 : tensor<?x?x8xf32>) outs(%6 : tensor<?x?x8xf64>) {
    ^bb0(%in: f32, %out: f64):
      %212 = arith.extf %in : f32 to f64
      linalg.yield %212 : f64
    } -> tensor<?x?x8xf64>
    %171 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%170 : tensor<?x?x8xf64>) outs(%9 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %212 = arith.addf %in, %out : f64
      linalg.yield %212 : f64
    } -> tensor<?x?x1xf64>
    %172 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%171 : tensor<?x?x1xf64>) outs(%8 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %212 = arith.divf %in, %cst_5 : f64
      linalg.yield %212 : f64
    } -> tensor<?x?x1xf64>
    %173 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%170, %172 : tensor<?x?x8xf64>, tensor<?x?x1xf64>) outs(%6 : tensor<?x?x8xf64>) {
    ^bb0(%in: f64, %in_41: f64, %out: f64):
      %212 = arith.subf %in, %in_41 : f64
      linalg.yield %212 : f64
    } -> tensor<?x?x8xf64>
    %174 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173, %173 : tensor<?x?x8xf64>, tensor<?x?x8xf64>) outs(%6 : tensor<?x?x8xf64>) {
    ^bb0(%in: f64, %in_41: f64, %out: f64):
      %212 = arith.mulf %in, %in_41 : f64
      linalg.yield %212 : f64
    } -> tensor<?x?x8xf64>
    %175 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%174 : tensor<?x?x8xf64>) outs(%9 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %212 = arith.addf %in, %out : f64
      linalg.yield %212 : f64
    } -> tensor<?x?x1xf64>
    %176 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%175 : tensor<?x?x1xf64>) outs(%8 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %212 = arith.divf %in, %cst_5 : f64
      linalg.yield %212 : f64
    } -> tensor<?x?x1xf64>
    %177 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%176 : tensor<?x?x1xf64>) outs(%16 : tensor<?x?x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %212 = arith.truncf %in : f64 to f32
      linalg.yield %212 : f32
    } -> tensor<?x?x1xf32>
    %178 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%169 : tensor<?x?x8xf32>) outs(%18 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %212 = arith.addf %in, %out : f32
      linalg.yield %212 : f32
    } -> tensor<?x?x1xf32>
    %179 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%178 : tensor<?x?x1xf32>) outs(%16 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %212 = arith.divf %in, %cst_6 : f32
      linalg.yield %212 : f32
    } -> tensor<?x?x1xf32>
    %180 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%177 : tensor<?x?x1xf32>) outs(%16 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %212 = arith.truncf %cst_4 : f64 to f32
      %213 = arith.addf %in, %212 : f32
      linalg.yield %213 : f32
    } -> tensor<?x?x1xf32>
    %181 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%180 : tensor<?x?x1xf32>) outs(%16 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %212 = math.rsqrt %in : f32
      linalg.yield %212 : f32
    } -> tensor<?x?x1xf32>
    %182 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169, %179 : tensor<?x?x8xf32>, tensor<?x?x1xf32>) outs(%4 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %212 = arith.subf %in, %in_41 : f32
      linalg.yield %212 : f32
    } -> tensor<?x?x8xf32>
    %183 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%182, %181 : tensor<?x?x8xf32>, tensor<?x?x1xf32>) outs(%24 : tensor<?x1x8xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %212 = arith.mulf %in, %in_41 : f32
      linalg.yield %212 : f32
    } -> tensor<?x1x8xf32>
    %184 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%183, %cst_3 : tensor<?x1x8xf32>, tensor<8xf32>) outs(%24 : tensor<?x1x8xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %212 = arith.mulf %in, %in_41 : f32
      linalg.yield %212 : f32
    } -> tensor<?x1x8xf32>
    %185 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%184, %cst_3 : tensor<?x1x8xf32>, tensor<8xf32>) outs(%24 : tensor<?x1x8xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %212 = arith.addf %in, %in_41 : f32
      linalg.yield %212 : f32
    } -> tensor<?x1x8xf32>
    %collapsed_34 = tensor.collapse_shape %185 [[0], [1, 2]] : tensor<?x1x8xf32> into tensor<?x8xf32>
    %186 = tensor.empty(%dim_12) : tensor<?x16xf32>
    %187 = linalg.fill ins(%cst_0 : f32) outs(%186 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %188 = linalg.matmul ins(%collapsed_34, %cst_9 : tensor<?x8xf32>, tensor<8x16xf32>) outs(%187 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %189 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%188, %cst_2 : tensor<?x16xf32>, tensor<16xf32>) outs(%186 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %212 = arith.addf %in, %in_41 : f32
      linalg.yield %212 : f32
    } -> tensor<?x16xf32>
    %190 = arith.muli %38, %c16_i64 : i64
    cf.assert %41, "must have at most one inferred (negative) dimension"
    %191 = arith.muli %42, %c16_i64 : i64
    %192 = arith.divsi %191, %190 : i64
    %193 = arith.select %32, %192, %1 : i64
    %194 = arith.select %37, %192, %0 : i64
    %from_elements_35 = tensor.from_elements %193, %194, %c16_i64 : tensor<3xi64>
    %reshape_36 = tensor.reshape %189(%from_elements_35) : (tensor<?x16xf32>, tensor<3xi64>) -> tensor<?x?x16xf32>
    %195 = arith.index_cast %193 : i64 to index
    %196 = tensor.empty(%195) : tensor<?x1x16xf32>
    %cast_37 = tensor.cast %reshape_36 : tensor<?x?x16xf32> to tensor<?x1x16xf32>
    %197 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cast_37 : tensor<?x1x16xf32>) outs(%196 : tensor<?x1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %212 = arith.cmpf ugt, %in, %cst_0 : f32
      %213 = arith.select %212, %in, %cst_0 : f32
      linalg.yield %213 : f32
    } -> tensor<?x1x16xf32>
    %collapsed_38 = tensor.collapse_shape %197 [[0], [1, 2]] : tensor<?x1x16xf32> into tensor<?x16xf32>
    %198 = arith.index_cast %193 : i64 to index
    %199 = tensor.empty(%198) : tensor<?x8xf32>
    %200 = linalg.fill ins(%cst_0 : f32) outs(%199 : tensor<?x8xf32>) -> tensor<?x8xf32>
    %201 = linalg.matmul ins(%collapsed_38, %cst_10 : tensor<?x16xf32>, tensor<16x8xf32>) outs(%200 : tensor<?x8xf32>) -> tensor<?x8xf32>
    %202 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%201, %cst_3 : tensor<?x8xf32>, tensor<8xf32>) outs(%199 : tensor<?x8xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %212 = arith.addf %in, %in_41 : f32
      linalg.yield %212 : f32
    } -> tensor<?x8xf32>
    cf.assert %41, "must have at most one inferred (negative) dimension"
    %203 = arith.muli %193, %c8_i64 : i64
    %204 = arith.divsi %203, %40 : i64
    %205 = arith.select %32, %204, %1 : i64
    %206 = arith.select %37, %204, %0 : i64
    %from_elements_39 = tensor.from_elements %205, %206, %c8_i64 : tensor<3xi64>
    %reshape_40 = tensor.reshape %202(%from_elements_39) : (tensor<?x8xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
    %207 = arith.index_cast %205 : i64 to index
    %208 = arith.cmpi eq, %dim_12, %207 : index
    cf.assert %208, "mismatched size for broadcast"
    %209 = arith.index_cast %206 : i64 to index
    %210 = arith.cmpi eq, %dim_13, %209 : index
    cf.assert %210, "mismatched size for broadcast"
    %211 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169, %reshape_40 : tensor<?x?x8xf32>, tensor<?x?x8xf32>) outs(%4 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %212 = arith.addf %in, %in_41 : f32
      linalg.yield %212 : f32
    } -> tensor<?x?x8xf32>
    return %211 : tensor<?x?x8xf32>
  }
}
