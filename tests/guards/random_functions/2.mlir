// Eight functions of the fuzzer's generator: shapesolve.program_generation.programs.module(2, 8), as it was then.
func.func @f0(%a0: tensor<?xf32>) {
  %c1 = arith.constant 5 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 4 : index
  %c4 = arith.constant 3 : i8
  %c5 = arith.constant 0 : i32
  %c6 = arith.constant 2 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?xf32>
  %t9 = tosa.concat %a0, %a0 {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %t10 = tensor.empty(%d8) : tensor<?xf32>
  %c11 = arith.constant 0 : index
  %d12 = tensor.dim %t10, %c11 : tensor<?xf32>
  %p13 = arith.cmpi eq, %d12, %d8 : index
  cf.assert %p13, "check 1"
  cf.assert %p13, "check 2"
  %p14 = arith.cmpi ugt, %d12, %d12 : index
  %c15 = arith.constant 0 : index
  %c16 = arith.constant 3 : index
  scf.for %i17 = %c15 to %d12 step %c16 {
    %c18 = arith.constant 3 : index
    %v19 = arith.divui %c15, %c18 : index
    %p20 = arith.cmpi ule, %v19, %c15 : index
    cf.assert %p20, "check 3"
    %p21 = arith.cmpi slt, %c18, %i17 : index
    cf.assert %p21, "check 4"
    %t22 = linalg.sub ins(%t9, %t10 : tensor<?xf32>, tensor<?xf32>) outs(%a0 : tensor<?xf32>) -> tensor<?xf32>
    scf.yield
  }
  %t24 = linalg.copy ins(%a0 : tensor<?xf32>) outs(%t9 : tensor<?xf32>) -> tensor<?xf32>
  %v25 = arith.index_cast %d12 : index to i64
  %c26 = arith.constant 0 : index
  %c27 = arith.constant 1 : index
  scf.for %i28 = %c15 to %c26 step %c27 {
    %t29 = stablehlo.add %a0, %a0 : tensor<?xf32>
    scf.yield
  }
  %v30 = arith.subi %c5, %c5 : i32
  %t31 = tensor.extract_slice %t9[0] [%c2] [1] : tensor<?xf32> to tensor<?xf32>
  return
}
func.func @f1(%a0: i32) {
  %c1 = arith.constant 4 : index
  %c2 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 3 : i8
  %c5 = arith.constant 1 : i32
  %c6 = arith.constant 100 : i64
  %v7 = arith.ori %c4, %c4 : i8
  %p8 = arith.cmpi eq, %c5, %c5 : i32
  %c9 = arith.constant 2 : index
  %v10 = arith.maxsi %c1, %c1 : index
  %p11 = arith.cmpi sge, %v10, %c1 : index
  cf.assert %p11, "check 1"
  return
}
func.func @f2(%a0: memref<?xi32>, %a1: tensor<?x?xf32>) {
  %c1 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 0 : index
  %c4 = arith.constant 2 : i8
  %c5 = arith.constant 0 : i32
  %c6 = arith.constant 127 : i64
  %c7 = arith.constant 0 : index
  %d8 = memref.dim %a0, %c7 : memref<?xi32>
  %c9 = arith.constant 0 : index
  %d10 = tensor.dim %a1, %c9 : tensor<?x?xf32>
  %c11 = arith.constant 1 : index
  %d12 = tensor.dim %a1, %c11 : tensor<?x?xf32>
  %v13 = index.constant 3
  %v14 = index.divs %d8, %v13
  %t15 = tosa.reduce_sum %a1 {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %s16 = tensor.from_elements %c1, %c3 : tensor<2xindex>
  %t17 = stablehlo.dynamic_reshape %a1, %s16 : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %s18 = tensor.splat %d10[%v14] : tensor<?xindex>
  %v19 = arith.muli %c5, %c5 : i32
  %c20 = arith.constant 0 : i32
  %p21 = arith.cmpi sge, %v19, %c20 : i32
  cf.assert %p21, "check 1"
  %v22 = arith.index_cast %c1 : index to i32
  %t23 = tensor.concat dim(1) %t15, %a1 : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %c24 = arith.constant 1 : index
  %d25 = tensor.dim %t23, %c24 : tensor<?x?xf32>
  %c26 = arith.constant 1 : index
  %d27 = tensor.dim %t15, %c26 : tensor<?x1xf32>
  %p28 = arith.cmpi eq, %d25, %d27 : index
  cf.assert %p28, "check 2"
  %t30 = linalg.copy ins(%a1 : tensor<?x?xf32>) outs(%a1 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %v31 = arith.index_castui %c3 : index to i32
  %c32 = arith.constant 4 : index
  %v33 = arith.shrui %d25, %c32 : index
  %p34 = arith.cmpi ule, %v33, %d25 : index
  cf.assert %p34, "check 3"
  %c35 = arith.constant 0 : index
  %c36 = arith.constant 3 : index
  %c37 = arith.constant 2 : index
  %r38 = scf.for %i39 = %c35 to %c36 step %c37 iter_args(%x40 = %c4) -> (i8) {
    %p41 = arith.xori %p28, %p34 : i1
    scf.yield %x40 : i8
  }
  return
}
func.func private @g3(%a0: tensor<?x?xf32>, %a1: tensor<1xf32>) -> (tensor<1xindex>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 2 : i8
  %c5 = arith.constant -7 : i32
  %c6 = arith.constant 5 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?x?xf32>
  %c9 = arith.constant 1 : index
  %d10 = tensor.dim %a0, %c9 : tensor<?x?xf32>
  %c11 = arith.constant 0 : index
  %d12 = tensor.dim %a1, %c11 : tensor<1xf32>
  memref.alloca_scope {
    %v13 = arith.index_cast %c3 : index to i8
  }
  %s14 = tensor.from_elements %c3, %d10, %d8 : tensor<3xindex>
  %t15 = tensor.collapse_shape %a0 [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %v16 = math.ctlz %c4 : i8
  %t17 = tensor.insert_slice %t15 into %t15[0] [%c1] [1] : tensor<?xf32> into tensor<?xf32>
  %v18, %v19 = arith.mulsi_extended %c5, %c5 : i32
  %m20 = memref.alloca() : memref<1xindex>
  %c21 = arith.constant 0 : index
  memref.store %c1, %m20[%c21] : memref<1xindex>
  %t22 = tensor.extract_slice %t15[%d10] [4] [2] : tensor<?xf32> to tensor<4xf32>
  %t23 = tensor.generate %d10 {
  ^bb0(%i24: index):
    tensor.yield %d12 : index
  } : tensor<?xindex>
  %c25 = arith.constant 4 : index
  %v26 = arith.floordivsi %d8, %c25 : index
  %s27 = tensor.from_elements %c21 : tensor<1xindex>
  %t28 = tensor.reshape %a0(%s27) : (tensor<?x?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %c29 = arith.constant 3 : index
  %v30 = arith.floordivsi %c3, %c29 : index
  %v31 = arith.muli %v30, %c29 : index
  %v32 = arith.remui %c3, %c29 : index
  %v33 = arith.addi %v31, %v32 : index
  %p34 = arith.cmpi eq, %v33, %c3 : index
  cf.assert %p34, "check 1"
  %p35 = arith.ori %p34, %p34 : i1
  %t36 = tensor.cast %t22 : tensor<4xf32> to tensor<?xf32>
  %t37 = stablehlo.maximum %t22, %t22 : tensor<4xf32>
  return %s27 : tensor<1xindex>
}
func.func @f3(%a0: tensor<?xf32>, %a1: tensor<?xf32>) -> (tensor<?xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 3 : index
  %c3 = arith.constant 5 : index
  %c4 = arith.constant -128 : i8
  %c5 = arith.constant 1 : i32
  %c6 = arith.constant 5 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?xf32>
  %c9 = arith.constant 0 : index
  %d10 = tensor.dim %a1, %c9 : tensor<?xf32>
  %p11 = arith.cmpi sle, %c2, %d10 : index
  cf.assert %p11, "check 1"
  %c12 = arith.constant 0 : index
  %d13 = tensor.dim %a1, %c12 : tensor<?xf32>
  %t14 = tensor.empty(%d8) : tensor<?xf32>
  %c15 = arith.constant 0 : index
  %d16 = tensor.dim %t14, %c15 : tensor<?xf32>
  %p17 = arith.cmpi sle, %d16, %d13 : index
  cf.assert %p17, "check 2"
  return %a1 : tensor<?xf32>
}
func.func @f4(%a0: tensor<?xf32>, %a1: i32) -> (i8, tensor<1x?xf32>) {
  %c1 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 4 : index
  %c4 = arith.constant -128 : i8
  %c5 = arith.constant 100 : i32
  %c6 = arith.constant 127 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?xf32>
  %t9 = tosa.concat %a0, %a0 {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %v10 = index.constant 1
  %v11 = index.floordivs %c3, %v10
  %v12 = arith.index_castui %v11 : index to i8
  %p13 = arith.cmpi ne, %d8, %d8 : index
  cf.assert %p13, "check 1"
  %k14 = tosa.const_shape {values = dense<[1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %z15 = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %t16 = tosa.pad %t9, %k14, %z15 : (tensor<?xf32>, !tosa.shape<2>, tensor<1xf32>) -> tensor<?xf32>
  %c17 = arith.constant 4 : index
  %v18 = arith.ceildivsi %d8, %c17 : index
  %v19 = arith.addi %d8, %c17 : index
  %v20 = arith.divsi %v19, %c17 : index
  %p21 = arith.cmpi sle, %v18, %v20 : index
  cf.assert %p21, "check 2"
  %k22 = tosa.const_shape {values = dense<[1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %t23 = tosa.reshape %a0, %k22 : (tensor<?xf32>, !tosa.shape<2>) -> tensor<1x?xf32>
  %r24 = affine.if affine_set<(d0, d1) : (d0 mod 2 == 0, d1 - 1 >= 0)>(%d8, %d8) -> index {
    affine.yield %c17 : index
  } else {
    %k25 = tosa.const_shape {values = dense<[-1]> : tensor<1xindex>} : () -> !tosa.shape<1>
    %t26 = tosa.reshape %t23, %k25 : (tensor<1x?xf32>, !tosa.shape<1>) -> tensor<?xf32>
    affine.yield %v20 : index
  }
  return %c4, %t23 : i8, tensor<1x?xf32>
}
func.func @f5(%a0: tensor<?x?xf32>, %a1: index, %a2: tensor<?x?x?xf32>) {
  %c1 = arith.constant 3 : index
  %c2 = arith.constant 0 : index
  %c3 = arith.constant 2 : index
  %c4 = arith.constant 1 : i8
  %c5 = arith.constant 100 : i32
  %c6 = arith.constant 3 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?x?xf32>
  %c9 = arith.constant 1 : index
  %d10 = tensor.dim %a0, %c9 : tensor<?x?xf32>
  %c11 = arith.constant 0 : index
  %d12 = tensor.dim %a2, %c11 : tensor<?x?x?xf32>
  %c13 = arith.constant 1 : index
  %d14 = tensor.dim %a2, %c13 : tensor<?x?x?xf32>
  %c15 = arith.constant 2 : index
  %d16 = tensor.dim %a2, %c15 : tensor<?x?x?xf32>
  %v17 = arith.minui %d14, %d16 : index
  %p18 = arith.cmpi ugt, %d12, %d12 : index
  cf.assert %p18, "check 1"
  %c19 = arith.constant 1 : index
  %d20 = tensor.dim %a0, %c19 : tensor<?x?xf32>
  %p21 = arith.cmpi ult, %d16, %v17 : index
  %c22 = arith.constant 2 : index
  %d23 = tensor.dim %a2, %c22 : tensor<?x?x?xf32>
  return
}
func.func @f6(%a0: tensor<?xf32>, %a1: tensor<?xf32>) -> (i32) {
  %c1 = arith.constant 2 : index
  %c2 = arith.constant 0 : index
  %c3 = arith.constant 4 : index
  %c4 = arith.constant -1 : i8
  %c5 = arith.constant 5 : i32
  %c6 = arith.constant 5 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?xf32>
  %c9 = arith.constant 0 : index
  %d10 = tensor.dim %a1, %c9 : tensor<?xf32>
  %c11 = arith.constant 3 : index
  scf.for %i12 = %c2 to %c2 step %c11 {
    %p13 = arith.cmpi sge, %c11, %i12 : index
    cf.assert %p13, "check 1"
    scf.yield
  }
  affine.for %i14 = 0 to min affine_map<(d0) -> (d0, 3)>(%d10) {
    %t16 = tosa.floor %a0 : (tensor<?xf32>) -> tensor<?xf32>
  }
  %t17 = tosa.pow %a0, %a1 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %t18 = tensor.concat dim(0) %a1, %t17 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %v19 = arith.addi %c11, %c2 : index
  %z21 = arith.constant 0.0 : f32
  %t20 = tensor.pad %a1 low[%d8] high[%d8] {
  ^bb0(%i22: index):
    tensor.yield %z21 : f32
  } : tensor<?xf32> to tensor<?xf32>
  %v23 = shape.add %d8, %v19 : index, index -> index
  %r24 = affine.if affine_set<(d0, d1) : (d0 - d1 >= 0)>(%c3, %c3) -> index {
    affine.yield %v23 : index
  } else {
    affine.yield %c3 : index
  }
  %t25 = stablehlo.exponential %t20 : tensor<?xf32>
  %v26 = arith.index_castui %v23 : index to i8
  %t27 = tosa.transpose %t25 {perms = array<i32: 0>} : (tensor<?xf32>) -> tensor<?xf32>
  %c28 = arith.constant 4 : index
  %v29 = arith.shrui %d8, %c28 : index
  %p30 = arith.cmpi ule, %v29, %d8 : index
  cf.assert %p30, "check 2"
  return %c5 : i32
}
func.func private @g7(%a0: index, %a1: tensor<2x?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 4 : index
  %c3 = arith.constant 0 : index
  %c4 = arith.constant 5 : i8
  %c5 = arith.constant 3 : i32
  %c6 = arith.constant 2 : i64
  %c7 = arith.constant 1 : index
  %d8 = tensor.dim %a1, %c7 : tensor<2x?x?xf32>
  %c9 = arith.constant 2 : index
  %d10 = tensor.dim %a1, %c9 : tensor<2x?x?xf32>
  affine.for %i11 = 0 to 3 {
    %r13 = scf.index_switch %c3 -> index
    case 3 {
      %p14 = arith.cmpi sge, %i11, %d10 : index
      cf.assert %p14, "check 1"
      %c15 = arith.constant 2 : index
      %v16 = arith.addi %c3, %d8 : index
      %v17 = arith.subi %v16, %d8 : index
      %p18 = arith.cmpi eq, %v17, %c3 : index
      cf.assert %p18, "check 2"
      scf.yield %d8 : index
    }
    default {
      scf.yield %d8 : index
    }
  }
  %v19 = index.constant 3
  %v20 = index.divu %c1, %v19
  %t21 = tensor.empty(%v19) : tensor<?xf32>
  %c22 = arith.constant 2 : index
  %r23 = scf.while (%x24 = %v19) : (index) -> index {
    %p26 = arith.cmpi slt, %x24, %d8 : index
    scf.condition(%p26) %x24 : index
  } do {
  ^bb0(%y25: index):
    %z27 = arith.addi %y25, %c22 : index
    scf.yield %z27 : index
  }
  %v28 = arith.andi %c22, %c1 : index
  %s29 = tensor.from_elements %c2, %v20 : tensor<2xindex>
  %t30 = stablehlo.dynamic_broadcast_in_dim %t21, %s29, dims = [0] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %s31 = shape.shape_of %t30 : tensor<?x?xf32> -> tensor<2xindex>
  %s32 = shape.shape_of %t30 : tensor<?x?xf32> -> tensor<2xindex>
  %p33 = shape.is_broadcastable %s31, %s32 : tensor<2xindex>, tensor<2xindex>
  cf.assert %p33, "check 3"
  %c34 = arith.constant 0 : index
  %d35 = tensor.dim %t21, %c34 : tensor<?xf32>
  %t36 = tensor.insert_slice %t21 into %t21[%c22] [%d35] [1] : tensor<?xf32> into tensor<?xf32>
  %c37 = arith.constant 0 : index
  %d38 = tensor.dim %t21, %c37 : tensor<?xf32>
  %t39 = tensor.insert_slice %t21 into %t36[1] [%d38] [1] : tensor<?xf32> into tensor<?xf32>
  %p40 = arith.cmpi uge, %r23, %d38 : index
  return %t36, %t30 : tensor<?xf32>, tensor<?x?xf32>
}
func.func @f7(%a0: memref<?x2xindex>, %a1: tensor<?x?xf32>) {
  %c1 = arith.constant 5 : index
  %c2 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 0 : i8
  %c5 = arith.constant 127 : i32
  %c6 = arith.constant 5 : i64
  %c7 = arith.constant 0 : index
  %d8 = memref.dim %a0, %c7 : memref<?x2xindex>
  %c9 = arith.constant 0 : index
  %d10 = tensor.dim %a1, %c9 : tensor<?x?xf32>
  %c11 = arith.constant 1 : index
  %d12 = tensor.dim %a1, %c11 : tensor<?x?xf32>
  %s13 = shape.shape_of %a1 : tensor<?x?xf32> -> tensor<2xindex>
  %c14 = arith.constant 1 : index
  %v15 = shape.get_extent %s13, %c14 : tensor<2xindex>, index -> index
  %s16 = tensor.from_elements %c4, %c4 : tensor<2xi8>
  %k17 = tosa.const_shape {values = dense<[0, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %k18 = tosa.const_shape {values = dense<[2, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %t19 = tosa.slice %a1, %k17, %k18 : (tensor<?x?xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x2xf32>
  return
}