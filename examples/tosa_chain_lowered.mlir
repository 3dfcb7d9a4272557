// tosa_chain.mlir after func.func(tosa-to-linalg,tosa-to-arith): exporters/tosa_chain.py
#map = affine_map<(d0) -> (0)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
module {
  func.func @gate(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>, %arg2: tensor<4xf32>) -> tensor<4xf32> {
    %cst = arith.constant dense<0> : tensor<1xi8>
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
    %dim_0 = tensor.dim %arg1, %c0 : tensor<?xf32>
    %0 = arith.maxui %dim, %dim_0 : index
    %c1 = arith.constant 1 : index
    %dim_1 = tensor.dim %arg0, %c0 : tensor<?xf32>
    %1 = arith.cmpi eq, %dim_1, %c1 : index
    %2 = scf.if %1 -> (tensor<?xf32>) {
      %13 = tensor.empty(%0) : tensor<?xf32>
      %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%arg0 : tensor<?xf32>) outs(%13 : tensor<?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?xf32>
      scf.yield %14 : tensor<?xf32>
    } else {
      scf.yield %arg0 : tensor<?xf32>
    }
    %dim_2 = tensor.dim %arg1, %c0 : tensor<?xf32>
    %3 = arith.cmpi eq, %dim_2, %c1 : index
    %4 = scf.if %3 -> (tensor<?xf32>) {
      %13 = tensor.empty(%0) : tensor<?xf32>
      %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%arg1 : tensor<?xf32>) outs(%13 : tensor<?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?xf32>
      scf.yield %14 : tensor<?xf32>
    } else {
      scf.yield %arg1 : tensor<?xf32>
    }
    %5 = tensor.empty(%0) : tensor<?xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%2, %4 : tensor<?xf32>, tensor<?xf32>) outs(%5 : tensor<?xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %13 = arith.mulf %in, %in_6 : f32
      linalg.yield %13 : f32
    } -> tensor<?xf32>
    %c1_3 = arith.constant 1 : index
    %c0_4 = arith.constant 0 : index
    %dim_5 = tensor.dim %6, %c0_4 : tensor<?xf32>
    %7 = arith.cmpi eq, %dim_5, %c1_3 : index
    %8 = scf.if %7 -> (tensor<?xf32>) {
      %13 = tensor.empty() : tensor<4xf32>
      %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%6 : tensor<?xf32>) outs(%13 : tensor<4xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<4xf32>
      %cast = tensor.cast %14 : tensor<4xf32> to tensor<?xf32>
      scf.yield %cast : tensor<?xf32>
    } else {
      scf.yield %6 : tensor<?xf32>
    }
    %9 = tensor.empty() : tensor<4xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%8, %arg2 : tensor<?xf32>, tensor<4xf32>) outs(%9 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %13 = arith.addf %in, %in_6 : f32
      linalg.yield %13 : f32
    } -> tensor<4xf32>
    %11 = tensor.empty() : tensor<4xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%10, %arg2 : tensor<4xf32>, tensor<4xf32>) outs(%11 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %13 = arith.maximumf %in, %in_6 : f32
      linalg.yield %13 : f32
    } -> tensor<4xf32>
    return %12 : tensor<4xf32>
  }
  func.func @blend(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x1xi1>) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
    %dim_0 = tensor.dim %arg1, %c0 : tensor<?x?xf32>
    %0 = arith.maxui %dim, %dim_0 : index
    %c1 = arith.constant 1 : index
    %dim_1 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
    %dim_2 = tensor.dim %arg1, %c1 : tensor<?x?xf32>
    %1 = arith.maxui %dim_1, %dim_2 : index
    %dim_3 = tensor.dim %arg0, %c0 : tensor<?x?xf32>
    %2 = arith.cmpi eq, %dim_3, %c1 : index
    %3 = scf.if %2 -> (tensor<?x?xf32>) {
      %c1_33 = arith.constant 1 : index
      %dim_34 = tensor.dim %arg0, %c1_33 : tensor<?x?xf32>
      %41 = tensor.empty(%0, %dim_34) : tensor<?x?xf32>
      %42 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<?x?xf32>) outs(%41 : tensor<?x?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?x?xf32>
      scf.yield %42 : tensor<?x?xf32>
    } else {
      scf.yield %arg0 : tensor<?x?xf32>
    }
    %dim_4 = tensor.dim %3, %c1 : tensor<?x?xf32>
    %4 = arith.cmpi eq, %dim_4, %c1 : index
    %5 = scf.if %4 -> (tensor<?x?xf32>) {
      %c0_33 = arith.constant 0 : index
      %dim_34 = tensor.dim %3, %c0_33 : tensor<?x?xf32>
      %41 = tensor.empty(%dim_34, %1) : tensor<?x?xf32>
      %42 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<?x?xf32>) outs(%41 : tensor<?x?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?x?xf32>
      scf.yield %42 : tensor<?x?xf32>
    } else {
      scf.yield %3 : tensor<?x?xf32>
    }
    %dim_5 = tensor.dim %arg1, %c0 : tensor<?x?xf32>
    %6 = arith.cmpi eq, %dim_5, %c1 : index
    %7 = scf.if %6 -> (tensor<?x?xf32>) {
      %c1_33 = arith.constant 1 : index
      %dim_34 = tensor.dim %arg1, %c1_33 : tensor<?x?xf32>
      %41 = tensor.empty(%0, %dim_34) : tensor<?x?xf32>
      %42 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<?x?xf32>) outs(%41 : tensor<?x?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?x?xf32>
      scf.yield %42 : tensor<?x?xf32>
    } else {
      scf.yield %arg1 : tensor<?x?xf32>
    }
    %dim_6 = tensor.dim %7, %c1 : tensor<?x?xf32>
    %8 = arith.cmpi eq, %dim_6, %c1 : index
    %9 = scf.if %8 -> (tensor<?x?xf32>) {
      %c0_33 = arith.constant 0 : index
      %dim_34 = tensor.dim %7, %c0_33 : tensor<?x?xf32>
      %41 = tensor.empty(%dim_34, %1) : tensor<?x?xf32>
      %42 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<?x?xf32>) outs(%41 : tensor<?x?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?x?xf32>
      scf.yield %42 : tensor<?x?xf32>
    } else {
      scf.yield %7 : tensor<?x?xf32>
    }
    %10 = tensor.empty(%0, %1) : tensor<?x?xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%5, %9 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%10 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %41 = arith.subf %in, %in_33 : f32
      linalg.yield %41 : f32
    } -> tensor<?x?xf32>
    %c0_7 = arith.constant 0 : index
    %dim_8 = tensor.dim %11, %c0_7 : tensor<?x?xf32>
    %c1_9 = arith.constant 1 : index
    %dim_10 = tensor.dim %11, %c1_9 : tensor<?x?xf32>
    %12 = tensor.empty(%dim_8, %dim_10) : tensor<?x?xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<?x?xf32>) outs(%12 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = math.absf %in : f32
      linalg.yield %41 : f32
    } -> tensor<?x?xf32>
    %c0_11 = arith.constant 0 : index
    %dim_12 = tensor.dim %13, %c0_11 : tensor<?x?xf32>
    %dim_13 = tensor.dim %arg1, %c0_11 : tensor<?x?xf32>
    %14 = arith.maxui %dim_12, %dim_13 : index
    %c1_14 = arith.constant 1 : index
    %dim_15 = tensor.dim %13, %c1_14 : tensor<?x?xf32>
    %dim_16 = tensor.dim %arg1, %c1_14 : tensor<?x?xf32>
    %15 = arith.maxui %dim_15, %dim_16 : index
    %dim_17 = tensor.dim %13, %c0_11 : tensor<?x?xf32>
    %16 = arith.cmpi eq, %dim_17, %c1_14 : index
    %17 = scf.if %16 -> (tensor<?x?xf32>) {
      %c1_33 = arith.constant 1 : index
      %dim_34 = tensor.dim %13, %c1_33 : tensor<?x?xf32>
      %41 = tensor.empty(%14, %dim_34) : tensor<?x?xf32>
      %42 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<?x?xf32>) outs(%41 : tensor<?x?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?x?xf32>
      scf.yield %42 : tensor<?x?xf32>
    } else {
      scf.yield %13 : tensor<?x?xf32>
    }
    %dim_18 = tensor.dim %17, %c1_14 : tensor<?x?xf32>
    %18 = arith.cmpi eq, %dim_18, %c1_14 : index
    %19 = scf.if %18 -> (tensor<?x?xf32>) {
      %c0_33 = arith.constant 0 : index
      %dim_34 = tensor.dim %17, %c0_33 : tensor<?x?xf32>
      %41 = tensor.empty(%dim_34, %15) : tensor<?x?xf32>
      %42 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<?x?xf32>) outs(%41 : tensor<?x?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?x?xf32>
      scf.yield %42 : tensor<?x?xf32>
    } else {
      scf.yield %17 : tensor<?x?xf32>
    }
    %dim_19 = tensor.dim %arg1, %c0_11 : tensor<?x?xf32>
    %20 = arith.cmpi eq, %dim_19, %c1_14 : index
    %21 = scf.if %20 -> (tensor<?x?xf32>) {
      %c1_33 = arith.constant 1 : index
      %dim_34 = tensor.dim %arg1, %c1_33 : tensor<?x?xf32>
      %41 = tensor.empty(%14, %dim_34) : tensor<?x?xf32>
      %42 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<?x?xf32>) outs(%41 : tensor<?x?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?x?xf32>
      scf.yield %42 : tensor<?x?xf32>
    } else {
      scf.yield %arg1 : tensor<?x?xf32>
    }
    %dim_20 = tensor.dim %21, %c1_14 : tensor<?x?xf32>
    %22 = arith.cmpi eq, %dim_20, %c1_14 : index
    %23 = scf.if %22 -> (tensor<?x?xf32>) {
      %c0_33 = arith.constant 0 : index
      %dim_34 = tensor.dim %21, %c0_33 : tensor<?x?xf32>
      %41 = tensor.empty(%dim_34, %15) : tensor<?x?xf32>
      %42 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<?x?xf32>) outs(%41 : tensor<?x?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?x?xf32>
      scf.yield %42 : tensor<?x?xf32>
    } else {
      scf.yield %21 : tensor<?x?xf32>
    }
    %24 = tensor.empty(%14, %15) : tensor<?x?xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%19, %23 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%24 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %41 = arith.minimumf %in, %in_33 : f32
      linalg.yield %41 : f32
    } -> tensor<?x?xf32>
    %c0_21 = arith.constant 0 : index
    %dim_22 = tensor.dim %arg2, %c0_21 : tensor<?x1xi1>
    %dim_23 = tensor.dim %25, %c0_21 : tensor<?x?xf32>
    %26 = arith.maxui %dim_22, %dim_23 : index
    %dim_24 = tensor.dim %arg0, %c0_21 : tensor<?x?xf32>
    %27 = arith.maxui %26, %dim_24 : index
    %c1_25 = arith.constant 1 : index
    %dim_26 = tensor.dim %25, %c1_25 : tensor<?x?xf32>
    %dim_27 = tensor.dim %arg0, %c1_25 : tensor<?x?xf32>
    %28 = arith.maxui %dim_26, %dim_27 : index
    %dim_28 = tensor.dim %arg2, %c0_21 : tensor<?x1xi1>
    %29 = arith.cmpi eq, %dim_28, %c1_25 : index
    %30 = scf.if %29 -> (tensor<?x1xi1>) {
      %41 = tensor.empty(%27) : tensor<?x1xi1>
      %42 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<?x1xi1>) outs(%41 : tensor<?x1xi1>) {
      ^bb0(%in: i1, %out: i1):
        linalg.yield %in : i1
      } -> tensor<?x1xi1>
      scf.yield %42 : tensor<?x1xi1>
    } else {
      scf.yield %arg2 : tensor<?x1xi1>
    }
    %dim_29 = tensor.dim %25, %c0_21 : tensor<?x?xf32>
    %31 = arith.cmpi eq, %dim_29, %c1_25 : index
    %32 = scf.if %31 -> (tensor<?x?xf32>) {
      %c1_33 = arith.constant 1 : index
      %dim_34 = tensor.dim %25, %c1_33 : tensor<?x?xf32>
      %41 = tensor.empty(%27, %dim_34) : tensor<?x?xf32>
      %42 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<?x?xf32>) outs(%41 : tensor<?x?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?x?xf32>
      scf.yield %42 : tensor<?x?xf32>
    } else {
      scf.yield %25 : tensor<?x?xf32>
    }
    %dim_30 = tensor.dim %32, %c1_25 : tensor<?x?xf32>
    %33 = arith.cmpi eq, %dim_30, %c1_25 : index
    %34 = scf.if %33 -> (tensor<?x?xf32>) {
      %c0_33 = arith.constant 0 : index
      %dim_34 = tensor.dim %32, %c0_33 : tensor<?x?xf32>
      %41 = tensor.empty(%dim_34, %28) : tensor<?x?xf32>
      %42 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%32 : tensor<?x?xf32>) outs(%41 : tensor<?x?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?x?xf32>
      scf.yield %42 : tensor<?x?xf32>
    } else {
      scf.yield %32 : tensor<?x?xf32>
    }
    %dim_31 = tensor.dim %arg0, %c0_21 : tensor<?x?xf32>
    %35 = arith.cmpi eq, %dim_31, %c1_25 : index
    %36 = scf.if %35 -> (tensor<?x?xf32>) {
      %c1_33 = arith.constant 1 : index
      %dim_34 = tensor.dim %arg0, %c1_33 : tensor<?x?xf32>
      %41 = tensor.empty(%27, %dim_34) : tensor<?x?xf32>
      %42 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<?x?xf32>) outs(%41 : tensor<?x?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?x?xf32>
      scf.yield %42 : tensor<?x?xf32>
    } else {
      scf.yield %arg0 : tensor<?x?xf32>
    }
    %dim_32 = tensor.dim %36, %c1_25 : tensor<?x?xf32>
    %37 = arith.cmpi eq, %dim_32, %c1_25 : index
    %38 = scf.if %37 -> (tensor<?x?xf32>) {
      %c0_33 = arith.constant 0 : index
      %dim_34 = tensor.dim %36, %c0_33 : tensor<?x?xf32>
      %41 = tensor.empty(%dim_34, %28) : tensor<?x?xf32>
      %42 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<?x?xf32>) outs(%41 : tensor<?x?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?x?xf32>
      scf.yield %42 : tensor<?x?xf32>
    } else {
      scf.yield %36 : tensor<?x?xf32>
    }
    %39 = tensor.empty(%27, %28) : tensor<?x?xf32>
    %40 = linalg.generic {indexing_maps = [#map4, #map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%30, %34, %38 : tensor<?x1xi1>, tensor<?x?xf32>, tensor<?x?xf32>) outs(%39 : tensor<?x?xf32>) {
    ^bb0(%in: i1, %in_33: f32, %in_34: f32, %out: f32):
      %41 = arith.select %in, %in_33, %in_34 : f32
      linalg.yield %41 : f32
    } -> tensor<?x?xf32>
    return %40 : tensor<?x?xf32>
  }
  func.func @settled(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
    %dim_0 = tensor.dim %arg1, %c0 : tensor<?xf32>
    %0 = arith.maxui %dim, %dim_0 : index
    %c1 = arith.constant 1 : index
    %dim_1 = tensor.dim %arg0, %c0 : tensor<?xf32>
    %1 = arith.cmpi eq, %dim_1, %c1 : index
    %2 = scf.if %1 -> (tensor<?xf32>) {
      %21 = tensor.empty(%0) : tensor<?xf32>
      %22 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%arg0 : tensor<?xf32>) outs(%21 : tensor<?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?xf32>
      scf.yield %22 : tensor<?xf32>
    } else {
      scf.yield %arg0 : tensor<?xf32>
    }
    %dim_2 = tensor.dim %arg1, %c0 : tensor<?xf32>
    %3 = arith.cmpi eq, %dim_2, %c1 : index
    %4 = scf.if %3 -> (tensor<?xf32>) {
      %21 = tensor.empty(%0) : tensor<?xf32>
      %22 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%arg1 : tensor<?xf32>) outs(%21 : tensor<?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?xf32>
      scf.yield %22 : tensor<?xf32>
    } else {
      scf.yield %arg1 : tensor<?xf32>
    }
    %5 = tensor.empty(%0) : tensor<?xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%2, %4 : tensor<?xf32>, tensor<?xf32>) outs(%5 : tensor<?xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %21 = arith.addf %in, %in_15 : f32
      linalg.yield %21 : f32
    } -> tensor<?xf32>
    %c0_3 = arith.constant 0 : index
    %dim_4 = tensor.dim %arg0, %c0_3 : tensor<?xf32>
    %dim_5 = tensor.dim %arg1, %c0_3 : tensor<?xf32>
    %7 = arith.maxui %dim_4, %dim_5 : index
    %c1_6 = arith.constant 1 : index
    %dim_7 = tensor.dim %arg0, %c0_3 : tensor<?xf32>
    %8 = arith.cmpi eq, %dim_7, %c1_6 : index
    %9 = scf.if %8 -> (tensor<?xf32>) {
      %21 = tensor.empty(%7) : tensor<?xf32>
      %22 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%arg0 : tensor<?xf32>) outs(%21 : tensor<?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?xf32>
      scf.yield %22 : tensor<?xf32>
    } else {
      scf.yield %arg0 : tensor<?xf32>
    }
    %dim_8 = tensor.dim %arg1, %c0_3 : tensor<?xf32>
    %10 = arith.cmpi eq, %dim_8, %c1_6 : index
    %11 = scf.if %10 -> (tensor<?xf32>) {
      %21 = tensor.empty(%7) : tensor<?xf32>
      %22 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%arg1 : tensor<?xf32>) outs(%21 : tensor<?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?xf32>
      scf.yield %22 : tensor<?xf32>
    } else {
      scf.yield %arg1 : tensor<?xf32>
    }
    %12 = tensor.empty(%7) : tensor<?xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%9, %11 : tensor<?xf32>, tensor<?xf32>) outs(%12 : tensor<?xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %21 = arith.maximumf %in, %in_15 : f32
      linalg.yield %21 : f32
    } -> tensor<?xf32>
    %c0_9 = arith.constant 0 : index
    %dim_10 = tensor.dim %6, %c0_9 : tensor<?xf32>
    %dim_11 = tensor.dim %13, %c0_9 : tensor<?xf32>
    %14 = arith.maxui %dim_10, %dim_11 : index
    %c1_12 = arith.constant 1 : index
    %dim_13 = tensor.dim %6, %c0_9 : tensor<?xf32>
    %15 = arith.cmpi eq, %dim_13, %c1_12 : index
    %16 = scf.if %15 -> (tensor<?xf32>) {
      %21 = tensor.empty(%14) : tensor<?xf32>
      %22 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%6 : tensor<?xf32>) outs(%21 : tensor<?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?xf32>
      scf.yield %22 : tensor<?xf32>
    } else {
      scf.yield %6 : tensor<?xf32>
    }
    %dim_14 = tensor.dim %13, %c0_9 : tensor<?xf32>
    %17 = arith.cmpi eq, %dim_14, %c1_12 : index
    %18 = scf.if %17 -> (tensor<?xf32>) {
      %21 = tensor.empty(%14) : tensor<?xf32>
      %22 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%13 : tensor<?xf32>) outs(%21 : tensor<?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?xf32>
      scf.yield %22 : tensor<?xf32>
    } else {
      scf.yield %13 : tensor<?xf32>
    }
    %19 = tensor.empty(%14) : tensor<?xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%16, %18 : tensor<?xf32>, tensor<?xf32>) outs(%19 : tensor<?xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %21 = arith.addf %in, %in_15 : f32
      linalg.yield %21 : f32
    } -> tensor<?xf32>
    return %20 : tensor<?xf32>
  }
}
