module @jit_patches attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x?x?xf32>) -> (tensor<?x?x?xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x?x?xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x?x?xf32>) -> tensor<i32>
    %2 = stablehlo.get_dimension_size %arg0, dim = 2 : (tensor<?x?x?xf32>) -> tensor<i32>
    %3 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[0].shape = (b, h, w). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %4 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%4, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'h'. Using the following polymorphic shapes specifications: args[0].shape = (b, h, w). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), 'h' = {1} from specification 'h' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %5 = stablehlo.compare GE, %2, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%5, %0, %1, %2) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'w'. Using the following polymorphic shapes specifications: args[0].shape = (b, h, w). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), 'h' = {1} from specification 'h' for dimension args[0].shape[1] (= {1}), 'w' = {2} from specification 'w' for dimension args[0].shape[2] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %6 = call @_wrapped_jax_export_main(%0, %1, %2, %arg0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    return %6 : tensor<?x?x?xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "h"}, %arg2: tensor<i32> {jax.global_constant = "w"}, %arg3: tensor<?x?x?xf32>) -> (tensor<?x?x?xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<16> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<4> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<-1> : tensor<i32>
    %c_2 = stablehlo.constant dense<4> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_pad(%arg0, %arg1, %arg2, %arg3, %c_3) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<?x?x?xf32>, tensor<i32>) -> tensor<?x?x?xf32>
    %1:2 = call @divmod(%arg0, %arg1, %arg2, %arg1, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %2 = stablehlo.multiply %1#1, %c_1 : tensor<i32>
    %3 = stablehlo.add %2, %c_2 : tensor<i32>
    %4:2 = call @divmod_0(%arg0, %arg1, %arg2, %3, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %5 = stablehlo.convert %arg1 : tensor<i32>
    %6 = stablehlo.add %4#1, %5 : tensor<i32>
    %7:2 = call @divmod_0(%arg0, %arg1, %arg2, %6, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %8:2 = call @divmod(%arg0, %arg1, %arg2, %arg2, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %9 = stablehlo.multiply %8#1, %c_1 : tensor<i32>
    %10 = stablehlo.add %9, %c_2 : tensor<i32>
    %11:2 = call @divmod_0(%arg0, %arg1, %arg2, %10, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %12 = stablehlo.convert %arg2 : tensor<i32>
    %13 = stablehlo.add %11#1, %12 : tensor<i32>
    %14:2 = call @divmod_0(%arg0, %arg1, %arg2, %13, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %15 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %16 = stablehlo.reshape %7#0 : (tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.reshape %14#0 : (tensor<i32>) -> tensor<1xi32>
    %18 = stablehlo.concatenate %15, %16, %c_0, %17, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %19 = stablehlo.dynamic_reshape %0, %18 : (tensor<?x?x?xf32>, tensor<5xi32>) -> tensor<?x?x4x?x4xf32>
    %20 = stablehlo.transpose %19, dims = [0, 1, 3, 2, 4] : (tensor<?x?x4x?x4xf32>) -> tensor<?x?x?x4x4xf32>
    %21:2 = call @divmod(%arg0, %arg1, %arg2, %arg2, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %22 = stablehlo.multiply %21#1, %c_1 : tensor<i32>
    %23 = stablehlo.add %22, %c_2 : tensor<i32>
    %24:2 = call @divmod_0(%arg0, %arg1, %arg2, %23, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %25 = stablehlo.convert %arg2 : tensor<i32>
    %26 = stablehlo.add %24#1, %25 : tensor<i32>
    %27:2 = call @divmod_0(%arg0, %arg1, %arg2, %26, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %28:2 = call @divmod(%arg0, %arg1, %arg2, %arg1, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %29 = stablehlo.multiply %28#1, %c_1 : tensor<i32>
    %30 = stablehlo.add %29, %c_2 : tensor<i32>
    %31:2 = call @divmod_0(%arg0, %arg1, %arg2, %30, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %32 = stablehlo.convert %arg1 : tensor<i32>
    %33 = stablehlo.add %31#1, %32 : tensor<i32>
    %34:2 = call @divmod_0(%arg0, %arg1, %arg2, %33, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %35 = stablehlo.multiply %27#0, %34#0 : tensor<i32>
    %36 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %37 = stablehlo.reshape %35 : (tensor<i32>) -> tensor<1xi32>
    %38 = stablehlo.concatenate %36, %37, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %39 = stablehlo.dynamic_reshape %20, %38 : (tensor<?x?x?x4x4xf32>, tensor<3xi32>) -> tensor<?x?x16xf32>
    %40 = stablehlo.tanh %39 : tensor<?x?x16xf32>
    %41:2 = call @divmod(%arg0, %arg1, %arg2, %arg1, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %42 = stablehlo.multiply %41#1, %c_1 : tensor<i32>
    %43 = stablehlo.add %42, %c_2 : tensor<i32>
    %44:2 = call @divmod_0(%arg0, %arg1, %arg2, %43, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %45 = stablehlo.convert %arg1 : tensor<i32>
    %46 = stablehlo.add %44#1, %45 : tensor<i32>
    %47:2 = call @divmod_0(%arg0, %arg1, %arg2, %46, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %48:2 = call @divmod(%arg0, %arg1, %arg2, %arg2, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %49 = stablehlo.multiply %48#1, %c_1 : tensor<i32>
    %50 = stablehlo.add %49, %c_2 : tensor<i32>
    %51:2 = call @divmod_0(%arg0, %arg1, %arg2, %50, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %52 = stablehlo.convert %arg2 : tensor<i32>
    %53 = stablehlo.add %51#1, %52 : tensor<i32>
    %54:2 = call @divmod_0(%arg0, %arg1, %arg2, %53, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %55 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %56 = stablehlo.reshape %47#0 : (tensor<i32>) -> tensor<1xi32>
    %57 = stablehlo.reshape %54#0 : (tensor<i32>) -> tensor<1xi32>
    %58 = stablehlo.concatenate %55, %56, %57, %c_0, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %59 = stablehlo.dynamic_reshape %40, %58 : (tensor<?x?x16xf32>, tensor<5xi32>) -> tensor<?x?x?x4x4xf32>
    %60 = stablehlo.transpose %59, dims = [0, 1, 3, 2, 4] : (tensor<?x?x?x4x4xf32>) -> tensor<?x?x4x?x4xf32>
    %61:2 = call @divmod(%arg0, %arg1, %arg2, %arg1, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %62 = stablehlo.multiply %61#1, %c_1 : tensor<i32>
    %63 = stablehlo.add %62, %c_2 : tensor<i32>
    %64:2 = call @divmod_0(%arg0, %arg1, %arg2, %63, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %65 = stablehlo.convert %arg1 : tensor<i32>
    %66 = stablehlo.add %64#1, %65 : tensor<i32>
    %67:2 = call @divmod(%arg0, %arg1, %arg2, %arg2, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %68 = stablehlo.multiply %67#1, %c_1 : tensor<i32>
    %69 = stablehlo.add %68, %c_2 : tensor<i32>
    %70:2 = call @divmod_0(%arg0, %arg1, %arg2, %69, %c_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %71 = stablehlo.convert %arg2 : tensor<i32>
    %72 = stablehlo.add %70#1, %71 : tensor<i32>
    %73 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %74 = stablehlo.reshape %66 : (tensor<i32>) -> tensor<1xi32>
    %75 = stablehlo.reshape %72 : (tensor<i32>) -> tensor<1xi32>
    %76 = stablehlo.concatenate %73, %74, %75, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %77 = stablehlo.dynamic_reshape %60, %76 : (tensor<?x?x4x?x4xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
    %78 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %79 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %80 = stablehlo.concatenate %78, %79, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %81 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %82 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %83 = stablehlo.reshape %arg2 : (tensor<i32>) -> tensor<1xi32>
    %84 = stablehlo.concatenate %81, %82, %83, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %85 = "stablehlo.dynamic_gather"(%77, %80, %84) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1, 2]>, indices_are_sorted = true}> : (tensor<?x?x?xf32>, tensor<2xi32>, tensor<3xi32>) -> tensor<?x?x?xf32>
    return %85 : tensor<?x?x?xf32>
  }
  func.func private @_pad(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "h"}, %arg2: tensor<i32> {jax.global_constant = "w"}, %arg3: tensor<?x?x?xf32>, %arg4: tensor<i32>) -> tensor<?x?x?xf32> {
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<1xi32>
    %0 = stablehlo.convert %arg4 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.concatenate %c_1, %c_1, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2:2 = call @divmod(%arg0, %arg1, %arg2, %arg1, %c_0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %3 = stablehlo.multiply %2#1, %c : tensor<i32>
    %4 = stablehlo.add %3, %c_0 : tensor<i32>
    %5:2 = call @divmod_0(%arg0, %arg1, %arg2, %4, %c_0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %6:2 = call @divmod(%arg0, %arg1, %arg2, %arg2, %c_0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %7 = stablehlo.multiply %6#1, %c : tensor<i32>
    %8 = stablehlo.add %7, %c_0 : tensor<i32>
    %9:2 = call @divmod_0(%arg0, %arg1, %arg2, %8, %c_0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %10 = stablehlo.reshape %5#1 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.reshape %9#1 : (tensor<i32>) -> tensor<1xi32>
    %12 = stablehlo.concatenate %c_1, %10, %11, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %13 = stablehlo.concatenate %c_1, %c_1, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %14 = stablehlo.dynamic_pad %arg3, %0, %1, %12, %13 : (tensor<?x?x?xf32>, tensor<f32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x?xf32>
    return %14 : tensor<?x?x?xf32>
  }
  func.func private @divmod(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "h"}, %arg2: tensor<i32> {jax.global_constant = "w"}, %arg3: tensor<i32>, %arg4: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %0 = stablehlo.convert %arg3 : tensor<i32>
    %1 = call @floor_divide(%arg0, %arg1, %arg2, %0, %arg4) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = call @remainder(%arg0, %arg1, %arg2, %0, %arg4) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    return %1, %2 : tensor<i32>, tensor<i32>
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
  func.func private @divmod_0(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "h"}, %arg2: tensor<i32> {jax.global_constant = "w"}, %arg3: tensor<i32>, %arg4: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %0 = call @floor_divide(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = call @remainder(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    return %0, %1 : tensor<i32>, tensor<i32>
  }
}
