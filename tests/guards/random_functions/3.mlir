// Eight functions of the fuzzer's generator: shapesolve.program_generation.programs.module(3, 8), as it was then.
func.func private @g0(%a0: index, %a1: index) -> (index) {
  %c1 = arith.constant 4 : index
  %c2 = arith.constant 3 : index
  %c3 = arith.constant 5 : index
  %c4 = arith.constant 2 : i8
  %c5 = arith.constant 3 : i32
  %c6 = arith.constant 2 : i64
  %v7 = arith.divui %c4, %c4 : i8
  %c8 = arith.constant 3 : index
  %v9 = arith.divui %c2, %c8 : index
  %p10 = arith.cmpi ule, %v9, %c2 : index
  cf.assert %p10, "check 1"
  %p11 = arith.cmpi sgt, %v9, %v9 : index
  affine.for %i12 = 0 to 0 step 2 {
    %v14 = arith.select %p10, %c3, %c3 : index
    %t15 = tensor.empty(%i12) : tensor<?xf32>
  }
  %p16 = arith.cmpi eq, %c8, %c1 : index
  %v17 = index.constant 1
  %v18 = index.shru %a1, %v17
  %s19 = tensor.from_elements %c5 : tensor<i32>
  %s20 = tensor.from_elements %c5 : tensor<i32>
  %s21 = stablehlo.multiply %s19, %s20 : tensor<i32>
  %s22 = stablehlo.compare NE, %s21, %s20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %v23 = tensor.extract %s21[] : tensor<i32>
  %p24 = tensor.extract %s22[] : tensor<i1>
  cf.assert %p24, "check 2"
  %v25 = arith.trunci %v23 : i32 to i8
  %c26 = arith.constant 4 : index
  %v27 = arith.minsi %v17, %v18 : index
  %v28 = arith.maxsi %v17, %v18 : index
  %v29 = arith.addi %v27, %v28 : index
  %v30 = arith.addi %v17, %v18 : index
  %p31 = arith.cmpi eq, %v29, %v30 : index
  cf.assert %p31, "check 3"
  %v32 = arith.muli %c6, %c6 : i64
  %v33 = arith.andi %v30, %v29 : index
  %v34 = arith.select %p31, %v33, %v28 : index
  %p35 = arith.cmpi ne, %v18, %v30 : index
  %v36 = arith.index_cast %v30 : index to i32
  %v37 = index.constant 1
  %v38 = index.ceildivs %v33, %v37
  return %v27 : index
}
func.func @f0(%a0: i32) -> (i8, tensor<?xindex>) {
  %c1 = arith.constant 4 : index
  %c2 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 5 : i8
  %c5 = arith.constant -7 : i32
  %c6 = arith.constant 5 : i64
  %t7 = tensor.empty(%c3) : tensor<?xf32>
  %s8 = tensor.splat %c1[%c1] : tensor<?xindex>
  %c9 = arith.constant 0 : index
  %d10 = tensor.dim %s8, %c9 : tensor<?xindex>
  %p11 = arith.cmpi sgt, %d10, %c1 : index
  cf.assert %p11, "check 1"
  memref.alloca_scope {
    %v12 = math.absi %c4 : i8
  }
  %r13, %r14 = scf.if %p11 -> (tensor<?xf32>, i8) {
    scf.yield %t7, %c4 : tensor<?xf32>, i8
  } else {
    %s15 = shape.shape_of %t7 : tensor<?xf32> -> tensor<1xindex>
    %c16 = arith.constant 0 : index
    %v17 = shape.get_extent %s15, %c16 : tensor<1xindex>, index -> index
    %v18 = arith.select %p11, %d10, %c3 : index
    %v19 = tensor.dim %t7, %c1 : tensor<?xf32>
    scf.yield %t7, %c4 : tensor<?xf32>, i8
  }
  %p20 = arith.cmpi eq, %c3, %c2 : index
  cf.assert %p20, "check 2"
  %c21 = arith.constant 0 : index
  %v22 = tensor.extract %s8[%c21] : tensor<?xindex>
  %c23 = arith.constant 2 : index
  %v24 = arith.floordivsi %d10, %c23 : index
  %v25 = arith.muli %v24, %c23 : index
  %p26 = arith.cmpi sle, %v25, %d10 : index
  cf.assert %p26, "check 3"
  %v27 = arith.addi %c2, %v24 : index
  %c28 = arith.constant 0 : index
  %d29 = tensor.dim %s8, %c28 : tensor<?xindex>
  return %r14, %s8 : i8, tensor<?xindex>
}
func.func private @g1(%a0: memref<?xi32>) -> (i32, i32) {
  %c1 = arith.constant 2 : index
  %c2 = arith.constant 3 : index
  %c3 = arith.constant 4 : index
  %c4 = arith.constant 0 : i8
  %c5 = arith.constant 127 : i32
  %c6 = arith.constant 0 : i64
  %c7 = arith.constant 0 : index
  %d8 = memref.dim %a0, %c7 : memref<?xi32>
  %c9 = arith.constant 1 : index
  %r10, %r11 = scf.for %i12 = %c3 to %d8 step %c9 iter_args(%x13 = %c4, %x14 = %c3) -> (i8, index) {
    scf.yield %x13, %i12 : i8, index
  }
  %p15 = arith.cmpi uge, %c6, %c6 : i64
  %c16 = arith.constant 0 : index
  memref.store %c5, %a0[%c16] : memref<?xi32>
  %m17 = memref.alloca(%d8) : memref<?xindex>
  %c18 = arith.constant 0 : index
  memref.store %c2, %m17[%c18] : memref<?xindex>
  %v19 = arith.muli %c2, %r11 : index
  %v20 = arith.index_cast %c3 : index to i8
  %c21 = arith.constant 0 : index
  memref.store %c5, %a0[%c21] : memref<?xi32>
  scf.if %p15 {
    memref.store %c5, %a0[%c21] : memref<?xi32>
  }
  %v22 = memref.load %a0[%c21] : memref<?xi32>
  %p23 = arith.cmpi sge, %v22, %c5 : i32
  cf.assert %p23, "check 1"
  return %c5, %c5 : i32, i32
}
func.func @f1(%a0: memref<?x?xindex>, %a1: tensor<1x?xf32>, %a2: tensor<4x4xf32>) -> (i8) attributes {shapesolve.assume = ["a0[0] % 2 == 0"]} {
  %c1 = arith.constant 5 : index
  %c2 = arith.constant 1 : index
  %c3 = arith.constant 4 : index
  %c4 = arith.constant 5 : i8
  %c5 = arith.constant 3 : i32
  %c6 = arith.constant 2 : i64
  %c7 = arith.constant 0 : index
  %d8 = memref.dim %a0, %c7 : memref<?x?xindex>
  %c9 = arith.constant 1 : index
  %d10 = memref.dim %a0, %c9 : memref<?x?xindex>
  %c11 = arith.constant 1 : index
  %d12 = tensor.dim %a1, %c11 : tensor<1x?xf32>
  %s13 = shape.shape_of %a2 : tensor<4x4xf32> -> tensor<2xindex>
  %s14 = shape.const_shape [2, 3] : tensor<2xindex>
  %s15 = shape.concat %s13, %s14 : tensor<2xindex>, tensor<2xindex> -> tensor<?xindex>
  %v16 = shape.num_elements %s13 : tensor<2xindex> -> index
  %v17 = arith.subi %c2, %d10 : index
  %t18 = tensor.concat dim(0) %a2, %a1 : (tensor<4x4xf32>, tensor<1x?xf32>) -> tensor<5x4xf32>
  %c20 = arith.constant 0 : index
  %s19 = shape.shape_of %a2 : tensor<4x4xf32> -> tensor<2xindex>
  %r21 = shape.reduce(%s19, %c20) : tensor<2xindex> -> index {
  ^bb0(%i22: index, %e23: index, %x24: index):
    %y25 = arith.muli %e23, %x24 : index
    shape.yield %y25 : index
  }
  %c27 = arith.constant 0 : index
  %s26 = shape.shape_of %a2 : tensor<4x4xf32> -> tensor<2xindex>
  %r28 = shape.reduce(%s26, %c27) : tensor<2xindex> -> index {
  ^bb0(%i29: index, %e30: index, %x31: index):
    %y32 = arith.muli %e30, %x31 : index
    shape.yield %y32 : index
  }
  %v33, %v34 = arith.addui_extended %c4, %c4 : i8, i1
  %c35 = arith.constant 0 : index
  %d36 = tensor.dim %s15, %c35 : tensor<?xindex>
  %p37 = index.cmp sge(%c1, %r28)
  %c38 = arith.constant 0 : index
  %d39 = tensor.dim %s15, %c38 : tensor<?xindex>
  %p40 = arith.cmpi sle, %c2, %c2 : index
  cf.assert %p40, "check 1"
  %t41 = tensor.collapse_shape %t18 [[0, 1]] : tensor<5x4xf32> into tensor<20xf32>
  %v42 = arith.extsi %c5 : i32 to i64
  %r43, %r44 = scf.if %p40 -> (index, tensor<5x4xf32>) {
    %k45 = tosa.const_shape {values = dense<[-1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %t46 = tosa.reshape %t41, %k45 : (tensor<20xf32>, !tosa.shape<2>) -> tensor<?x2xf32>
    %c47 = arith.constant 2 : index
    %r48 = scf.while (%x49 = %c2) : (index) -> index {
      %p51 = arith.cmpi ult, %x49, %d36 : index
      scf.condition(%p51) %x49 : index
    } do {
    ^bb0(%y50: index):
      %t53 = tensor.empty(%d39) : tensor<?xf32>
      %z52 = arith.addi %y50, %c47 : index
      scf.yield %z52 : index
    }
    scf.yield %v17, %t18 : index, tensor<5x4xf32>
  } else {
    %c54 = arith.constant 2 : index
    %v55 = arith.maxsi %c27, %r28 : index
    %p56 = arith.cmpi sge, %v55, %r28 : index
    cf.assert %p56, "check 2"
    memref.copy %a0, %a0 : memref<?x?xindex> to memref<?x?xindex>
    scf.yield %d12, %t18 : index, tensor<5x4xf32>
  }
  %p57 = arith.cmpi slt, %r43, %d39 : index
  cf.assert %p57, "check 3"
  return %v33 : i8
}
func.func @f2(%a0: tensor<?x?xf32>, %a1: i8) {
  %c1 = arith.constant 0 : index
  %c2 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 1 : i8
  %c5 = arith.constant 5 : i32
  %c6 = arith.constant 2 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?x?xf32>
  %c9 = arith.constant 1 : index
  %d10 = tensor.dim %a0, %c9 : tensor<?x?xf32>
  %s11 = tensor.from_elements %c3 : tensor<1xindex>
  %t12 = linalg.sub ins(%a0, %a0 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%a0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r13 = func.call @g0(%c2, %c3) : (index, index) -> (index)
  %p14 = arith.cmpi ult, %c3, %c2 : index
  cf.assert %p14, "check 1"
  %t15 = linalg.sub ins(%t12, %a0 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%t12 : tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
func.func @f3(%a0: tensor<2x?xf32>, %a1: tensor<?x?xf32>, %a2: i8) -> (i32) {
  %c1 = arith.constant 2 : index
  %c2 = arith.constant 5 : index
  %c3 = arith.constant 1 : index
  %c4 = arith.constant -1 : i8
  %c5 = arith.constant -7 : i32
  %c6 = arith.constant 3 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<2x?xf32>
  %c9 = arith.constant 1 : index
  %d10 = tensor.dim %a0, %c9 : tensor<2x?xf32>
  %c11 = arith.constant 0 : index
  %d12 = tensor.dim %a1, %c11 : tensor<?x?xf32>
  %c13 = arith.constant 1 : index
  %d14 = tensor.dim %a1, %c13 : tensor<?x?xf32>
  %v15 = arith.index_castui %c1 : index to i8
  %t16 = tensor.concat dim(1) %a0, %a0 : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  %c17 = arith.constant 1 : index
  %d18 = tensor.dim %t16, %c17 : tensor<2x?xf32>
  %c19 = arith.constant 1 : index
  %d20 = tensor.dim %a0, %c19 : tensor<2x?xf32>
  %p21 = arith.cmpi sge, %d18, %d20 : index
  cf.assert %p21, "check 1"
  %p22 = arith.cmpi eq, %d12, %d12 : index
  cf.assert %p22, "check 2"
  return %c5 : i32
}
func.func private @g4(%a0: memref<?xf32>, %a1: index) -> (index) {
  %c1 = arith.constant 0 : index
  %c2 = arith.constant 1 : index
  %c3 = arith.constant 5 : index
  %c4 = arith.constant -1 : i8
  %c5 = arith.constant 0 : i32
  %c6 = arith.constant 3 : i64
  %c7 = arith.constant 0 : index
  %d8 = memref.dim %a0, %c7 : memref<?xf32>
  %p9 = arith.cmpi slt, %c2, %a1 : index
  cf.assert %p9, "check 1"
  %r10 = affine.if affine_set<(d0, d1) : (d0 mod 2 == 0, d1 - 1 >= 0)>(%c1, %d8) -> index {
    %v11 = arith.select %p9, %c6, %c6 : i64
    %t12 = tensor.empty(%c3) : tensor<?xf32>
    %c13 = arith.constant 0 : index
    %d14 = tensor.dim %t12, %c13 : tensor<?xf32>
    %p15 = arith.cmpi eq, %d14, %c3 : index
    cf.assert %p15, "check 2"
    affine.yield %a1 : index
  } else {
    %v16 = arith.index_cast %a1 : index to i64
    %r17 = scf.if %p9 -> (index) {
      scf.yield %c3 : index
    } else {
      scf.yield %c1 : index
    }
    affine.yield %c2 : index
  }
  %s18 = tensor.from_elements %c5 : tensor<i32>
  %s19 = tensor.from_elements %c5 : tensor<i32>
  %s20 = stablehlo.add %s18, %s19 : tensor<i32>
  %s21 = stablehlo.compare NE, %s20, %s19, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %v22 = tensor.extract %s20[] : tensor<i32>
  %p23 = tensor.extract %s21[] : tensor<i1>
  %p24 = arith.cmpi slt, %d8, %c3 : index
  cf.assert %p24, "check 3"
  %v25 = index.constant 2
  %v26 = index.divs %a1, %v25
  affine.for %i27 = 0 to 3 step 2 {
    %v29 = arith.index_castui %c6 : i64 to index
    cf.assert %p24, "check 4"
    %v30 = arith.addi %r10, %c1 : index
    cf.assert %p24, "check 5"
    %w31 = shape.cstr_require %p9, "check 6"
  }
  %c32 = arith.constant 3 : index
  %v33 = arith.maxsi %a1, %v26 : index
  %p34 = arith.cmpi sge, %v33, %v26 : index
  cf.assert %p34, "check 7"
  %c35 = arith.constant 0 : index
  %d36 = memref.dim %a0, %c35 : memref<?xf32>
  %s37 = tensor.from_elements %v22 : tensor<i32>
  %s38 = tensor.from_elements %c5 : tensor<i32>
  %s39 = stablehlo.multiply %s37, %s38 : tensor<i32>
  %s40 = stablehlo.compare EQ, %s39, %s37, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %v41 = tensor.extract %s39[] : tensor<i32>
  %p42 = tensor.extract %s40[] : tensor<i1>
  %c43 = arith.constant 3 : index
  %v44 = arith.divui %a1, %c43 : index
  %v45 = arith.muli %v44, %v44 : index
  %p46 = arith.cmpi ule, %v44, %v25 : index
  cf.assert %p46, "check 8"
  %s47 = tensor.from_elements %v44, %v45, %v44 : tensor<3xindex>
  return %c43 : index
}
func.func @f4(%a0: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c1 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 4 : index
  %c4 = arith.constant -128 : i8
  %c5 = arith.constant 0 : i32
  %c6 = arith.constant -1 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?xf32>
  %p9 = arith.cmpi ule, %d8, %c3 : index
  cf.assert %p9, "check 1"
  %t10 = tensor.concat dim(0) %a0, %a0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %t11 = stablehlo.maximum %a0, %t10 : tensor<?xf32>
  %c12 = arith.constant 0 : index
  %c13 = arith.constant 3 : index
  %c14 = arith.constant 2 : index
  %r15 = scf.for %i16 = %c12 to %c13 step %c14 iter_args(%x17 = %c5) -> (i32) {
    %v18 = arith.muli %c4, %c4 : i8
    %c19 = arith.constant 0 : i8
    %p20 = arith.cmpi uge, %v18, %c19 : i8
    cf.assert %p20, "check 2"
    scf.yield %x17 : i32
  }
  return %t10, %t11 : tensor<?xf32>, tensor<?xf32>
}
func.func @f5(%a0: tensor<?xf32>, %a1: i8, %a2: tensor<?x?xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 4 : index
  %c4 = arith.constant 1 : i8
  %c5 = arith.constant 127 : i32
  %c6 = arith.constant 1 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?xf32>
  %c9 = arith.constant 0 : index
  %d10 = tensor.dim %a2, %c9 : tensor<?x?xf32>
  %c11 = arith.constant 1 : index
  %d12 = tensor.dim %a2, %c11 : tensor<?x?xf32>
  %v13 = arith.shli %d10, %d12 : index
  %t14 = tensor.extract_slice %a0[1] [%d10] [2] : tensor<?xf32> to tensor<?xf32>
  %s15 = tensor.from_elements %c5 : tensor<i32>
  %s16 = tensor.from_elements %c5 : tensor<i32>
  %s17 = stablehlo.subtract %s15, %s16 : tensor<i32>
  %s18 = stablehlo.compare NE, %s17, %s15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %v19 = tensor.extract %s17[] : tensor<i32>
  %p20 = tensor.extract %s18[] : tensor<i1>
  %v21 = arith.index_castui %v13 : index to i8
  %t22 = stablehlo.slice %t14 [1:4:2] : (tensor<?xf32>) -> tensor<2xf32>
  %c23 = arith.constant 2 : index
  %v24 = arith.floordivsi %c1, %c23 : index
  %v25 = arith.muli %v24, %c23 : index
  %p26 = arith.cmpi slt, %v25, %c1 : index
  cf.assert %p26, "check 1"
  %s27 = tensor.from_elements %c3, %c23 : tensor<2xindex>
  %t28 = stablehlo.dynamic_broadcast_in_dim %t22, %s27, dims = [0] : (tensor<2xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %c29 = arith.constant 0 : index
  %d30 = tensor.dim %t22, %c29 : tensor<2xf32>
  return
}
func.func private @g6(%a0: tensor<2xf32>) -> (tensor<3xi8>, tensor<3xi8>) {
  %c1 = arith.constant 0 : index
  %c2 = arith.constant 1 : index
  %c3 = arith.constant 2 : index
  %c4 = arith.constant 2 : i8
  %c5 = arith.constant 127 : i32
  %c6 = arith.constant 100 : i64
  %v7 = index.ceildivs %c1, %c2
  %s8 = tensor.from_elements %c5 : tensor<i32>
  %s9 = tensor.from_elements %c5 : tensor<i32>
  %s10 = stablehlo.multiply %s8, %s9 : tensor<i32>
  %s11 = stablehlo.compare GT, %s10, %s9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %v12 = tensor.extract %s10[] : tensor<i32>
  %p13 = tensor.extract %s11[] : tensor<i1>
  cf.assert %p13, "check 1"
  %v14 = affine.apply affine_map<(d0)[s0] -> (d0 - s0 + 1)>(%c2)[%c1]
  %r15, %r16 = scf.if %p13 -> (i8, i32) {
    %t18 = linalg.copy ins(%a0 : tensor<2xf32>) outs(%a0 : tensor<2xf32>) -> tensor<2xf32>
    %c19 = arith.constant 0 : index
    %d20 = tensor.dim %a0, %c19 : tensor<2xf32>
    scf.yield %c4, %v12 : i8, i32
  } else {
    %v21 = arith.index_castui %v7 : index to i64
    scf.yield %c4, %c5 : i8, i32
  }
  %s22 = tensor.from_elements %r15, %c4, %c4 : tensor<3xi8>
  %c23 = arith.constant 0 : index
  %d24 = tensor.dim %s22, %c23 : tensor<3xi8>
  %s25 = stablehlo.get_dimension_size %a0, dim = 0 : (tensor<2xf32>) -> tensor<i32>
  %v26 = tensor.extract %s25[] : tensor<i32>
  cf.assert %p13, "check 2"
  %v27 = arith.minui %c2, %v14 : index
  cf.assert %p13, "check 3"
  %v28 = tensor.extract %s22[%v27] : tensor<3xi8>
  %z30 = arith.constant 0.0 : f32
  %t29 = tensor.pad %a0 low[%v27] high[2] {
  ^bb0(%i31: index):
    tensor.yield %z30 : f32
  } : tensor<2xf32> to tensor<?xf32>
  %t32 = tensor.generate %v27 {
  ^bb0(%i33: index):
    tensor.yield %v27 : index
  } : tensor<?xindex>
  scf.if %p13 {
    %s34 = tensor.from_elements %v7 : tensor<1xindex>
    %t35 = stablehlo.dynamic_reshape %a0, %s34 : (tensor<2xf32>, tensor<1xindex>) -> tensor<?xf32>
    %p36 = arith.cmpi sge, %d24, %d24 : index
    cf.assert %p36, "check 4"
    scf.yield
  } else {
    scf.yield
  }
  return %s22, %s22 : tensor<3xi8>, tensor<3xi8>
}
func.func @f6(%a0: tensor<?xf32>, %a1: i32) -> (tensor<?xf32>, tensor<1xindex>) {
  %c1 = arith.constant 0 : index
  %c2 = arith.constant 3 : index
  %c3 = arith.constant 1 : index
  %c4 = arith.constant -1 : i8
  %c5 = arith.constant 5 : i32
  %c6 = arith.constant 2 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?xf32>
  %p9 = arith.cmpi sle, %c3, %d8 : index
  cf.assert %p9, "check 1"
  %v10 = arith.addi %c5, %c5 : i32
  %t11 = tosa.maximum %a0, %a0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %c13 = arith.constant 0 : index
  %s12 = shape.shape_of %a0 : tensor<?xf32> -> tensor<1xindex>
  %r14 = shape.reduce(%s12, %c13) : tensor<1xindex> -> index {
  ^bb0(%i15: index, %e16: index, %x17: index):
    %y18 = arith.muli %e16, %x17 : index
    shape.yield %y18 : index
  }
  %v19 = math.cttz %c5 : i32
  %v20 = arith.maxui %c5, %c5 : i32
  %p21 = arith.cmpi sge, %v20, %c5 : i32
  cf.assert %p21, "check 2"
  %p22 = arith.cmpi ult, %c3, %d8 : index
  %v23, %v24 = affine.delinearize_index %c2 into (4, 1) : index, index
  %c25 = arith.constant 0 : index
  %c26 = arith.constant 1 : index
  scf.parallel (%i27) = (%c25) to (%c2) step (%c26) {
    %t28 = tensor.extract_slice %t11[1] [%c1] [1] : tensor<?xf32> to tensor<?xf32>
    %t29 = tensor.extract_slice %t11[0] [%c25] [1] : tensor<?xf32> to tensor<?xf32>
    scf.reduce
  }
  %p30 = arith.cmpi ule, %c26, %c26 : index
  cf.assert %p30, "check 3"
  %s31 = shape.shape_of %t11 : tensor<?xf32> -> tensor<1xindex>
  %s32 = shape.shape_of %a0 : tensor<?xf32> -> tensor<1xindex>
  %w33 = shape.cstr_broadcastable %s31, %s32 : tensor<1xindex>, tensor<1xindex>
  %s34 = shape.assuming %w33 -> (tensor<1xindex>) {
    %s35 = shape.broadcast %s31, %s32 : tensor<1xindex>, tensor<1xindex> -> tensor<1xindex>
    shape.assuming_yield %s35 : tensor<1xindex>
  }
  return %t11, %s34 : tensor<?xf32>, tensor<1xindex>
}
func.func @f7(%a0: tensor<?x?xf32>, %a1: memref<1xi32>, %a2: tensor<?xf32>) -> (i8) {
  %c1 = arith.constant 2 : index
  %c2 = arith.constant 3 : index
  %c3 = arith.constant 1 : index
  %c4 = arith.constant -1 : i8
  %c5 = arith.constant 100 : i32
  %c6 = arith.constant -1 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?x?xf32>
  %c9 = arith.constant 1 : index
  %d10 = tensor.dim %a0, %c9 : tensor<?x?xf32>
  %c11 = arith.constant 0 : index
  %d12 = memref.dim %a1, %c11 : memref<1xi32>
  %c13 = arith.constant 0 : index
  %d14 = tensor.dim %a2, %c13 : tensor<?xf32>
  affine.for %i15 = 1 to 0 {
    %s17 = shape.shape_of %a2 : tensor<?xf32> -> tensor<1xindex>
    %v18 = shape.num_elements %s17 : tensor<1xindex> -> index
    %v19 = arith.muli %c4, %c4 : i8
    %c20 = arith.constant 0 : i8
    %p21 = arith.cmpi uge, %v19, %c20 : i8
    cf.assert %p21, "check 1"
  }
  %t22 = tensor.cast %a0 : tensor<?x?xf32> to tensor<2x?xf32>
  %c23 = arith.constant 0 : index
  %d24 = tensor.dim %a0, %c23 : tensor<?x?xf32>
  %c25 = arith.constant 1 : index
  %d26 = tensor.dim %a0, %c25 : tensor<?x?xf32>
  %t27 = tensor.extract_slice %a0[%c3, 1] [%d24, %d26] [2, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %c28 = arith.constant 0 : index
  %d29 = tensor.dim %t27, %c28 : tensor<?x?xf32>
  %p30 = arith.cmpi eq, %d29, %d24 : index
  cf.assert %p30, "check 2"
  %p31 = arith.cmpi ule, %d26, %d14 : index
  %c32 = arith.constant 3 : index
  %v33 = arith.floordivsi %d26, %c32 : index
  %v34 = arith.muli %v33, %c32 : index
  %p35 = arith.cmpi sle, %v34, %d26 : index
  cf.assert %p35, "check 3"
  %c36 = arith.constant 4 : index
  %v37 = arith.floordivsi %c3, %c36 : index
  %v38 = arith.muli %v37, %c36 : index
  %v39 = arith.remsi %c3, %c36 : index
  %v40 = arith.addi %v38, %v39 : index
  %p41 = arith.cmpi eq, %v40, %c3 : index
  cf.assert %p41, "check 4"
  %r42 = scf.execute_region -> index {
    cf.cond_br %p35, ^b43, ^b44
  ^b43:
      cf.br ^b45(%v38 : index)
  ^b44:
      cf.br ^b45(%v40 : index)
  ^b45(%j46: index):
    scf.yield %j46 : index
  }
  return %c4 : i8
}