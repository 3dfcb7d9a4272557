// A transformer encoder block on [B, S, 8]: exporters/transformer.py, torch-mlir StableHLO
module {
  func.func @forward(%arg0: tensor<?x?x8xf32>, %arg1: tensor<?x?x8xf32>, %arg2: tensor<?x1x?x?xf32>) -> tensor<?x?x8xf32> {
    %cst = stablehlo.constant dense<1.250000e-01> : tensor<8x16xf32>
    %cst_0 = stablehlo.constant dense<1.250000e-01> : tensor<16xf32>
    %cst_1 = stablehlo.constant dense<1.250000e-01> : tensor<16x8xf32>
    %c4_i64 = arith.constant 4 : i64
    %c2_i64 = arith.constant 2 : i64
    %cst_2 = stablehlo.constant dense<1.250000e-01> : tensor<8x8xf32>
    %cst_3 = stablehlo.constant dense<1.250000e-01> : tensor<8xf32>
    %c8_i64 = arith.constant 8 : i64
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_6 = arith.constant dense<8> : tensor<1xi64>
    %c8 = arith.constant 8 : index
    %cst_7 = arith.constant dense<1.000000e-05> : tensor<1xf64>
    %0 = shape.const_shape [8] : tensor<1xindex>
    %c4 = arith.constant 4 : index
    %cst_8 = arith.constant dense<2.000000e+00> : tensor<1xf64>
    %c16 = arith.constant 16 : index
    %1 = shape.const_shape [16] : tensor<1xindex>
    %dim = tensor.dim %arg1, %c1 : tensor<?x?x8xf32>
    %2 = arith.index_cast %dim : index to i64
    %dim_9 = tensor.dim %arg2, %c0 : tensor<?x1x?x?xf32>
    %3 = arith.index_cast %dim_9 : index to i64
    %4 = shape.shape_of %arg0 : tensor<?x?x8xf32> -> tensor<3xindex>
    %5 = shape.shape_of %arg1 : tensor<?x?x8xf32> -> tensor<3xindex>
    %6 = shape.cstr_broadcastable %4, %5 : tensor<3xindex>, tensor<3xindex>
    %7 = shape.assuming %6 -> (tensor<?x?x8xf32>) {
      %162 = shape.broadcast %4, %5 : tensor<3xindex>, tensor<3xindex> -> tensor<3xindex>
      %163 = stablehlo.dynamic_broadcast_in_dim %arg0, %162, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
      %164 = stablehlo.dynamic_broadcast_in_dim %arg1, %162, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
      %165 = stablehlo.add %163, %164 : tensor<?x?x8xf32>
      shape.assuming_yield %165 : tensor<?x?x8xf32>
    }
    %8 = stablehlo.reduce(%7 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<?x?x8xf32>, tensor<f32>) -> tensor<?x?xf32>
    %dim_10 = tensor.dim %7, %c0 : tensor<?x?x8xf32>
    %dim_11 = tensor.dim %7, %c1 : tensor<?x?x8xf32>
    %from_elements = tensor.from_elements %dim_10, %dim_11, %c1 : tensor<3xindex>
    %9 = stablehlo.dynamic_reshape %8, %from_elements : (tensor<?x?xf32>, tensor<3xindex>) -> tensor<?x?x1xf32>
    %10 = stablehlo.convert %cst_6 : (tensor<1xi64>) -> tensor<1xf32>
    %11 = stablehlo.reshape %10 : (tensor<1xf32>) -> tensor<f32>
    %12 = shape.shape_of %9 : tensor<?x?x1xf32> -> tensor<3xindex>
    %13 = stablehlo.dynamic_broadcast_in_dim %9, %12, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xindex>) -> tensor<?x?x1xf32>
    %14 = stablehlo.dynamic_broadcast_in_dim %11, %12, dims = [] : (tensor<f32>, tensor<3xindex>) -> tensor<?x?x1xf32>
    %15 = stablehlo.divide %13, %14 : tensor<?x?x1xf32>
    %from_elements_12 = tensor.from_elements %dim_10, %dim_11, %c8 : tensor<3xindex>
    %16 = stablehlo.dynamic_broadcast_in_dim %15, %from_elements_12, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
    %17 = shape.shape_of %7 : tensor<?x?x8xf32> -> tensor<3xindex>
    %18 = shape.shape_of %16 : tensor<?x?x8xf32> -> tensor<3xindex>
    %19 = shape.cstr_broadcastable %17, %18 : tensor<3xindex>, tensor<3xindex>
    %20 = shape.assuming %19 -> (tensor<?x?x8xf32>) {
      %162 = shape.broadcast %17, %18 : tensor<3xindex>, tensor<3xindex> -> tensor<3xindex>
      %163 = stablehlo.dynamic_broadcast_in_dim %7, %162, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
      %164 = stablehlo.dynamic_broadcast_in_dim %16, %162, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
      %165 = stablehlo.subtract %163, %164 : tensor<?x?x8xf32>
      shape.assuming_yield %165 : tensor<?x?x8xf32>
    }
    %21 = shape.shape_of %20 : tensor<?x?x8xf32> -> tensor<3xindex>
    %22 = stablehlo.dynamic_broadcast_in_dim %20, %21, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
    %23 = stablehlo.multiply %22, %22 : tensor<?x?x8xf32>
    %24 = stablehlo.reduce(%23 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<?x?x8xf32>, tensor<f32>) -> tensor<?x?xf32>
    %dim_13 = tensor.dim %23, %c0 : tensor<?x?x8xf32>
    %dim_14 = tensor.dim %23, %c1 : tensor<?x?x8xf32>
    %from_elements_15 = tensor.from_elements %dim_13, %dim_14, %c1 : tensor<3xindex>
    %25 = stablehlo.dynamic_reshape %24, %from_elements_15 : (tensor<?x?xf32>, tensor<3xindex>) -> tensor<?x?x1xf32>
    %26 = shape.shape_of %25 : tensor<?x?x1xf32> -> tensor<3xindex>
    %27 = stablehlo.dynamic_broadcast_in_dim %25, %26, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xindex>) -> tensor<?x?x1xf32>
    %28 = stablehlo.dynamic_broadcast_in_dim %11, %26, dims = [] : (tensor<f32>, tensor<3xindex>) -> tensor<?x?x1xf32>
    %29 = stablehlo.divide %27, %28 : tensor<?x?x1xf32>
    %30 = stablehlo.convert %cst_7 : (tensor<1xf64>) -> tensor<1xf32>
    %31 = stablehlo.reshape %30 : (tensor<1xf32>) -> tensor<f32>
    %32 = shape.shape_of %29 : tensor<?x?x1xf32> -> tensor<3xindex>
    %33 = stablehlo.dynamic_broadcast_in_dim %29, %32, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xindex>) -> tensor<?x?x1xf32>
    %34 = stablehlo.dynamic_broadcast_in_dim %31, %32, dims = [] : (tensor<f32>, tensor<3xindex>) -> tensor<?x?x1xf32>
    %35 = stablehlo.add %33, %34 : tensor<?x?x1xf32>
    %36 = stablehlo.rsqrt %35 : tensor<?x?x1xf32>
    %37 = stablehlo.dynamic_broadcast_in_dim %36, %from_elements_12, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
    %38 = shape.shape_of %37 : tensor<?x?x8xf32> -> tensor<3xindex>
    %39 = shape.cstr_broadcastable %21, %38 : tensor<3xindex>, tensor<3xindex>
    %40 = shape.assuming %39 -> (tensor<?x?x8xf32>) {
      %162 = shape.broadcast %21, %38 : tensor<3xindex>, tensor<3xindex> -> tensor<3xindex>
      %163 = stablehlo.dynamic_broadcast_in_dim %20, %162, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
      %164 = stablehlo.dynamic_broadcast_in_dim %37, %162, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
      %165 = stablehlo.multiply %163, %164 : tensor<?x?x8xf32>
      shape.assuming_yield %165 : tensor<?x?x8xf32>
    }
    %41 = shape.shape_of %40 : tensor<?x?x8xf32> -> tensor<3xindex>
    %42 = shape.broadcast %41, %0 : tensor<3xindex>, tensor<1xindex> -> tensor<3xindex>
    %43 = stablehlo.dynamic_broadcast_in_dim %40, %42, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
    %44 = stablehlo.dynamic_broadcast_in_dim %cst_3, %42, dims = [2] : (tensor<8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
    %45 = stablehlo.multiply %43, %44 : tensor<?x?x8xf32>
    %46 = shape.shape_of %45 : tensor<?x?x8xf32> -> tensor<3xindex>
    %47 = shape.broadcast %46, %0 : tensor<3xindex>, tensor<1xindex> -> tensor<3xindex>
    %48 = stablehlo.dynamic_broadcast_in_dim %45, %47, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
    %49 = stablehlo.dynamic_broadcast_in_dim %cst_3, %47, dims = [2] : (tensor<8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
    %50 = stablehlo.add %48, %49 : tensor<?x?x8xf32>
    %51 = stablehlo.transpose %cst_2, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %dim_16 = tensor.dim %50, %c0 : tensor<?x?x8xf32>
    %from_elements_17 = tensor.from_elements %dim_16, %c8, %c8 : tensor<3xindex>
    %52 = stablehlo.dynamic_broadcast_in_dim %51, %from_elements_17, dims = [1, 2] : (tensor<8x8xf32>, tensor<3xindex>) -> tensor<?x8x8xf32>
    %53 = stablehlo.dot_general %50, %52, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x?x8xf32>, tensor<?x8x8xf32>) -> tensor<?x?x8xf32>
    %54 = shape.shape_of %53 : tensor<?x?x8xf32> -> tensor<3xindex>
    %55 = shape.broadcast %54, %0 : tensor<3xindex>, tensor<1xindex> -> tensor<3xindex>
    %56 = stablehlo.dynamic_broadcast_in_dim %53, %55, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
    %57 = stablehlo.dynamic_broadcast_in_dim %cst_3, %55, dims = [2] : (tensor<8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
    %58 = stablehlo.add %56, %57 : tensor<?x?x8xf32>
    %from_elements_18 = tensor.from_elements %3, %2, %c2_i64, %c4_i64 : tensor<4xi64>
    %59 = stablehlo.dynamic_reshape %58, %from_elements_18 : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x?x2x4xf32>
    %60 = stablehlo.transpose %59, dims = [0, 2, 1, 3] : (tensor<?x?x2x4xf32>) -> tensor<?x2x?x4xf32>
    %61 = stablehlo.transpose %60, dims = [0, 1, 3, 2] : (tensor<?x2x?x4xf32>) -> tensor<?x2x4x?xf32>
    %dim_19 = tensor.dim %61, %c0 : tensor<?x2x4x?xf32>
    %dim_20 = tensor.dim %61, %c3 : tensor<?x2x4x?xf32>
    %from_elements_21 = tensor.from_elements %dim_19, %c2, %c4, %dim_20 : tensor<4xindex>
    %62 = stablehlo.dynamic_broadcast_in_dim %61, %from_elements_21, dims = [0, 1, 2, 3] : (tensor<?x2x4x?xf32>, tensor<4xindex>) -> tensor<?x2x4x?xf32>
    %63 = stablehlo.dot_general %60, %62, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x2x?x4xf32>, tensor<?x2x4x?xf32>) -> tensor<?x2x?x?xf32>
    %64 = stablehlo.convert %cst_8 : (tensor<1xf64>) -> tensor<1xf32>
    %65 = stablehlo.reshape %64 : (tensor<1xf32>) -> tensor<f32>
    %66 = shape.shape_of %63 : tensor<?x2x?x?xf32> -> tensor<4xindex>
    %67 = stablehlo.dynamic_broadcast_in_dim %63, %66, dims = [0, 1, 2, 3] : (tensor<?x2x?x?xf32>, tensor<4xindex>) -> tensor<?x2x?x?xf32>
    %68 = stablehlo.dynamic_broadcast_in_dim %65, %66, dims = [] : (tensor<f32>, tensor<4xindex>) -> tensor<?x2x?x?xf32>
    %69 = stablehlo.divide %67, %68 : tensor<?x2x?x?xf32>
    %70 = shape.shape_of %69 : tensor<?x2x?x?xf32> -> tensor<4xindex>
    %71 = shape.shape_of %arg2 : tensor<?x1x?x?xf32> -> tensor<4xindex>
    %72 = shape.cstr_broadcastable %70, %71 : tensor<4xindex>, tensor<4xindex>
    %73 = shape.assuming %72 -> (tensor<?x2x?x?xf32>) {
      %162 = shape.broadcast %70, %71 : tensor<4xindex>, tensor<4xindex> -> tensor<4xindex>
      %163 = stablehlo.dynamic_broadcast_in_dim %69, %162, dims = [0, 1, 2, 3] : (tensor<?x2x?x?xf32>, tensor<4xindex>) -> tensor<?x2x?x?xf32>
      %164 = stablehlo.dynamic_broadcast_in_dim %arg2, %162, dims = [0, 1, 2, 3] : (tensor<?x1x?x?xf32>, tensor<4xindex>) -> tensor<?x2x?x?xf32>
      %165 = stablehlo.add %163, %164 : tensor<?x2x?x?xf32>
      shape.assuming_yield %165 : tensor<?x2x?x?xf32>
    }
    %dim_22 = tensor.dim %73, %c0 : tensor<?x2x?x?xf32>
    %dim_23 = tensor.dim %73, %c2 : tensor<?x2x?x?xf32>
    %74 = stablehlo.reduce(%73 init: %cst_5) applies stablehlo.maximum across dimensions = [3] : (tensor<?x2x?x?xf32>, tensor<f32>) -> tensor<?x2x?xf32>
    %from_elements_24 = tensor.from_elements %dim_22, %c2, %dim_23, %c1 : tensor<4xindex>
    %75 = stablehlo.dynamic_reshape %74, %from_elements_24 : (tensor<?x2x?xf32>, tensor<4xindex>) -> tensor<?x2x?x1xf32>
    %76 = shape.shape_of %73 : tensor<?x2x?x?xf32> -> tensor<4xindex>
    %77 = shape.shape_of %75 : tensor<?x2x?x1xf32> -> tensor<4xindex>
    %78 = shape.cstr_broadcastable %76, %77 : tensor<4xindex>, tensor<4xindex>
    %79 = shape.assuming %78 -> (tensor<?x2x?x?xf32>) {
      %162 = shape.broadcast %76, %77 : tensor<4xindex>, tensor<4xindex> -> tensor<4xindex>
      %163 = stablehlo.dynamic_broadcast_in_dim %73, %162, dims = [0, 1, 2, 3] : (tensor<?x2x?x?xf32>, tensor<4xindex>) -> tensor<?x2x?x?xf32>
      %164 = stablehlo.dynamic_broadcast_in_dim %75, %162, dims = [0, 1, 2, 3] : (tensor<?x2x?x1xf32>, tensor<4xindex>) -> tensor<?x2x?x?xf32>
      %165 = stablehlo.subtract %163, %164 : tensor<?x2x?x?xf32>
      shape.assuming_yield %165 : tensor<?x2x?x?xf32>
    }
    %80 = stablehlo.exponential %79 : tensor<?x2x?x?xf32>
    %81 = stablehlo.reduce(%80 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<?x2x?x?xf32>, tensor<f32>) -> tensor<?x2x?xf32>
    %dim_25 = tensor.dim %80, %c0 : tensor<?x2x?x?xf32>
    %dim_26 = tensor.dim %80, %c2 : tensor<?x2x?x?xf32>
    %from_elements_27 = tensor.from_elements %dim_25, %c2, %dim_26, %c1 : tensor<4xindex>
    %82 = stablehlo.dynamic_reshape %81, %from_elements_27 : (tensor<?x2x?xf32>, tensor<4xindex>) -> tensor<?x2x?x1xf32>
    %83 = shape.shape_of %80 : tensor<?x2x?x?xf32> -> tensor<4xindex>
    %84 = shape.shape_of %82 : tensor<?x2x?x1xf32> -> tensor<4xindex>
    %85 = shape.cstr_broadcastable %83, %84 : tensor<4xindex>, tensor<4xindex>
    %86 = shape.assuming %85 -> (tensor<?x2x?x?xf32>) {
      %162 = shape.broadcast %83, %84 : tensor<4xindex>, tensor<4xindex> -> tensor<4xindex>
      %163 = stablehlo.dynamic_broadcast_in_dim %80, %162, dims = [0, 1, 2, 3] : (tensor<?x2x?x?xf32>, tensor<4xindex>) -> tensor<?x2x?x?xf32>
      %164 = stablehlo.dynamic_broadcast_in_dim %82, %162, dims = [0, 1, 2, 3] : (tensor<?x2x?x1xf32>, tensor<4xindex>) -> tensor<?x2x?x?xf32>
      %165 = stablehlo.divide %163, %164 : tensor<?x2x?x?xf32>
      shape.assuming_yield %165 : tensor<?x2x?x?xf32>
    }
    %dim_28 = tensor.dim %60, %c0 : tensor<?x2x?x4xf32>
    %dim_29 = tensor.dim %60, %c2 : tensor<?x2x?x4xf32>
    %from_elements_30 = tensor.from_elements %dim_28, %c2, %dim_29, %c4 : tensor<4xindex>
    %87 = stablehlo.dynamic_broadcast_in_dim %60, %from_elements_30, dims = [0, 1, 2, 3] : (tensor<?x2x?x4xf32>, tensor<4xindex>) -> tensor<?x2x?x4xf32>
    %88 = stablehlo.dot_general %86, %87, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x2x?x?xf32>, tensor<?x2x?x4xf32>) -> tensor<?x2x?x4xf32>
    %89 = stablehlo.transpose %88, dims = [0, 2, 1, 3] : (tensor<?x2x?x4xf32>) -> tensor<?x?x2x4xf32>
    %from_elements_31 = tensor.from_elements %3, %2, %c8_i64 : tensor<3xi64>
    %90 = stablehlo.dynamic_reshape %89, %from_elements_31 : (tensor<?x?x2x4xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
    %dim_32 = tensor.dim %90, %c0 : tensor<?x?x8xf32>
    %from_elements_33 = tensor.from_elements %dim_32, %c8, %c8 : tensor<3xindex>
    %91 = stablehlo.dynamic_broadcast_in_dim %51, %from_elements_33, dims = [1, 2] : (tensor<8x8xf32>, tensor<3xindex>) -> tensor<?x8x8xf32>
    %92 = stablehlo.dot_general %90, %91, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x?x8xf32>, tensor<?x8x8xf32>) -> tensor<?x?x8xf32>
    %93 = shape.shape_of %92 : tensor<?x?x8xf32> -> tensor<3xindex>
    %94 = shape.broadcast %93, %0 : tensor<3xindex>, tensor<1xindex> -> tensor<3xindex>
    %95 = stablehlo.dynamic_broadcast_in_dim %92, %94, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
    %96 = stablehlo.dynamic_broadcast_in_dim %cst_3, %94, dims = [2] : (tensor<8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
    %97 = stablehlo.add %95, %96 : tensor<?x?x8xf32>
    %98 = shape.shape_of %97 : tensor<?x?x8xf32> -> tensor<3xindex>
    %99 = shape.cstr_broadcastable %17, %98 : tensor<3xindex>, tensor<3xindex>
    %100 = shape.assuming %99 -> (tensor<?x?x8xf32>) {
      %162 = shape.broadcast %17, %98 : tensor<3xindex>, tensor<3xindex> -> tensor<3xindex>
      %163 = stablehlo.dynamic_broadcast_in_dim %7, %162, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
      %164 = stablehlo.dynamic_broadcast_in_dim %97, %162, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
      %165 = stablehlo.add %163, %164 : tensor<?x?x8xf32>
      shape.assuming_yield %165 : tensor<?x?x8xf32>
    }
    %101 = stablehlo.reduce(%100 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<?x?x8xf32>, tensor<f32>) -> tensor<?x?xf32>
    %dim_34 = tensor.dim %100, %c0 : tensor<?x?x8xf32>
    %dim_35 = tensor.dim %100, %c1 : tensor<?x?x8xf32>
    %from_elements_36 = tensor.from_elements %dim_34, %dim_35, %c1 : tensor<3xindex>
    %102 = stablehlo.dynamic_reshape %101, %from_elements_36 : (tensor<?x?xf32>, tensor<3xindex>) -> tensor<?x?x1xf32>
    %103 = shape.shape_of %102 : tensor<?x?x1xf32> -> tensor<3xindex>
    %104 = stablehlo.dynamic_broadcast_in_dim %102, %103, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xindex>) -> tensor<?x?x1xf32>
    %105 = stablehlo.dynamic_broadcast_in_dim %11, %103, dims = [] : (tensor<f32>, tensor<3xindex>) -> tensor<?x?x1xf32>
    %106 = stablehlo.divide %104, %105 : tensor<?x?x1xf32>
    %from_elements_37 = tensor.from_elements %dim_34, %dim_35, %c8 : tensor<3xindex>
    %107 = stablehlo.dynamic_broadcast_in_dim %106, %from_elements_37, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
    %108 = shape.shape_of %100 : tensor<?x?x8xf32> -> tensor<3xindex>
    %109 = shape.shape_of %107 : tensor<?x?x8xf32> -> tensor<3xindex>
    %110 = shape.cstr_broadcastable %108, %109 : tensor<3xindex>, tensor<3xindex>
    %111 = shape.assuming %110 -> (tensor<?x?x8xf32>) {
      %162 = shape.broadcast %108, %109 : tensor<3xindex>, tensor<3xindex> -> tensor<3xindex>
      %163 = stablehlo.dynamic_broadcast_in_dim %100, %162, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
      %164 = stablehlo.dynamic_broadcast_in_dim %107, %162, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
      %165 = stablehlo.subtract %163, %164 : tensor<?x?x8xf32>
      shape.assuming_yield %165 : tensor<?x?x8xf32>
    }
    %112 = shape.shape_of %111 : tensor<?x?x8xf32> -> tensor<3xindex>
    %113 = stablehlo.dynamic_broadcast_in_dim %111, %112, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
    %114 = stablehlo.multiply %113, %113 : tensor<?x?x8xf32>
    %115 = stablehlo.reduce(%114 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<?x?x8xf32>, tensor<f32>) -> tensor<?x?xf32>
    %dim_38 = tensor.dim %114, %c0 : tensor<?x?x8xf32>
    %dim_39 = tensor.dim %114, %c1 : tensor<?x?x8xf32>
    %from_elements_40 = tensor.from_elements %dim_38, %dim_39, %c1 : tensor<3xindex>
    %116 = stablehlo.dynamic_reshape %115, %from_elements_40 : (tensor<?x?xf32>, tensor<3xindex>) -> tensor<?x?x1xf32>
    %117 = shape.shape_of %116 : tensor<?x?x1xf32> -> tensor<3xindex>
    %118 = stablehlo.dynamic_broadcast_in_dim %116, %117, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xindex>) -> tensor<?x?x1xf32>
    %119 = stablehlo.dynamic_broadcast_in_dim %11, %117, dims = [] : (tensor<f32>, tensor<3xindex>) -> tensor<?x?x1xf32>
    %120 = stablehlo.divide %118, %119 : tensor<?x?x1xf32>
    %121 = shape.shape_of %120 : tensor<?x?x1xf32> -> tensor<3xindex>
    %122 = stablehlo.dynamic_broadcast_in_dim %120, %121, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xindex>) -> tensor<?x?x1xf32>
    %123 = stablehlo.dynamic_broadcast_in_dim %31, %121, dims = [] : (tensor<f32>, tensor<3xindex>) -> tensor<?x?x1xf32>
    %124 = stablehlo.add %122, %123 : tensor<?x?x1xf32>
    %125 = stablehlo.rsqrt %124 : tensor<?x?x1xf32>
    %126 = stablehlo.dynamic_broadcast_in_dim %125, %from_elements_37, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
    %127 = shape.shape_of %126 : tensor<?x?x8xf32> -> tensor<3xindex>
    %128 = shape.cstr_broadcastable %112, %127 : tensor<3xindex>, tensor<3xindex>
    %129 = shape.assuming %128 -> (tensor<?x?x8xf32>) {
      %162 = shape.broadcast %112, %127 : tensor<3xindex>, tensor<3xindex> -> tensor<3xindex>
      %163 = stablehlo.dynamic_broadcast_in_dim %111, %162, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
      %164 = stablehlo.dynamic_broadcast_in_dim %126, %162, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
      %165 = stablehlo.multiply %163, %164 : tensor<?x?x8xf32>
      shape.assuming_yield %165 : tensor<?x?x8xf32>
    }
    %130 = shape.shape_of %129 : tensor<?x?x8xf32> -> tensor<3xindex>
    %131 = shape.broadcast %130, %0 : tensor<3xindex>, tensor<1xindex> -> tensor<3xindex>
    %132 = stablehlo.dynamic_broadcast_in_dim %129, %131, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
    %133 = stablehlo.dynamic_broadcast_in_dim %cst_3, %131, dims = [2] : (tensor<8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
    %134 = stablehlo.multiply %132, %133 : tensor<?x?x8xf32>
    %135 = shape.shape_of %134 : tensor<?x?x8xf32> -> tensor<3xindex>
    %136 = shape.broadcast %135, %0 : tensor<3xindex>, tensor<1xindex> -> tensor<3xindex>
    %137 = stablehlo.dynamic_broadcast_in_dim %134, %136, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
    %138 = stablehlo.dynamic_broadcast_in_dim %cst_3, %136, dims = [2] : (tensor<8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
    %139 = stablehlo.add %137, %138 : tensor<?x?x8xf32>
    %140 = stablehlo.transpose %cst_1, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %dim_41 = tensor.dim %139, %c0 : tensor<?x?x8xf32>
    %from_elements_42 = tensor.from_elements %dim_41, %c8, %c16 : tensor<3xindex>
    %141 = stablehlo.dynamic_broadcast_in_dim %140, %from_elements_42, dims = [1, 2] : (tensor<8x16xf32>, tensor<3xindex>) -> tensor<?x8x16xf32>
    %142 = stablehlo.dot_general %139, %141, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x?x8xf32>, tensor<?x8x16xf32>) -> tensor<?x?x16xf32>
    %143 = shape.shape_of %142 : tensor<?x?x16xf32> -> tensor<3xindex>
    %144 = shape.broadcast %143, %1 : tensor<3xindex>, tensor<1xindex> -> tensor<3xindex>
    %145 = stablehlo.dynamic_broadcast_in_dim %142, %144, dims = [0, 1, 2] : (tensor<?x?x16xf32>, tensor<3xindex>) -> tensor<?x?x16xf32>
    %146 = stablehlo.dynamic_broadcast_in_dim %cst_0, %144, dims = [2] : (tensor<16xf32>, tensor<3xindex>) -> tensor<?x?x16xf32>
    %147 = stablehlo.add %145, %146 : tensor<?x?x16xf32>
    %148 = shape.shape_of %147 : tensor<?x?x16xf32> -> tensor<3xindex>
    %149 = stablehlo.dynamic_broadcast_in_dim %cst_4, %148, dims = [] : (tensor<f32>, tensor<3xindex>) -> tensor<?x?x16xf32>
    %150 = stablehlo.maximum %147, %149 : tensor<?x?x16xf32>
    %151 = stablehlo.transpose %cst, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %dim_43 = tensor.dim %150, %c0 : tensor<?x?x16xf32>
    %from_elements_44 = tensor.from_elements %dim_43, %c16, %c8 : tensor<3xindex>
    %152 = stablehlo.dynamic_broadcast_in_dim %151, %from_elements_44, dims = [1, 2] : (tensor<16x8xf32>, tensor<3xindex>) -> tensor<?x16x8xf32>
    %153 = stablehlo.dot_general %150, %152, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x?x16xf32>, tensor<?x16x8xf32>) -> tensor<?x?x8xf32>
    %154 = shape.shape_of %153 : tensor<?x?x8xf32> -> tensor<3xindex>
    %155 = shape.broadcast %154, %0 : tensor<3xindex>, tensor<1xindex> -> tensor<3xindex>
    %156 = stablehlo.dynamic_broadcast_in_dim %153, %155, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
    %157 = stablehlo.dynamic_broadcast_in_dim %cst_3, %155, dims = [2] : (tensor<8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
    %158 = stablehlo.add %156, %157 : tensor<?x?x8xf32>
    %159 = shape.shape_of %158 : tensor<?x?x8xf32> -> tensor<3xindex>
    %160 = shape.cstr_broadcastable %108, %159 : tensor<3xindex>, tensor<3xindex>
    %161 = shape.assuming %160 -> (tensor<?x?x8xf32>) {
      %162 = shape.broadcast %108, %159 : tensor<3xindex>, tensor<3xindex> -> tensor<3xindex>
      %163 = stablehlo.dynamic_broadcast_in_dim %100, %162, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
      %164 = stablehlo.dynamic_broadcast_in_dim %158, %162, dims = [0, 1, 2] : (tensor<?x?x8xf32>, tensor<3xindex>) -> tensor<?x?x8xf32>
      %165 = stablehlo.add %163, %164 : tensor<?x?x8xf32>
      shape.assuming_yield %165 : tensor<?x?x8xf32>
    }
    return %161 : tensor<?x?x8xf32>
  }
}
