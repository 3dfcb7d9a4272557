// Eight functions of the fuzzer's generator: shapesolve.program_generation.programs.module(1, 8), as it was then.
func.func private @g0(%a0: tensor<?x?xf32>) -> (tensor<?x?xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 0 : i8
  %c5 = arith.constant 127 : i32
  %c6 = arith.constant 127 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?x?xf32>
  %c9 = arith.constant 1 : index
  %d10 = tensor.dim %a0, %c9 : tensor<?x?xf32>
  %c11 = arith.constant 0 : index
  %c12 = arith.constant 1 : index
  %r13, %r14 = scf.for %i15 = %c11 to %c3 step %c12 iter_args(%x16 = %a0, %x17 = %c5) -> (tensor<?x?xf32>, i32) {
    %p18 = arith.cmpi eq, %d10, %c12 : index
    cf.assert %p18, "check 1"
    %t19 = linalg.mul ins(%a0, %x16 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%x16 : tensor<?x?xf32>) -> tensor<?x?xf32>
    %t20 = linalg.add ins(%t19, %a0 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%x16 : tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %t20, %x17 : tensor<?x?xf32>, i32
  }
  %t21 = tosa.transpose %r13 {perms = array<i32: 0, 1>} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %t22 = tosa.transpose %a0 {perms = array<i32: 1, 0>} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %v23 = arith.ori %c2, %c1 : index
  %c24 = arith.constant 1 : index
  %r25, %r26 = scf.for %i27 = %d8 to %c11 step %c24 iter_args(%x28 = %c24, %x29 = %c11) -> (index, index) {
    %s30 = shape.shape_of %t22 : tensor<?x?xf32> -> tensor<2xindex>
    %c31 = arith.constant 1 : index
    %v32 = shape.get_extent %s30, %c31 : tensor<2xindex>, index -> index
    %r33 = scf.index_switch %c1 -> index
    case 3 {
      scf.yield %x28 : index
    }
    case 2 {
      scf.yield %c3 : index
    }
    default {
      scf.yield %c31 : index
    }
    scf.yield %r33, %x29 : index, index
  }
  %v34 = index.add %d10, %v23
  %v35 = math.ctpop %c5 : i32
  %c36 = arith.constant 0 : index
  %d37 = tensor.dim %a0, %c36 : tensor<?x?xf32>
  %c38 = arith.constant 0 : index
  %d39 = tensor.dim %t22, %c38 : tensor<?x?xf32>
  %c40 = arith.constant 2 : index
  %v41 = arith.minsi %v34, %c12 : index
  %v42 = arith.maxsi %v34, %c12 : index
  %v43 = arith.addi %v41, %v42 : index
  %v44 = arith.addi %v34, %c12 : index
  %p45 = arith.cmpi eq, %v43, %v44 : index
  cf.assert %p45, "check 2"
  %p46 = arith.xori %p45, %p45 : i1
  %s47 = stablehlo.get_dimension_size %r13, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %v48 = tensor.extract %s47[] : tensor<i32>
  %p49 = arith.cmpi eq, %r26, %d39 : index
  cf.assert %p49, "check 3"
  %p50 = arith.cmpi sgt, %v41, %r25 : index
  return %r13 : tensor<?x?xf32>
}
func.func @f0(%a0: tensor<?xf32>) -> (index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 2 : i8
  %c5 = arith.constant -7 : i32
  %c6 = arith.constant 0 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?xf32>
  %s9 = shape.shape_of %a0 : tensor<?xf32> -> tensor<1xindex>
  %c10 = arith.constant 0 : index
  %v11 = shape.get_extent %s9, %c10 : tensor<1xindex>, index -> index
  %v12 = arith.index_castui %c5 : i32 to index
  %v13 = arith.subi %c3, %c3 : index
  %t14 = stablehlo.maximum %a0, %a0 : tensor<?xf32>
  %p15 = arith.cmpi eq, %v11, %v12 : index
  cf.assert %p15, "check 1"
  %t16 = tensor.cast %a0 : tensor<?xf32> to tensor<4xf32>
  %p17 = arith.cmpi sge, %v13, %v11 : index
  %v18 = arith.trunci %c6 : i64 to i8
  %s19 = shape.shape_of %t16 : tensor<4xf32> -> tensor<1xindex>
  %s20 = shape.const_shape [2, 1] : tensor<2xindex>
  %s21 = shape.concat %s19, %s20 : tensor<1xindex>, tensor<2xindex> -> tensor<?xindex>
  %v22 = shape.num_elements %s19 : tensor<1xindex> -> index
  %s23 = tensor.from_elements %c1 : tensor<1xindex>
  %t24 = tensor.reshape %t16(%s23) : (tensor<4xf32>, tensor<1xindex>) -> tensor<?xf32>
  %v25 = shape.add %v11, %c1 : index, index -> index
  %v26, %v27 = arith.mulsi_extended %c5, %c5 : i32
  return %c2 : index
}
func.func @f1(%a0: tensor<?x?x?xf32>, %a1: tensor<?xf32>) -> (i8, i32) {
  %c1 = arith.constant 2 : index
  %c2 = arith.constant 4 : index
  %c3 = arith.constant 5 : index
  %c4 = arith.constant -1 : i8
  %c5 = arith.constant 127 : i32
  %c6 = arith.constant 100 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?x?x?xf32>
  %c9 = arith.constant 1 : index
  %d10 = tensor.dim %a0, %c9 : tensor<?x?x?xf32>
  %c11 = arith.constant 2 : index
  %d12 = tensor.dim %a0, %c11 : tensor<?x?x?xf32>
  %c13 = arith.constant 0 : index
  %d14 = tensor.dim %a1, %c13 : tensor<?xf32>
  %v15 = arith.subi %c6, %c6 : i64
  %c16 = arith.constant 2 : index
  %v17 = arith.remsi %c3, %c16 : index
  %p18 = arith.cmpi slt, %v17, %c16 : index
  cf.assert %p18, "check 1"
  %s19 = tensor.from_elements %c5 : tensor<i32>
  %s20 = tensor.from_elements %c5 : tensor<i32>
  %s21 = stablehlo.minimum %s19, %s20 : tensor<i32>
  %s22 = stablehlo.compare GE, %s21, %s20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %v23 = tensor.extract %s21[] : tensor<i32>
  %p24 = tensor.extract %s22[] : tensor<i1>
  %c25 = arith.constant 0 : index
  %d26 = tensor.dim %a1, %c25 : tensor<?xf32>
  %t27 = tensor.extract_slice %a1[1] [%d26] [1] : tensor<?xf32> to tensor<?xf32>
  %s28 = shape.shape_of %a0 : tensor<?x?x?xf32> -> tensor<3xindex>
  %v29 = shape.num_elements %s28 : tensor<3xindex> -> index
  %v30 = arith.subi %c2, %c16 : index
  %v31 = arith.addi %v23, %v23 : i32
  %p32 = arith.cmpi sge, %v31, %v23 : i32
  cf.assert %p32, "check 2"
  %t33 = linalg.add ins(%a1, %a1 : tensor<?xf32>, tensor<?xf32>) outs(%a1 : tensor<?xf32>) -> tensor<?xf32>
  %v34 = math.absi %v23 : i32
  %v35 = arith.index_cast %d10 : index to i8
  %p36 = arith.cmpi sle, %d26, %v17 : index
  %v37 = arith.select %p24, %d26, %v17 : index
  return %v35, %c5 : i8, i32
}
func.func @f2(%a0: i32) -> (index) {
  %c1 = arith.constant 4 : index
  %c2 = arith.constant 0 : index
  %c3 = arith.constant 5 : index
  %c4 = arith.constant 100 : i8
  %c5 = arith.constant 2 : i32
  %c6 = arith.constant 2 : i64
  %c7 = arith.constant 4 : index
  %v8 = arith.remsi %c2, %c7 : index
  %p9 = arith.cmpi slt, %v8, %c7 : index
  cf.assert %p9, "check 1"
  cf.assert %p9, "check 2"
  %r10 = scf.if %p9 -> (i32) {
    %r11, %r12 = scf.if %p9 -> (i8, index) {
      %v13 = arith.select %p9, %c4, %c4 : i8
      scf.if %p9 {
        %v14 = arith.select %p9, %c1, %c7 : index
        %t15 = tensor.empty(%c1, %v8) : tensor<?x?xf32>
        %c16 = arith.constant 1 : index
        %d17 = tensor.dim %t15, %c16 : tensor<?x?xf32>
        %p18 = arith.cmpi eq, %d17, %v8 : index
        cf.assert %p18, "check 3"
        %c20 = arith.constant 1 : index
        %s19 = shape.shape_of %t15 : tensor<?x?xf32> -> tensor<2xindex>
        %r21 = shape.reduce(%s19, %c20) : tensor<2xindex> -> index {
        ^bb0(%i22: index, %e23: index, %x24: index):
          %y25 = arith.muli %e23, %x24 : index
          shape.yield %y25 : index
        }
        scf.yield
      }
      scf.yield %v13, %c7 : i8, index
    } else {
      %v26 = arith.select %p9, %c7, %c1 : index
      %c27 = arith.constant 3 : index
      %v28 = arith.addi %c3, %v8 : index
      %v29 = arith.subi %v28, %v8 : index
      %p30 = arith.cmpi eq, %v29, %c3 : index
      cf.assert %p30, "check 4"
      %w31 = shape.cstr_require %p30, "check 5"
      scf.yield %c4, %c27 : i8, index
    }
    scf.yield %a0 : i32
  } else {
    %c32 = arith.constant 0 : index
    %c33 = arith.constant 1 : index
    %r34, %r35 = scf.for %i36 = %c32 to %c2 step %c33 iter_args(%x37 = %c5, %x38 = %c33) -> (i32, index) {
      scf.yield %a0, %c1 : i32, index
    }
    scf.yield %r34 : i32
  }
  return %c7 : index
}
func.func @f3(%a0: tensor<?x?x?xf32>, %a1: tensor<?x?xf32>) -> (i32) {
  %c1 = arith.constant 2 : index
  %c2 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 1 : i8
  %c5 = arith.constant 127 : i32
  %c6 = arith.constant 127 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?x?x?xf32>
  %c9 = arith.constant 1 : index
  %d10 = tensor.dim %a0, %c9 : tensor<?x?x?xf32>
  %c11 = arith.constant 2 : index
  %d12 = tensor.dim %a0, %c11 : tensor<?x?x?xf32>
  %c13 = arith.constant 0 : index
  %d14 = tensor.dim %a1, %c13 : tensor<?x?xf32>
  %c15 = arith.constant 1 : index
  %d16 = tensor.dim %a1, %c15 : tensor<?x?xf32>
  %t17 = tosa.floor %a0 : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %z18 = arith.constant 0.0 : f32
  %t19 = linalg.fill ins(%z18 : f32) outs(%a1 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %t20 = tosa.reduce_sum %t17 {axis = 2 : i32} : (tensor<?x?x?xf32>) -> tensor<?x?x1xf32>
  %t21 = stablehlo.multiply %t20, %t20 : tensor<?x?x1xf32>
  %v22 = affine.linearize_index [%c2, %d8] by (4, 5) : index
  return %c5 : i32
}
func.func @f4(%a0: index, %a1: tensor<?xf32>) {
  %c1 = arith.constant 3 : index
  %c2 = arith.constant 4 : index
  %c3 = arith.constant 2 : index
  %c4 = arith.constant 2 : i8
  %c5 = arith.constant -1 : i32
  %c6 = arith.constant 5 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a1, %c7 : tensor<?xf32>
  %c9 = arith.constant 4 : index
  %v10 = arith.floordivsi %d8, %c9 : index
  %v11 = arith.muli %v10, %c9 : index
  %p12 = arith.cmpi sle, %v11, %d8 : index
  cf.assert %p12, "check 1"
  %t13 = linalg.mul ins(%a1, %a1 : tensor<?xf32>, tensor<?xf32>) outs(%a1 : tensor<?xf32>) -> tensor<?xf32>
  cf.assert %p12, "check 2"
  %v14 = arith.subi %v11, %a0 : index
  cf.assert %p12, "check 3"
  %v15 = arith.select %p12, %c5, %c5 : i32
  %v16 = arith.select %p12, %v15, %c5 : i32
  %v17 = affine.apply affine_map<(d0)[s0] -> (d0 mod 3 + s0)>(%c1)[%c9]
  %z19 = arith.constant 0.0 : f32
  %t18 = tensor.pad %t13 low[%v11] high[2] {
  ^bb0(%i20: index):
    tensor.yield %z19 : f32
  } : tensor<?xf32> to tensor<?xf32>
  %s21 = tensor.from_elements %v11 : tensor<1xindex>
  %t22 = tensor.reshape %a1(%s21) : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %t23 = tensor.empty() : tensor<1xf32>
  %v24 = arith.addi %a0, %v10 : index
  %t25 = stablehlo.exponential %t23 : tensor<1xf32>
  %t26 = tosa.transpose %t23 {perms = array<i32: 0>} : (tensor<1xf32>) -> tensor<1xf32>
  return
}
func.func private @g5(%a0: tensor<1xf32>, %a1: index, %a2: index) -> (index) {
  %c1 = arith.constant 0 : index
  %c2 = arith.constant 5 : index
  %c3 = arith.constant 4 : index
  %c4 = arith.constant 0 : i8
  %c5 = arith.constant -1 : i32
  %c6 = arith.constant 100 : i64
  %v7 = arith.addi %c4, %c4 : i8
  %p8 = arith.cmpi sge, %v7, %c4 : i8
  cf.assert %p8, "check 1"
  %c9 = arith.constant 2 : index
  %v10 = arith.divui %c1, %c9 : index
  %c11 = arith.constant 3 : index
  %v12 = arith.divui %v10, %c11 : index
  %t13 = tosa.concat %a0, %a0 {axis = 0 : i32} : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  %t14 = tosa.pow %t13, %a0 : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  %w15 = shape.cstr_require %p8, "check 2"
  scf.if %p8 {
    %r16 = scf.if %p8 -> (tensor<1xf32>) {
      scf.yield %a0 : tensor<1xf32>
    } else {
      %c17 = arith.constant 0 : index
      %v18 = arith.shrsi %a2, %c17 : index
      %p19 = index.cmp sge(%c11, %c17)
      %v20 = index.sub %a1, %c9
      scf.yield %a0 : tensor<1xf32>
    }
    scf.yield
  } else {
    cf.assert %p8, "check 3"
    cf.assert %p8, "check 4"
    %t21 = linalg.mul ins(%a0, %a0 : tensor<1xf32>, tensor<1xf32>) outs(%a0 : tensor<1xf32>) -> tensor<1xf32>
    %p22 = arith.cmpi ugt, %c3, %c2 : index
    scf.yield
  }
  %c23 = arith.constant 0 : index
  %d24 = tensor.dim %t14, %c23 : tensor<2xf32>
  %s25 = shape.shape_of %a0 : tensor<1xf32> -> tensor<1xindex>
  %c26 = arith.constant 0 : index
  %v27 = shape.get_extent %s25, %c26 : tensor<1xindex>, index -> index
  %t28 = tensor.concat dim(0) %t14, %t13 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %c29 = arith.constant 0 : index
  %d30 = tensor.dim %s25, %c29 : tensor<1xindex>
  %s31 = tensor.from_elements %c5 : tensor<i32>
  %s32 = tensor.from_elements %c5 : tensor<i32>
  %s33 = stablehlo.multiply %s31, %s32 : tensor<i32>
  %s34 = stablehlo.compare GE, %s33, %s32, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %v35 = tensor.extract %s33[] : tensor<i32>
  %p36 = tensor.extract %s34[] : tensor<i1>
  %s37 = tensor.splat %d30[%c1] : tensor<?xindex>
  affine.parallel (%i38) = (0) to (0) {
    %s39 = shape.shape_of %t14 : tensor<2xf32> -> tensor<1xindex>
    %c40 = arith.constant 0 : index
    %v41 = shape.get_extent %s39, %c40 : tensor<1xindex>, index -> index
    %t42 = tensor.insert_slice %t14 into %t28[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
  }
  return %v12 : index
}
func.func @f5(%a0: memref<?xi32>, %a1: tensor<?x?x1xf32>) -> (tensor<2xf32>) {
  %c1 = arith.constant 4 : index
  %c2 = arith.constant 3 : index
  %c3 = arith.constant 0 : index
  %c4 = arith.constant 100 : i8
  %c5 = arith.constant -1 : i32
  %c6 = arith.constant 5 : i64
  %c7 = arith.constant 0 : index
  %d8 = memref.dim %a0, %c7 : memref<?xi32>
  %c9 = arith.constant 0 : index
  %d10 = tensor.dim %a1, %c9 : tensor<?x?x1xf32>
  %c11 = arith.constant 1 : index
  %d12 = tensor.dim %a1, %c11 : tensor<?x?x1xf32>
  %s13 = shape.shape_of %a1 : tensor<?x?x1xf32> -> tensor<3xindex>
  %s14 = shape.shape_of %a1 : tensor<?x?x1xf32> -> tensor<3xindex>
  %w15 = shape.cstr_eq %s13, %s14 : tensor<3xindex>, tensor<3xindex>
  %s16 = shape.assuming %w15 -> (tensor<3xindex>) {
    %s17 = shape.broadcast %s13, %s14 : tensor<3xindex>, tensor<3xindex> -> tensor<3xindex>
    shape.assuming_yield %s17 : tensor<3xindex>
  }
  %v18, %v19 = arith.mulsi_extended %c5, %c5 : i32
  %p20 = arith.cmpi uge, %d8, %d10 : index
  cf.assert %p20, "check 1"
  %t21 = tensor.empty() : tensor<2xf32>
  %v22 = memref.load %a0[%d10] : memref<?xi32>
  return %t21 : tensor<2xf32>
}
func.func @f6(%a0: tensor<?x?xf32>, %a1: i8) -> (tensor<?x?xf32>) {
  %c1 = arith.constant 5 : index
  %c2 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 0 : i8
  %c5 = arith.constant 100 : i32
  %c6 = arith.constant 127 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?x?xf32>
  %c9 = arith.constant 1 : index
  %d10 = tensor.dim %a0, %c9 : tensor<?x?xf32>
  %c11 = arith.constant 2 : index
  %v12 = arith.divui %c1, %c11 : index
  %p13 = arith.cmpi ule, %v12, %c1 : index
  cf.assert %p13, "check 1"
  %c14 = arith.constant 3 : index
  %v15 = arith.remsi %c11, %c14 : index
  %p16 = arith.cmpi slt, %v15, %c14 : index
  cf.assert %p16, "check 2"
  %p17 = arith.cmpi sgt, %d10, %v12 : index
  %r18 = scf.if %p17 -> (i32) {
    %v19 = arith.addi %v12, %c2 : index
    scf.if %p13 {
      %v20 = shape.add %v15, %c1 : index, index -> index
      %t21 = linalg.transpose ins(%a0 : tensor<?x?xf32>) outs(%a0 : tensor<?x?xf32>) permutation = [1, 0]
      %v22 = arith.select %p13, %c2, %c2 : index
      scf.yield
    }
    scf.yield %c5 : i32
  } else {
    %v23 = arith.index_castui %v12 : index to i8
    %t24 = tensor.concat dim(0) %a0, %a0, %a0 : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %r25 = scf.if %p16 -> (tensor<?x?xf32>) {
      scf.yield %a0 : tensor<?x?xf32>
    } else {
      %c26 = arith.constant 3 : index
      %v27 = arith.addi %v12, %v12 : index
      %v28 = arith.subi %v27, %v12 : index
      %p29 = arith.cmpi eq, %v28, %v12 : index
      cf.assert %p29, "check 3"
      %w30 = shape.cstr_require %p16, "check 4"
      scf.yield %t24 : tensor<?x?xf32>
    }
    scf.yield %c5 : i32
  }
  %c31 = arith.constant 3 : index
  %v32 = arith.maxsi %d10, %c14 : index
  %p33 = arith.cmpi sge, %v32, %d10 : index
  cf.assert %p33, "check 5"
  %c34 = arith.constant 0 : index
  %d35 = tensor.dim %a0, %c34 : tensor<?x?xf32>
  %c36 = arith.constant 2 : index
  %v37 = arith.remui %d35, %c36 : index
  %t38 = stablehlo.concatenate %a0, %a0, dim = 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %s39 = tensor.from_elements %c1, %v37 : tensor<2xindex>
  %t40 = stablehlo.dynamic_reshape %a0, %s39 : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  cf.assert %p16, "check 6"
  %v41 = arith.minui %v37, %c36 : index
  cf.assert %p16, "check 7"
  return %a0 : tensor<?x?xf32>
}
func.func private @g7(%a0: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c1 = arith.constant 4 : index
  %c2 = arith.constant 0 : index
  %c3 = arith.constant 2 : index
  %c4 = arith.constant 0 : i8
  %c5 = arith.constant 1 : i32
  %c6 = arith.constant 2 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?xf32>
  %c9 = arith.constant 3 : index
  %v10 = arith.floordivsi %c3, %c9 : index
  %v11 = arith.muli %v10, %c9 : index
  %p12 = arith.cmpi sle, %v11, %c3 : index
  cf.assert %p12, "check 1"
  %w13 = shape.cstr_require %p12, "check 2"
  %t14 = tensor.insert_slice %a0 into %a0[0] [%c9] [1] : tensor<?xf32> into tensor<?xf32>
  %p15 = arith.cmpi ule, %v10, %c3 : index
  cf.assert %p15, "check 3"
  scf.if %p15 {
    %r16, %r17 = scf.if %p12 -> (tensor<?xf32>, tensor<?xf32>) {
      %t18 = tensor.cast %a0 : tensor<?xf32> to tensor<4xf32>
      %t19 = tensor.concat dim(0) %t14, %a0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %c20 = arith.constant 0 : index
      %d21 = tensor.dim %t19, %c20 : tensor<?xf32>
      %c22 = arith.constant 0 : index
      %d23 = tensor.dim %t14, %c22 : tensor<?xf32>
      %p24 = arith.cmpi sge, %d21, %d23 : index
      cf.assert %p24, "check 4"
      scf.yield %t14, %a0 : tensor<?xf32>, tensor<?xf32>
    } else {
      %s25 = shape.shape_of %t14 : tensor<?xf32> -> tensor<1xindex>
      %s26 = shape.shape_of %t14 : tensor<?xf32> -> tensor<1xindex>
      %w27 = shape.cstr_broadcastable %s25, %s26 : tensor<1xindex>, tensor<1xindex>
      %s28 = shape.assuming %w27 -> (tensor<1xindex>) {
        %s29 = shape.broadcast %s25, %s26 : tensor<1xindex>, tensor<1xindex> -> tensor<1xindex>
        shape.assuming_yield %s29 : tensor<1xindex>
      }
      %v30 = arith.addi %v11, %c9 : index
      %m31 = memref.alloc(%v10) : memref<?xindex>
      %c32 = arith.constant 0 : index
      memref.store %d8, %m31[%c32] : memref<?xindex>
      scf.yield %a0, %t14 : tensor<?xf32>, tensor<?xf32>
    }
    scf.yield
  }
  %v33 = arith.index_castui %d8 : index to i64
  %c34 = arith.constant 3 : index
  %v35 = arith.ceildivsi %v11, %c34 : index
  %v36 = arith.addi %v11, %c34 : index
  %v37 = arith.divsi %v36, %c34 : index
  %p38 = arith.cmpi sle, %v35, %v37 : index
  cf.assert %p38, "check 5"
  %v39 = arith.addi %c5, %c5 : i32
  %p40 = arith.cmpi sge, %v39, %c5 : i32
  cf.assert %p40, "check 6"
  %v41 = tensor.dim %a0, %v37 : tensor<?xf32>
  %v42 = tensor.dim %a0, %d8 : tensor<?xf32>
  %t43 = tensor.extract_slice %t14[0] [%v42] [2] : tensor<?xf32> to tensor<?xf32>
  %c44 = arith.constant 0 : index
  %d45 = tensor.dim %t43, %c44 : tensor<?xf32>
  %p46 = arith.cmpi eq, %d45, %v42 : index
  cf.assert %p46, "check 7"
  return %t43, %a0 : tensor<?xf32>, tensor<?xf32>
}
func.func @f7(%a0: tensor<?x?xf32>, %a1: tensor<?xf32>) -> (index, tensor<?x?xf32>) attributes {shapesolve.assume = ["a1[0] % 2 == 0"]} {
  %c1 = arith.constant 3 : index
  %c2 = arith.constant 4 : index
  %c3 = arith.constant 2 : index
  %c4 = arith.constant 2 : i8
  %c5 = arith.constant 2 : i32
  %c6 = arith.constant -7 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?x?xf32>
  %c9 = arith.constant 1 : index
  %d10 = tensor.dim %a0, %c9 : tensor<?x?xf32>
  %c11 = arith.constant 0 : index
  %d12 = tensor.dim %a1, %c11 : tensor<?xf32>
  %t13 = linalg.transpose ins(%a0 : tensor<?x?xf32>) outs(%a0 : tensor<?x?xf32>) permutation = [1, 0]
  affine.parallel (%i14) = (0) to (3) {
  }
  return %d8, %a0 : index, tensor<?x?xf32>
}