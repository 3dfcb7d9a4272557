module @jit_interpolation attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x?x?xf32>, %arg1: tensor<?x?x?xf32>) -> (tensor<?x?xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<2> : tensor<i32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x?x?xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x?x?xf32>) -> tensor<i32>
    %2 = stablehlo.get_dimension_size %arg0, dim = 2 : (tensor<?x?x?xf32>) -> tensor<i32>
    %3 = stablehlo.get_dimension_size %arg1, dim = 0 : (tensor<?x?x?xf32>) -> tensor<i32>
    %4 = stablehlo.get_dimension_size %arg1, dim = 1 : (tensor<?x?x?xf32>) -> tensor<i32>
    %5 = stablehlo.get_dimension_size %arg1, dim = 2 : (tensor<?x?x?xf32>) -> tensor<i32>
    %6 = stablehlo.compare GE, %0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%6, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[0].shape = (b, h, w),args[1].shape = (b, 2*h, w). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %7 = stablehlo.compare GE, %1, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%7, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'h'. Using the following polymorphic shapes specifications: args[0].shape = (b, h, w),args[1].shape = (b, 2*h, w). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), 'h' = {1} from specification 'h' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %8 = stablehlo.compare GE, %2, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%8, %0, %1, %2) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'w'. Using the following polymorphic shapes specifications: args[0].shape = (b, h, w),args[1].shape = (b, 2*h, w). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), 'h' = {1} from specification 'h' for dimension args[0].shape[1] (= {1}), 'w' = {2} from specification 'w' for dimension args[0].shape[2] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %9 = stablehlo.compare EQ, %3, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%9, %3, %0, %1, %2) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[1].shape[0] (= {0}) and the specification 'b' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (b, h, w),args[1].shape = (b, 2*h, w). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[0].shape[0] (= {1}), 'h' = {2} from specification 'h' for dimension args[0].shape[1] (= {2}), 'w' = {3} from specification 'w' for dimension args[0].shape[2] (= {3}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %10 = stablehlo.convert %1 : tensor<i32>
    %11 = stablehlo.multiply %10, %c : tensor<i32>
    %12 = stablehlo.compare EQ, %4, %11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %13 = stablehlo.convert %1 : tensor<i32>
    %14 = stablehlo.multiply %13, %c : tensor<i32>
    stablehlo.custom_call @shape_assertion(%12, %4, %14, %0, %1, %2) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[1].shape[1] (= {0}) and the specification '2*h' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (b, h, w),args[1].shape = (b, 2*h, w). Obtained dimension variables: 'b' = {2} from specification 'b' for dimension args[0].shape[0] (= {2}), 'h' = {3} from specification 'h' for dimension args[0].shape[1] (= {3}), 'w' = {4} from specification 'w' for dimension args[0].shape[2] (= {4}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %15 = stablehlo.compare EQ, %5, %2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%15, %5, %2, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[1].shape[2] (= {0}) and the specification 'w' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (b, h, w),args[1].shape = (b, 2*h, w). Obtained dimension variables: 'b' = {2} from specification 'b' for dimension args[0].shape[0] (= {2}), 'h' = {3} from specification 'h' for dimension args[0].shape[1] (= {3}), 'w' = {1} from specification 'w' for dimension args[0].shape[2] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %16 = call @_wrapped_jax_export_main(%0, %1, %2, %arg0, %arg1) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?xf32>
    return %16 : tensor<?x?xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "h"}, %arg2: tensor<i32> {jax.global_constant = "w"}, %arg3: tensor<?x?x?xf32>, %arg4: tensor<?x?x?xf32>) -> (tensor<?x?xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<2> : tensor<i32>
    %0 = call @_resize(%arg0, %arg1, %arg2, %arg3) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %1 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
    %3 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %c_2, %3, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %5 = stablehlo.multiply %4, %2 : tensor<?xi32>
    %6 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.dynamic_broadcast_in_dim %c_1, %6, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %8 = stablehlo.add %7, %5 : tensor<?xi32>
    %9 = stablehlo.reshape %arg2 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.dynamic_iota %9, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
    %11 = stablehlo.reshape %arg2 : (tensor<i32>) -> tensor<1xi32>
    %12 = stablehlo.dynamic_broadcast_in_dim %c_2, %11, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %13 = stablehlo.multiply %12, %10 : tensor<?xi32>
    %14 = stablehlo.reshape %arg2 : (tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.dynamic_broadcast_in_dim %c_1, %14, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %16 = stablehlo.add %15, %13 : tensor<?xi32>
    %17 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %18 = stablehlo.reshape %arg2 : (tensor<i32>) -> tensor<1xi32>
    %19 = stablehlo.concatenate %17, %18, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %20 = stablehlo.dynamic_broadcast_in_dim %8, %19, dims = [0] : (tensor<?xi32>, tensor<3xi32>) -> tensor<?x?x1xi32>
    %21 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %22 = stablehlo.reshape %arg2 : (tensor<i32>) -> tensor<1xi32>
    %23 = stablehlo.concatenate %21, %22, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %24 = stablehlo.dynamic_broadcast_in_dim %16, %23, dims = [1] : (tensor<?xi32>, tensor<3xi32>) -> tensor<?x?x1xi32>
    %25 = stablehlo.concatenate %20, %24, dim = 2 : (tensor<?x?x1xi32>, tensor<?x?x1xi32>) -> tensor<?x?x2xi32>
    %26 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %27 = stablehlo.concatenate %26, %c, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %28 = "stablehlo.dynamic_gather"(%0, %25, %27) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = true}> : (tensor<?x?x?xf32>, tensor<?x?x2xi32>, tensor<3xi32>) -> tensor<?x?x?xf32>
    %29 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %30 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %31 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %32 = stablehlo.reshape %arg2 : (tensor<i32>) -> tensor<1xi32>
    %33 = stablehlo.concatenate %30, %31, %32, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %34 = "stablehlo.dynamic_gather"(%arg4, %29, %33) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1]>, indices_are_sorted = true}> : (tensor<?x?x?xf32>, tensor<1xi32>, tensor<3xi32>) -> tensor<?x?x?xf32>
    %35 = stablehlo.concatenate %28, %34, dim = 0 : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %36 = stablehlo.convert %arg0 : tensor<i32>
    %37 = stablehlo.multiply %36, %c_2 : tensor<i32>
    %38 = stablehlo.multiply %arg2, %arg1 : tensor<i32>
    %39 = stablehlo.reshape %37 : (tensor<i32>) -> tensor<1xi32>
    %40 = stablehlo.reshape %38 : (tensor<i32>) -> tensor<1xi32>
    %41 = stablehlo.concatenate %39, %40, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %42 = stablehlo.dynamic_reshape %35, %41 : (tensor<?x?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    %43 = stablehlo.multiply %arg2, %arg1 : tensor<i32>
    %44 = stablehlo.reshape %43 : (tensor<i32>) -> tensor<1xi32>
    %45 = stablehlo.dynamic_iota %44, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
    %46 = stablehlo.multiply %arg2, %arg1 : tensor<i32>
    %47 = stablehlo.reshape %46 : (tensor<i32>) -> tensor<1xi32>
    %48 = stablehlo.dynamic_broadcast_in_dim %c_0, %47, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %49 = stablehlo.multiply %48, %45 : tensor<?xi32>
    %50 = stablehlo.multiply %arg2, %arg1 : tensor<i32>
    %51 = stablehlo.reshape %50 : (tensor<i32>) -> tensor<1xi32>
    %52 = stablehlo.dynamic_broadcast_in_dim %c_1, %51, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %53 = stablehlo.add %52, %49 : tensor<?xi32>
    %54 = call @floor_divide(%arg0, %arg1, %arg2, %53, %arg2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
    %55 = stablehlo.convert %54 : (tensor<?xi32>) -> tensor<?xf32>
    %56 = stablehlo.multiply %arg2, %arg1 : tensor<i32>
    %57 = stablehlo.reshape %56 : (tensor<i32>) -> tensor<1xi32>
    %58 = stablehlo.concatenate %c, %57, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %59 = stablehlo.dynamic_broadcast_in_dim %55, %58, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<1x?xf32>
    %60 = stablehlo.convert %arg0 : tensor<i32>
    %61 = stablehlo.multiply %60, %c_2 : tensor<i32>
    %62 = stablehlo.multiply %arg2, %arg1 : tensor<i32>
    %63 = stablehlo.reshape %61 : (tensor<i32>) -> tensor<1xi32>
    %64 = stablehlo.reshape %62 : (tensor<i32>) -> tensor<1xi32>
    %65 = stablehlo.concatenate %63, %64, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %66 = stablehlo.dynamic_broadcast_in_dim %59, %65, dims = [0, 1] : (tensor<1x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    %67 = stablehlo.add %42, %66 : tensor<?x?xf32>
    return %67 : tensor<?x?xf32>
  }
  func.func private @_resize(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "h"}, %arg2: tensor<i32> {jax.global_constant = "w"}, %arg3: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c_3 = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.multiply %0, %c_3 : tensor<i32>
    %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.dynamic_iota %2, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    %4 = stablehlo.convert %arg1 : tensor<i32>
    %5 = stablehlo.multiply %4, %c_3 : tensor<i32>
    %6 = stablehlo.reshape %5 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.dynamic_broadcast_in_dim %cst_2, %6, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %8 = stablehlo.multiply %7, %3 : tensor<?xf32>
    %9 = stablehlo.convert %arg1 : tensor<i32>
    %10 = stablehlo.multiply %9, %c_3 : tensor<i32>
    %11 = stablehlo.reshape %10 : (tensor<i32>) -> tensor<1xi32>
    %12 = stablehlo.dynamic_broadcast_in_dim %cst_1, %11, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %13 = stablehlo.add %12, %8 : tensor<?xf32>
    %14 = stablehlo.convert %arg1 : tensor<i32>
    %15 = stablehlo.multiply %14, %c_3 : tensor<i32>
    %16 = stablehlo.reshape %15 : (tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.dynamic_broadcast_in_dim %cst, %16, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %18 = stablehlo.add %13, %17 : tensor<?xf32>
    %19 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %20 = stablehlo.convert %arg1 : tensor<i32>
    %21 = stablehlo.multiply %20, %c_3 : tensor<i32>
    %22 = stablehlo.reshape %21 : (tensor<i32>) -> tensor<1xi32>
    %23 = stablehlo.dynamic_broadcast_in_dim %19, %22, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %24 = stablehlo.multiply %18, %23 : tensor<?xf32>
    %25 = stablehlo.convert %arg1 : tensor<i32>
    %26 = stablehlo.multiply %25, %c_3 : tensor<i32>
    %27 = stablehlo.convert %26 : (tensor<i32>) -> tensor<f32>
    %28 = stablehlo.convert %arg1 : tensor<i32>
    %29 = stablehlo.multiply %28, %c_3 : tensor<i32>
    %30 = stablehlo.reshape %29 : (tensor<i32>) -> tensor<1xi32>
    %31 = stablehlo.dynamic_broadcast_in_dim %27, %30, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %32 = stablehlo.divide %24, %31 : tensor<?xf32>
    %33 = stablehlo.floor %32 : tensor<?xf32>
    %34 = stablehlo.convert %33 : (tensor<?xf32>) -> tensor<?xi32>
    %35 = stablehlo.convert %arg1 : tensor<i32>
    %36 = stablehlo.convert %arg1 : tensor<i32>
    %37 = stablehlo.multiply %36, %c_3 : tensor<i32>
    %38 = stablehlo.reshape %37 : (tensor<i32>) -> tensor<1xi32>
    %39 = stablehlo.dynamic_broadcast_in_dim %c_0, %38, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %40 = stablehlo.compare LT, %34, %39, SIGNED : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
    %41 = stablehlo.convert %arg1 : tensor<i32>
    %42 = stablehlo.multiply %41, %c_3 : tensor<i32>
    %43 = stablehlo.reshape %42 : (tensor<i32>) -> tensor<1xi32>
    %44 = stablehlo.dynamic_broadcast_in_dim %35, %43, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %45 = stablehlo.add %34, %44 : tensor<?xi32>
    %46 = stablehlo.select %40, %45, %34 : tensor<?xi1>, tensor<?xi32>
    %47 = stablehlo.convert %arg1 : tensor<i32>
    %48 = stablehlo.multiply %47, %c_3 : tensor<i32>
    %49 = stablehlo.reshape %48 : (tensor<i32>) -> tensor<1xi32>
    %50 = stablehlo.concatenate %49, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %51 = stablehlo.dynamic_broadcast_in_dim %46, %50, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %52 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %53 = stablehlo.reshape %arg2 : (tensor<i32>) -> tensor<1xi32>
    %54 = stablehlo.concatenate %52, %c, %53, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %55 = "stablehlo.dynamic_gather"(%arg3, %51, %54) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>}> : (tensor<?x?x?xf32>, tensor<?x1xi32>, tensor<3xi32>) -> tensor<?x?x?xf32>
    %56 = stablehlo.convert %arg2 : tensor<i32>
    %57 = stablehlo.multiply %56, %c_3 : tensor<i32>
    %58 = stablehlo.reshape %57 : (tensor<i32>) -> tensor<1xi32>
    %59 = stablehlo.dynamic_iota %58, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    %60 = stablehlo.convert %arg2 : tensor<i32>
    %61 = stablehlo.multiply %60, %c_3 : tensor<i32>
    %62 = stablehlo.reshape %61 : (tensor<i32>) -> tensor<1xi32>
    %63 = stablehlo.dynamic_broadcast_in_dim %cst_2, %62, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %64 = stablehlo.multiply %63, %59 : tensor<?xf32>
    %65 = stablehlo.convert %arg2 : tensor<i32>
    %66 = stablehlo.multiply %65, %c_3 : tensor<i32>
    %67 = stablehlo.reshape %66 : (tensor<i32>) -> tensor<1xi32>
    %68 = stablehlo.dynamic_broadcast_in_dim %cst_1, %67, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %69 = stablehlo.add %68, %64 : tensor<?xf32>
    %70 = stablehlo.convert %arg2 : tensor<i32>
    %71 = stablehlo.multiply %70, %c_3 : tensor<i32>
    %72 = stablehlo.reshape %71 : (tensor<i32>) -> tensor<1xi32>
    %73 = stablehlo.dynamic_broadcast_in_dim %cst, %72, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %74 = stablehlo.add %69, %73 : tensor<?xf32>
    %75 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %76 = stablehlo.convert %arg2 : tensor<i32>
    %77 = stablehlo.multiply %76, %c_3 : tensor<i32>
    %78 = stablehlo.reshape %77 : (tensor<i32>) -> tensor<1xi32>
    %79 = stablehlo.dynamic_broadcast_in_dim %75, %78, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %80 = stablehlo.multiply %74, %79 : tensor<?xf32>
    %81 = stablehlo.convert %arg2 : tensor<i32>
    %82 = stablehlo.multiply %81, %c_3 : tensor<i32>
    %83 = stablehlo.convert %82 : (tensor<i32>) -> tensor<f32>
    %84 = stablehlo.convert %arg2 : tensor<i32>
    %85 = stablehlo.multiply %84, %c_3 : tensor<i32>
    %86 = stablehlo.reshape %85 : (tensor<i32>) -> tensor<1xi32>
    %87 = stablehlo.dynamic_broadcast_in_dim %83, %86, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %88 = stablehlo.divide %80, %87 : tensor<?xf32>
    %89 = stablehlo.floor %88 : tensor<?xf32>
    %90 = stablehlo.convert %89 : (tensor<?xf32>) -> tensor<?xi32>
    %91 = stablehlo.convert %arg2 : tensor<i32>
    %92 = stablehlo.convert %arg2 : tensor<i32>
    %93 = stablehlo.multiply %92, %c_3 : tensor<i32>
    %94 = stablehlo.reshape %93 : (tensor<i32>) -> tensor<1xi32>
    %95 = stablehlo.dynamic_broadcast_in_dim %c_0, %94, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %96 = stablehlo.compare LT, %90, %95, SIGNED : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
    %97 = stablehlo.convert %arg2 : tensor<i32>
    %98 = stablehlo.multiply %97, %c_3 : tensor<i32>
    %99 = stablehlo.reshape %98 : (tensor<i32>) -> tensor<1xi32>
    %100 = stablehlo.dynamic_broadcast_in_dim %91, %99, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %101 = stablehlo.add %90, %100 : tensor<?xi32>
    %102 = stablehlo.select %96, %101, %90 : tensor<?xi1>, tensor<?xi32>
    %103 = stablehlo.convert %arg2 : tensor<i32>
    %104 = stablehlo.multiply %103, %c_3 : tensor<i32>
    %105 = stablehlo.reshape %104 : (tensor<i32>) -> tensor<1xi32>
    %106 = stablehlo.concatenate %105, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %107 = stablehlo.dynamic_broadcast_in_dim %102, %106, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %108 = stablehlo.convert %arg1 : tensor<i32>
    %109 = stablehlo.multiply %108, %c_3 : tensor<i32>
    %110 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %111 = stablehlo.reshape %109 : (tensor<i32>) -> tensor<1xi32>
    %112 = stablehlo.concatenate %110, %111, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %113 = "stablehlo.dynamic_gather"(%55, %107, %112) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2], start_index_map = [2], index_vector_dim = 1>}> : (tensor<?x?x?xf32>, tensor<?x1xi32>, tensor<3xi32>) -> tensor<?x?x?xf32>
    return %113 : tensor<?x?x?xf32>
  }
  func.func private @floor_divide(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "h"}, %arg2: tensor<i32> {jax.global_constant = "w"}, %arg3: tensor<?xi32>, %arg4: tensor<i32>) -> tensor<?xi32> {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.convert %arg4 : tensor<i32>
    %1 = stablehlo.multiply %arg2, %arg1 : tensor<i32>
    %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %0, %2, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %4 = stablehlo.divide %arg3, %3 : tensor<?xi32>
    %5 = stablehlo.sign %arg3 : tensor<?xi32>
    %6 = stablehlo.sign %0 : tensor<i32>
    %7 = stablehlo.multiply %arg2, %arg1 : tensor<i32>
    %8 = stablehlo.reshape %7 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.dynamic_broadcast_in_dim %6, %8, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %10 = stablehlo.compare NE, %5, %9, SIGNED : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
    %11 = stablehlo.multiply %arg2, %arg1 : tensor<i32>
    %12 = stablehlo.reshape %11 : (tensor<i32>) -> tensor<1xi32>
    %13 = stablehlo.dynamic_broadcast_in_dim %0, %12, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %14 = stablehlo.remainder %arg3, %13 : tensor<?xi32>
    %15 = stablehlo.multiply %arg2, %arg1 : tensor<i32>
    %16 = stablehlo.reshape %15 : (tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.dynamic_broadcast_in_dim %c_0, %16, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %18 = stablehlo.compare NE, %14, %17, SIGNED : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
    %19 = stablehlo.and %10, %18 : tensor<?xi1>
    %20 = stablehlo.multiply %arg2, %arg1 : tensor<i32>
    %21 = stablehlo.reshape %20 : (tensor<i32>) -> tensor<1xi32>
    %22 = stablehlo.dynamic_broadcast_in_dim %c, %21, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %23 = stablehlo.subtract %4, %22 : tensor<?xi32>
    %24 = call @_where(%arg0, %arg1, %arg2, %19, %23, %4) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<?xi1>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
    return %24 : tensor<?xi32>
  }
  func.func private @_where(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "h"}, %arg2: tensor<i32> {jax.global_constant = "w"}, %arg3: tensor<?xi1>, %arg4: tensor<?xi32>, %arg5: tensor<?xi32>) -> tensor<?xi32> {
    %0 = stablehlo.select %arg3, %arg4, %arg5 : tensor<?xi1>, tensor<?xi32>
    return %0 : tensor<?xi32>
  }
}
