module @jit_strided_convolutions attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x3x?x?xf32>, %arg1: tensor<3x3x3x3xf32>, %arg2: tensor<3x3x3x3xf32>) -> (tensor<?x3xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<-8> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x3x?x?xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg0, dim = 2 : (tensor<?x3x?x?xf32>) -> tensor<i32>
    %2 = stablehlo.get_dimension_size %arg0, dim = 3 : (tensor<?x3x?x?xf32>) -> tensor<i32>
    %3 = stablehlo.compare GE, %0, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[0].shape = (b, 3, h, w). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %4 = stablehlo.compare GE, %1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%4, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'h'. Using the following polymorphic shapes specifications: args[0].shape = (b, 3, h, w). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), 'h' = {1} from specification 'h' for dimension args[0].shape[2] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %5 = stablehlo.compare GE, %2, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%5, %0, %1, %2) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'w'. Using the following polymorphic shapes specifications: args[0].shape = (b, 3, h, w). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), 'h' = {1} from specification 'h' for dimension args[0].shape[2] (= {1}), 'w' = {2} from specification 'w' for dimension args[0].shape[3] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %6 = stablehlo.convert %1 : tensor<i32>
    %7 = stablehlo.add %6, %c_0 : tensor<i32>
    %8 = stablehlo.compare GE, %7, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %9 = stablehlo.convert %1 : tensor<i32>
    %10 = stablehlo.add %9, %c_0 : tensor<i32>
    stablehlo.custom_call @shape_assertion(%8, %10, %0, %1, %2) {api_version = 2 : i32, error_message = "Input shapes do not match the symbolic shape constraint h >= 8. Expected 'h - 8' to be greater or equal to 0, but found {0}.  Using the following polymorphic shapes specifications: args[0].shape = (b, 3, h, w). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[0].shape[0] (= {1}), 'h' = {2} from specification 'h' for dimension args[0].shape[2] (= {2}), 'w' = {3} from specification 'w' for dimension args[0].shape[3] (= {3}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %11 = stablehlo.convert %2 : tensor<i32>
    %12 = stablehlo.add %11, %c_0 : tensor<i32>
    %13 = stablehlo.compare GE, %12, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %14 = stablehlo.convert %2 : tensor<i32>
    %15 = stablehlo.add %14, %c_0 : tensor<i32>
    stablehlo.custom_call @shape_assertion(%13, %15, %0, %1, %2) {api_version = 2 : i32, error_message = "Input shapes do not match the symbolic shape constraint w >= 8. Expected 'w - 8' to be greater or equal to 0, but found {0}.  Using the following polymorphic shapes specifications: args[0].shape = (b, 3, h, w). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[0].shape[0] (= {1}), 'h' = {2} from specification 'h' for dimension args[0].shape[2] (= {2}), 'w' = {3} from specification 'w' for dimension args[0].shape[3] (= {3}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %16 = call @_wrapped_jax_export_main(%0, %1, %2, %arg0, %arg1, %arg2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<?x3x?x?xf32>, tensor<3x3x3x3xf32>, tensor<3x3x3x3xf32>) -> tensor<?x3xf32>
    return %16 : tensor<?x3xf32>
  }
  func.func @reduce_window_float32_reducer(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.maximum %arg0, %arg1 : tensor<f32>
    return %0 : tensor<f32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "h"}, %arg2: tensor<i32> {jax.global_constant = "w"}, %arg3: tensor<?x3x?x?xf32>, %arg4: tensor<3x3x3x3xf32>, %arg5: tensor<3x3x3x3xf32>) -> (tensor<?x3xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<-3> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<3> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<1xi32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c_5 = stablehlo.constant dense<1> : tensor<i32>
    %c_6 = stablehlo.constant dense<-2> : tensor<i32>
    %c_7 = stablehlo.constant dense<2> : tensor<i32>
    %c_8 = stablehlo.constant dense<-1> : tensor<i32>
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.multiply %0, %c_8 : tensor<i32>
    %2:2 = call @divmod(%arg0, %arg1, %arg2, %1, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %3 = stablehlo.multiply %2#0, %c_6 : tensor<i32>
    %4 = stablehlo.convert %arg1 : tensor<i32>
    %5 = stablehlo.multiply %4, %c_8 : tensor<i32>
    %6 = stablehlo.add %3, %5 : tensor<i32>
    %7 = stablehlo.add %6, %c_5 : tensor<i32>
    %8:2 = call @divmod(%arg0, %arg1, %arg2, %7, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %9 = stablehlo.convert %arg1 : tensor<i32>
    %10 = stablehlo.multiply %9, %c_8 : tensor<i32>
    %11:2 = call @divmod(%arg0, %arg1, %arg2, %10, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %12 = stablehlo.multiply %11#0, %c_6 : tensor<i32>
    %13 = stablehlo.convert %arg1 : tensor<i32>
    %14 = stablehlo.multiply %13, %c_8 : tensor<i32>
    %15 = stablehlo.add %12, %14 : tensor<i32>
    %16 = stablehlo.add %15, %c_5 : tensor<i32>
    %17:2 = call @divmod(%arg0, %arg1, %arg2, %16, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %18 = stablehlo.multiply %17#0, %c_8 : tensor<i32>
    %19 = stablehlo.convert %arg1 : tensor<i32>
    %20 = stablehlo.multiply %19, %c_8 : tensor<i32>
    %21:2 = call @divmod(%arg0, %arg1, %arg2, %20, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %22 = stablehlo.multiply %21#0, %c_6 : tensor<i32>
    %23 = stablehlo.convert %arg1 : tensor<i32>
    %24 = stablehlo.multiply %23, %c_8 : tensor<i32>
    %25 = stablehlo.add %18, %22 : tensor<i32>
    %26 = stablehlo.add %25, %24 : tensor<i32>
    %27 = stablehlo.add %26, %c_5 : tensor<i32>
    %28 = stablehlo.reshape %8#0 : (tensor<i32>) -> tensor<1xi32>
    %29 = stablehlo.reshape %27 : (tensor<i32>) -> tensor<1xi32>
    %30 = stablehlo.concatenate %28, %29, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %31 = stablehlo.reshape %30 : (tensor<2xi32>) -> tensor<1x2xi32>
    %32 = stablehlo.convert %arg2 : tensor<i32>
    %33 = stablehlo.multiply %32, %c_8 : tensor<i32>
    %34:2 = call @divmod(%arg0, %arg1, %arg2, %33, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %35 = stablehlo.multiply %34#0, %c_6 : tensor<i32>
    %36 = stablehlo.convert %arg2 : tensor<i32>
    %37 = stablehlo.multiply %36, %c_8 : tensor<i32>
    %38 = stablehlo.add %35, %37 : tensor<i32>
    %39 = stablehlo.add %38, %c_5 : tensor<i32>
    %40:2 = call @divmod(%arg0, %arg1, %arg2, %39, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %41 = stablehlo.convert %arg2 : tensor<i32>
    %42 = stablehlo.multiply %41, %c_8 : tensor<i32>
    %43:2 = call @divmod(%arg0, %arg1, %arg2, %42, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %44 = stablehlo.multiply %43#0, %c_6 : tensor<i32>
    %45 = stablehlo.convert %arg2 : tensor<i32>
    %46 = stablehlo.multiply %45, %c_8 : tensor<i32>
    %47 = stablehlo.add %44, %46 : tensor<i32>
    %48 = stablehlo.add %47, %c_5 : tensor<i32>
    %49:2 = call @divmod(%arg0, %arg1, %arg2, %48, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %50 = stablehlo.multiply %49#0, %c_8 : tensor<i32>
    %51 = stablehlo.convert %arg2 : tensor<i32>
    %52 = stablehlo.multiply %51, %c_8 : tensor<i32>
    %53:2 = call @divmod(%arg0, %arg1, %arg2, %52, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %54 = stablehlo.multiply %53#0, %c_6 : tensor<i32>
    %55 = stablehlo.convert %arg2 : tensor<i32>
    %56 = stablehlo.multiply %55, %c_8 : tensor<i32>
    %57 = stablehlo.add %50, %54 : tensor<i32>
    %58 = stablehlo.add %57, %56 : tensor<i32>
    %59 = stablehlo.add %58, %c_5 : tensor<i32>
    %60 = stablehlo.reshape %40#0 : (tensor<i32>) -> tensor<1xi32>
    %61 = stablehlo.reshape %59 : (tensor<i32>) -> tensor<1xi32>
    %62 = stablehlo.concatenate %60, %61, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %63 = stablehlo.reshape %62 : (tensor<2xi32>) -> tensor<1x2xi32>
    %64 = stablehlo.concatenate %31, %63, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %65 = "stablehlo.dynamic_conv"(%arg3, %arg4, %64) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, feature_group_count = 1 : i64, window_strides = array<i64: 2, 2>}> : (tensor<?x3x?x?xf32>, tensor<3x3x3x3xf32>, tensor<2x2xi32>) -> tensor<?x3x?x?xf32>
    %66 = call @relu(%arg0, %arg1, %arg2, %65) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32>
    %67 = stablehlo.convolution(%66, %arg5) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x3x?x?xf32>, tensor<3x3x3x3xf32>) -> tensor<?x3x?x?xf32>
    %68 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<f32>
    %69 = stablehlo.concatenate %c_3, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %70 = stablehlo.reshape %69 : (tensor<2xi32>) -> tensor<1x2xi32>
    %71 = stablehlo.concatenate %c_3, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %72 = stablehlo.reshape %71 : (tensor<2xi32>) -> tensor<1x2xi32>
    %73 = stablehlo.convert %arg1 : tensor<i32>
    %74 = stablehlo.multiply %73, %c_8 : tensor<i32>
    %75:2 = call @divmod(%arg0, %arg1, %arg2, %74, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %76 = stablehlo.multiply %75#0, %c_6 : tensor<i32>
    %77 = stablehlo.convert %arg1 : tensor<i32>
    %78 = stablehlo.multiply %77, %c_8 : tensor<i32>
    %79 = stablehlo.add %76, %78 : tensor<i32>
    %80 = stablehlo.add %79, %c_5 : tensor<i32>
    %81:2 = call @divmod(%arg0, %arg1, %arg2, %80, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %82 = stablehlo.convert %arg1 : tensor<i32>
    %83 = stablehlo.multiply %82, %c_8 : tensor<i32>
    %84:2 = call @divmod(%arg0, %arg1, %arg2, %83, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %85 = stablehlo.multiply %84#0, %c_6 : tensor<i32>
    %86 = stablehlo.convert %arg1 : tensor<i32>
    %87 = stablehlo.multiply %86, %c_8 : tensor<i32>
    %88 = stablehlo.add %85, %87 : tensor<i32>
    %89 = stablehlo.add %88, %c_5 : tensor<i32>
    %90:2 = call @divmod(%arg0, %arg1, %arg2, %89, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %91 = stablehlo.multiply %90#0, %c_8 : tensor<i32>
    %92 = stablehlo.convert %arg1 : tensor<i32>
    %93 = stablehlo.multiply %92, %c_8 : tensor<i32>
    %94:2 = call @divmod(%arg0, %arg1, %arg2, %93, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %95 = stablehlo.multiply %94#0, %c_6 : tensor<i32>
    %96 = stablehlo.convert %arg1 : tensor<i32>
    %97 = stablehlo.multiply %96, %c_8 : tensor<i32>
    %98 = stablehlo.add %91, %95 : tensor<i32>
    %99 = stablehlo.add %98, %97 : tensor<i32>
    %100 = stablehlo.add %99, %c_5 : tensor<i32>
    %101 = stablehlo.reshape %81#0 : (tensor<i32>) -> tensor<1xi32>
    %102 = stablehlo.reshape %100 : (tensor<i32>) -> tensor<1xi32>
    %103 = stablehlo.concatenate %101, %102, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %104 = stablehlo.reshape %103 : (tensor<2xi32>) -> tensor<1x2xi32>
    %105 = stablehlo.convert %arg2 : tensor<i32>
    %106 = stablehlo.multiply %105, %c_8 : tensor<i32>
    %107:2 = call @divmod(%arg0, %arg1, %arg2, %106, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %108 = stablehlo.multiply %107#0, %c_6 : tensor<i32>
    %109 = stablehlo.convert %arg2 : tensor<i32>
    %110 = stablehlo.multiply %109, %c_8 : tensor<i32>
    %111 = stablehlo.add %108, %110 : tensor<i32>
    %112 = stablehlo.add %111, %c_5 : tensor<i32>
    %113:2 = call @divmod(%arg0, %arg1, %arg2, %112, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %114 = stablehlo.convert %arg2 : tensor<i32>
    %115 = stablehlo.multiply %114, %c_8 : tensor<i32>
    %116:2 = call @divmod(%arg0, %arg1, %arg2, %115, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %117 = stablehlo.multiply %116#0, %c_6 : tensor<i32>
    %118 = stablehlo.convert %arg2 : tensor<i32>
    %119 = stablehlo.multiply %118, %c_8 : tensor<i32>
    %120 = stablehlo.add %117, %119 : tensor<i32>
    %121 = stablehlo.add %120, %c_5 : tensor<i32>
    %122:2 = call @divmod(%arg0, %arg1, %arg2, %121, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %123 = stablehlo.multiply %122#0, %c_8 : tensor<i32>
    %124 = stablehlo.convert %arg2 : tensor<i32>
    %125 = stablehlo.multiply %124, %c_8 : tensor<i32>
    %126:2 = call @divmod(%arg0, %arg1, %arg2, %125, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %127 = stablehlo.multiply %126#0, %c_6 : tensor<i32>
    %128 = stablehlo.convert %arg2 : tensor<i32>
    %129 = stablehlo.multiply %128, %c_8 : tensor<i32>
    %130 = stablehlo.add %123, %127 : tensor<i32>
    %131 = stablehlo.add %130, %129 : tensor<i32>
    %132 = stablehlo.add %131, %c_5 : tensor<i32>
    %133 = stablehlo.reshape %113#0 : (tensor<i32>) -> tensor<1xi32>
    %134 = stablehlo.reshape %132 : (tensor<i32>) -> tensor<1xi32>
    %135 = stablehlo.concatenate %133, %134, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %136 = stablehlo.reshape %135 : (tensor<2xi32>) -> tensor<1x2xi32>
    %137 = stablehlo.concatenate %70, %72, %104, %136, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>, tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<4x2xi32>
    %138 = stablehlo.concatenate %c_2, %c_2, %c_1, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %139 = stablehlo.concatenate %c_2, %c_2, %c_0, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %140 = stablehlo.concatenate %c_2, %c_2, %c_2, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %141 = stablehlo.concatenate %c_2, %c_2, %c_2, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %142 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%arg3, %68, %138, %139, %140, %141, %137) {api_version = 2 : i32, called_computations = [@reduce_window_float32_reducer]} : (tensor<?x3x?x?xf32>, tensor<f32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4x2xi32>) -> tensor<?x3x?x?xf32>
    %143 = stablehlo.convert %arg2 : tensor<i32>
    %144 = stablehlo.multiply %143, %c_8 : tensor<i32>
    %145:2 = call @divmod(%arg0, %arg1, %arg2, %144, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %146 = stablehlo.multiply %145#0, %c_8 : tensor<i32>
    %147 = stablehlo.add %146, %c : tensor<i32>
    %148:2 = call @divmod(%arg0, %arg1, %arg2, %147, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %149 = stablehlo.convert %arg1 : tensor<i32>
    %150 = stablehlo.multiply %149, %c_8 : tensor<i32>
    %151:2 = call @divmod(%arg0, %arg1, %arg2, %150, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %152 = stablehlo.multiply %151#0, %c_8 : tensor<i32>
    %153 = stablehlo.add %152, %c : tensor<i32>
    %154:2 = call @divmod(%arg0, %arg1, %arg2, %153, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %155 = stablehlo.multiply %148#0, %154#0 : tensor<i32>
    %156 = stablehlo.convert %arg2 : tensor<i32>
    %157 = stablehlo.multiply %156, %c_8 : tensor<i32>
    %158:2 = call @divmod(%arg0, %arg1, %arg2, %157, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %159 = stablehlo.multiply %158#0, %c_8 : tensor<i32>
    %160 = stablehlo.add %159, %c : tensor<i32>
    %161:2 = call @divmod(%arg0, %arg1, %arg2, %160, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %162 = stablehlo.convert %arg1 : tensor<i32>
    %163 = stablehlo.multiply %162, %c_8 : tensor<i32>
    %164:2 = call @divmod(%arg0, %arg1, %arg2, %163, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %165 = stablehlo.multiply %164#0, %c_8 : tensor<i32>
    %166 = stablehlo.add %165, %c : tensor<i32>
    %167:2 = call @divmod(%arg0, %arg1, %arg2, %166, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %168 = stablehlo.add %155, %161#0 : tensor<i32>
    %169 = stablehlo.add %168, %167#0 : tensor<i32>
    %170 = stablehlo.add %169, %c_5 : tensor<i32>
    %171 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %172 = stablehlo.reshape %170 : (tensor<i32>) -> tensor<1xi32>
    %173 = stablehlo.concatenate %171, %c_1, %172, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %174 = stablehlo.dynamic_reshape %67, %173 : (tensor<?x3x?x?xf32>, tensor<3xi32>) -> tensor<?x3x?xf32>
    %175 = stablehlo.reduce(%174 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<?x3x?xf32>, tensor<f32>) -> tensor<?x3xf32>
    %176 = stablehlo.convert %arg2 : tensor<i32>
    %177 = stablehlo.multiply %176, %c_8 : tensor<i32>
    %178:2 = call @divmod(%arg0, %arg1, %arg2, %177, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %179 = stablehlo.convert %arg1 : tensor<i32>
    %180 = stablehlo.multiply %179, %c_8 : tensor<i32>
    %181:2 = call @divmod(%arg0, %arg1, %arg2, %180, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %182 = stablehlo.multiply %178#0, %181#0 : tensor<i32>
    %183 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %184 = stablehlo.reshape %182 : (tensor<i32>) -> tensor<1xi32>
    %185 = stablehlo.concatenate %183, %c_1, %184, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %186 = stablehlo.dynamic_reshape %142, %185 : (tensor<?x3x?x?xf32>, tensor<3xi32>) -> tensor<?x3x?xf32>
    %187 = stablehlo.convert %arg2 : tensor<i32>
    %188 = stablehlo.multiply %187, %c_8 : tensor<i32>
    %189:2 = call @divmod(%arg0, %arg1, %arg2, %188, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %190 = stablehlo.convert %arg1 : tensor<i32>
    %191 = stablehlo.multiply %190, %c_8 : tensor<i32>
    %192:2 = call @divmod(%arg0, %arg1, %arg2, %191, %c_7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %193 = stablehlo.multiply %189#0, %192#0 : tensor<i32>
    %194 = stablehlo.convert %193 : (tensor<i32>) -> tensor<f32>
    %195 = stablehlo.reduce(%186 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<?x3x?xf32>, tensor<f32>) -> tensor<?x3xf32>
    %196 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %197 = stablehlo.concatenate %196, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %198 = stablehlo.dynamic_broadcast_in_dim %194, %197, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x3xf32>
    %199 = stablehlo.divide %195, %198 : tensor<?x3xf32>
    %200 = stablehlo.add %175, %199 : tensor<?x3xf32>
    return %200 : tensor<?x3xf32>
  }
  func.func private @divmod(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "h"}, %arg2: tensor<i32> {jax.global_constant = "w"}, %arg3: tensor<i32>, %arg4: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %0 = call @floor_divide(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = call @remainder(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    return %0, %1 : tensor<i32>, tensor<i32>
  }
  func.func private @floor_divide(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "h"}, %arg2: tensor<i32> {jax.global_constant = "w"}, %arg3: tensor<i32>, %arg4: tensor<i32>) -> tensor<i32> {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.divide %arg3, %arg4 : tensor<i32>
    %1 = stablehlo.sign %arg3 : tensor<i32>
    %2 = stablehlo.sign %arg4 : tensor<i32>
    %3 = stablehlo.compare NE, %1, %2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.remainder %arg3, %arg4 : tensor<i32>
    %5 = stablehlo.compare NE, %4, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.and %3, %5 : tensor<i1>
    %7 = stablehlo.subtract %0, %c : tensor<i32>
    %8 = call @_where(%arg0, %arg1, %arg2, %6, %7, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    return %8 : tensor<i32>
  }
  func.func private @_where(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "h"}, %arg2: tensor<i32> {jax.global_constant = "w"}, %arg3: tensor<i1>, %arg4: tensor<i32>, %arg5: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg3, %arg4, %arg5 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @remainder(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "h"}, %arg2: tensor<i32> {jax.global_constant = "w"}, %arg3: tensor<i32>, %arg4: tensor<i32>) -> tensor<i32> {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare EQ, %arg4, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = call @_where(%arg0, %arg1, %arg2, %0, %c, %arg4) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = stablehlo.remainder %arg3, %1 : tensor<i32>
    %3 = stablehlo.compare NE, %2, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.compare LT, %2, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.compare LT, %1, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.compare NE, %4, %5, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %7 = stablehlo.and %6, %3 : tensor<i1>
    %8 = stablehlo.add %2, %1 : tensor<i32>
    %9 = stablehlo.select %7, %8, %2 : tensor<i1>, tensor<i32>
    return %9 : tensor<i32>
  }
  func.func private @relu(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "h"}, %arg2: tensor<i32> {jax.global_constant = "w"}, %arg3: tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32> {
    %c = stablehlo.constant dense<3> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %c_1 = stablehlo.constant dense<-1> : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.multiply %0, %c_1 : tensor<i32>
    %2:2 = call @divmod(%arg0, %arg1, %arg2, %1, %c_0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %3 = stablehlo.multiply %2#0, %c_1 : tensor<i32>
    %4 = stablehlo.convert %arg2 : tensor<i32>
    %5 = stablehlo.multiply %4, %c_1 : tensor<i32>
    %6:2 = call @divmod(%arg0, %arg1, %arg2, %5, %c_0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %7 = stablehlo.multiply %6#0, %c_1 : tensor<i32>
    %8 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.reshape %3 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.reshape %7 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.concatenate %8, %c, %9, %10, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %12 = stablehlo.dynamic_broadcast_in_dim %cst, %11, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x3x?x?xf32>
    %13 = stablehlo.maximum %arg3, %12 : tensor<?x3x?x?xf32>
    return %13 : tensor<?x3x?x?xf32>
  }
}
