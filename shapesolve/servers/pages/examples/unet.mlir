// A two-level U-Net on [N, 1, H, W]: exporters/unet.py, torch-mlir linalg-on-tensors
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @forward(%arg0: tensor<?x1x?x?xf32>) -> tensor<?x1x?x?xf32> {
    %c1_i64 = arith.constant 1 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c2_i64 = arith.constant 2 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<6.250000e-02> : tensor<1xf32>
    %cst_2 = arith.constant dense<6.250000e-02> : tensor<1x8x3x3xf32>
    %cst_3 = arith.constant dense<6.250000e-02> : tensor<4x16x3x3xf32>
    %cst_4 = arith.constant dense<6.250000e-02> : tensor<8x8x3x3xf32>
    %cst_5 = arith.constant dense<6.250000e-02> : tensor<8xf32>
    %cst_6 = arith.constant dense<6.250000e-02> : tensor<8x4x3x3xf32>
    %cst_7 = arith.constant dense<6.250000e-02> : tensor<4x1x3x3xf32>
    %cst_8 = arith.constant dense<6.250000e-02> : tensor<4xf32>
    %c-1_i64 = arith.constant -1 : i64
    %cst_9 = arith.constant 6.250000e-02 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x1x?x?xf32>
    %dim_10 = tensor.dim %arg0, %c2 : tensor<?x1x?x?xf32>
    %dim_11 = tensor.dim %arg0, %c3 : tensor<?x1x?x?xf32>
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<?x1x?x?xf32> to tensor<?x1x?x?xf32>
    %0 = tensor.empty(%dim, %dim_10, %dim_11) : tensor<?x4x?x?xf32>
    %broadcasted = linalg.broadcast ins(%cst_8 : tensor<4xf32>) outs(%0 : tensor<?x4x?x?xf32>) dimensions = [0, 2, 3] 
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %cst_7 : tensor<?x1x?x?xf32>, tensor<4x1x3x3xf32>) outs(%broadcasted : tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<?x4x?x?xf32>) outs(%0 : tensor<?x4x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.cmpf ugt, %in, %cst : f32
      %81 = arith.select %80, %in, %cst : f32
      linalg.yield %81 : f32
    } -> tensor<?x4x?x?xf32>
    %3 = arith.index_cast %dim_11 : index to i64
    %4 = arith.subi %3, %c2_i64 : i64
    %5 = arith.floordivsi %4, %c2_i64 : i64
    %6 = arith.addi %5, %c1_i64 : i64
    %7 = arith.index_cast %6 : i64 to index
    %8 = arith.index_cast %dim_10 : index to i64
    %9 = arith.subi %8, %c2_i64 : i64
    %10 = arith.floordivsi %9, %c2_i64 : i64
    %11 = arith.addi %10, %c1_i64 : i64
    %12 = arith.index_cast %11 : i64 to index
    %13 = tensor.empty(%dim, %12, %7) : tensor<?x4x?x?xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32>
    %15 = tensor.empty() : tensor<2x2xf32>
    %16 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%2, %15 : tensor<?x4x?x?xf32>, tensor<2x2xf32>) outs(%14 : tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32>
    %padded_12 = tensor.pad %16 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<?x4x?x?xf32> to tensor<?x4x?x?xf32>
    %17 = tensor.empty(%dim, %12, %7) : tensor<?x8x?x?xf32>
    %broadcasted_13 = linalg.broadcast ins(%cst_5 : tensor<8xf32>) outs(%17 : tensor<?x8x?x?xf32>) dimensions = [0, 2, 3] 
    %18 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_12, %cst_6 : tensor<?x4x?x?xf32>, tensor<8x4x3x3xf32>) outs(%broadcasted_13 : tensor<?x8x?x?xf32>) -> tensor<?x8x?x?xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<?x8x?x?xf32>) outs(%17 : tensor<?x8x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.cmpf ugt, %in, %cst : f32
      %81 = arith.select %80, %in, %cst : f32
      linalg.yield %81 : f32
    } -> tensor<?x8x?x?xf32>
    %20 = arith.addi %5, %c-1_i64 : i64
    %21 = arith.floordivsi %20, %c2_i64 : i64
    %22 = arith.addi %21, %c1_i64 : i64
    %23 = arith.index_cast %22 : i64 to index
    %24 = arith.addi %10, %c-1_i64 : i64
    %25 = arith.floordivsi %24, %c2_i64 : i64
    %26 = arith.addi %25, %c1_i64 : i64
    %27 = arith.index_cast %26 : i64 to index
    %28 = tensor.empty(%dim, %27, %23) : tensor<?x8x?x?xf32>
    %29 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<?x8x?x?xf32>) -> tensor<?x8x?x?xf32>
    %30 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%19, %15 : tensor<?x8x?x?xf32>, tensor<2x2xf32>) outs(%29 : tensor<?x8x?x?xf32>) -> tensor<?x8x?x?xf32>
    %padded_14 = tensor.pad %30 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<?x8x?x?xf32> to tensor<?x8x?x?xf32>
    %broadcasted_15 = linalg.broadcast ins(%cst_5 : tensor<8xf32>) outs(%28 : tensor<?x8x?x?xf32>) dimensions = [0, 2, 3] 
    %31 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_14, %cst_4 : tensor<?x8x?x?xf32>, tensor<8x8x3x3xf32>) outs(%broadcasted_15 : tensor<?x8x?x?xf32>) -> tensor<?x8x?x?xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<?x8x?x?xf32>) outs(%28 : tensor<?x8x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.cmpf ugt, %in, %cst : f32
      %81 = arith.select %80, %in, %cst : f32
      linalg.yield %81 : f32
    } -> tensor<?x8x?x?xf32>
    %33 = tensor.empty() : tensor<8x8x2x2xf32>
    %34 = linalg.fill ins(%cst : f32) outs(%33 : tensor<8x8x2x2xf32>) -> tensor<8x8x2x2xf32>
    %35 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%34 : tensor<8x8x2x2xf32>) {
    ^bb0(%out: f32):
      linalg.yield %cst_9 : f32
    } -> tensor<8x8x2x2xf32>
    %36 = arith.subi %27, %c1 : index
    %37 = arith.muli %36, %c2 : index
    %38 = arith.addi %37, %c3 : index
    %39 = arith.subi %23, %c1 : index
    %40 = arith.muli %39, %c2 : index
    %41 = arith.addi %40, %c3 : index
    %42 = tensor.empty(%dim, %38, %41) : tensor<?x8x?x?xf32>
    %43 = linalg.fill ins(%cst : f32) outs(%42 : tensor<?x8x?x?xf32>) -> tensor<?x8x?x?xf32>
    %inserted_slice = tensor.insert_slice %32 into %43[0, 0, 1, 1] [%dim, 8, %27, %23] [1, 1, 2, 2] : tensor<?x8x?x?xf32> into tensor<?x8x?x?xf32>
    %44 = arith.muli %25, %c2_i64 : i64
    %45 = arith.addi %44, %c2_i64 : i64
    %46 = arith.index_cast %45 : i64 to index
    %47 = arith.muli %21, %c2_i64 : i64
    %48 = arith.addi %47, %c2_i64 : i64
    %49 = arith.index_cast %48 : i64 to index
    %50 = tensor.empty(%dim, %46, %49) : tensor<?x8x?x?xf32>
    %broadcasted_16 = linalg.broadcast ins(%cst_5 : tensor<8xf32>) outs(%50 : tensor<?x8x?x?xf32>) dimensions = [0, 2, 3] 
    %51 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%inserted_slice, %35 : tensor<?x8x?x?xf32>, tensor<8x8x2x2xf32>) outs(%broadcasted_16 : tensor<?x8x?x?xf32>) -> tensor<?x8x?x?xf32>
    %concat = tensor.concat dim(1) %19, %51 : (tensor<?x8x?x?xf32>, tensor<?x8x?x?xf32>) -> tensor<?x16x?x?xf32>
    %dim_17 = tensor.dim %19, %c0 : tensor<?x8x?x?xf32>
    %dim_18 = tensor.dim %19, %c2 : tensor<?x8x?x?xf32>
    %dim_19 = tensor.dim %19, %c3 : tensor<?x8x?x?xf32>
    %padded_20 = tensor.pad %concat low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<?x16x?x?xf32> to tensor<?x16x?x?xf32>
    %52 = tensor.empty(%dim_17, %dim_18, %dim_19) : tensor<?x4x?x?xf32>
    %broadcasted_21 = linalg.broadcast ins(%cst_8 : tensor<4xf32>) outs(%52 : tensor<?x4x?x?xf32>) dimensions = [0, 2, 3] 
    %53 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_20, %cst_3 : tensor<?x16x?x?xf32>, tensor<4x16x3x3xf32>) outs(%broadcasted_21 : tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32>
    %54 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<?x4x?x?xf32>) outs(%52 : tensor<?x4x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.cmpf ugt, %in, %cst : f32
      %81 = arith.select %80, %in, %cst : f32
      linalg.yield %81 : f32
    } -> tensor<?x4x?x?xf32>
    %55 = tensor.empty() : tensor<4x4x2x2xf32>
    %56 = linalg.fill ins(%cst : f32) outs(%55 : tensor<4x4x2x2xf32>) -> tensor<4x4x2x2xf32>
    %57 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%56 : tensor<4x4x2x2xf32>) {
    ^bb0(%out: f32):
      linalg.yield %cst_9 : f32
    } -> tensor<4x4x2x2xf32>
    %58 = arith.subi %dim_18, %c1 : index
    %59 = arith.muli %58, %c2 : index
    %60 = arith.addi %59, %c3 : index
    %61 = arith.subi %dim_19, %c1 : index
    %62 = arith.muli %61, %c2 : index
    %63 = arith.addi %62, %c3 : index
    %64 = tensor.empty(%dim_17, %60, %63) : tensor<?x4x?x?xf32>
    %65 = linalg.fill ins(%cst : f32) outs(%64 : tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32>
    %inserted_slice_22 = tensor.insert_slice %54 into %65[0, 0, 1, 1] [%dim_17, 4, %dim_18, %dim_19] [1, 1, 2, 2] : tensor<?x4x?x?xf32> into tensor<?x4x?x?xf32>
    %66 = arith.index_cast %dim_18 : index to i64
    %67 = arith.subi %66, %c1_i64 : i64
    %68 = arith.muli %67, %c2_i64 : i64
    %69 = arith.addi %68, %c2_i64 : i64
    %70 = arith.index_cast %69 : i64 to index
    %71 = arith.index_cast %dim_19 : index to i64
    %72 = arith.subi %71, %c1_i64 : i64
    %73 = arith.muli %72, %c2_i64 : i64
    %74 = arith.addi %73, %c2_i64 : i64
    %75 = arith.index_cast %74 : i64 to index
    %76 = tensor.empty(%dim_17, %70, %75) : tensor<?x4x?x?xf32>
    %broadcasted_23 = linalg.broadcast ins(%cst_8 : tensor<4xf32>) outs(%76 : tensor<?x4x?x?xf32>) dimensions = [0, 2, 3] 
    %77 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%inserted_slice_22, %57 : tensor<?x4x?x?xf32>, tensor<4x4x2x2xf32>) outs(%broadcasted_23 : tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32>
    %concat_24 = tensor.concat dim(1) %2, %77 : (tensor<?x4x?x?xf32>, tensor<?x4x?x?xf32>) -> tensor<?x8x?x?xf32>
    %dim_25 = tensor.dim %2, %c0 : tensor<?x4x?x?xf32>
    %dim_26 = tensor.dim %2, %c2 : tensor<?x4x?x?xf32>
    %dim_27 = tensor.dim %2, %c3 : tensor<?x4x?x?xf32>
    %padded_28 = tensor.pad %concat_24 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<?x8x?x?xf32> to tensor<?x8x?x?xf32>
    %78 = tensor.empty(%dim_25, %dim_26, %dim_27) : tensor<?x1x?x?xf32>
    %broadcasted_29 = linalg.broadcast ins(%cst_1 : tensor<1xf32>) outs(%78 : tensor<?x1x?x?xf32>) dimensions = [0, 2, 3] 
    %79 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_28, %cst_2 : tensor<?x8x?x?xf32>, tensor<1x8x3x3xf32>) outs(%broadcasted_29 : tensor<?x1x?x?xf32>) -> tensor<?x1x?x?xf32>
    return %79 : tensor<?x1x?x?xf32>
  }
}
