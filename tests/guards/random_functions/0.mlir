// Eight functions of the fuzzer's generator: shapesolve.program_generation.programs.module(0, 8), as it was then.
func.func @f0(%a0: tensor<?x2xf32>, %a1: i32, %a2: tensor<?xf32>) -> (index) attributes {shapesolve.assume = ["a0[0] <= 4"]} {
  %c1 = arith.constant 2 : index
  %c2 = arith.constant 1 : index
  %c3 = arith.constant 0 : index
  %c4 = arith.constant 5 : i8
  %c5 = arith.constant -7 : i32
  %c6 = arith.constant 2 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?x2xf32>
  %c9 = arith.constant 0 : index
  %d10 = tensor.dim %a2, %c9 : tensor<?xf32>
  %t11 = stablehlo.exponential %a2 : tensor<?xf32>
  %z13 = arith.constant 0.0 : f32
  %t12 = tensor.pad %a0 low[2, 0] high[0, 1] {
  ^bb0(%i14: index, %i15: index):
    tensor.yield %z13 : f32
  } : tensor<?x2xf32> to tensor<?x3xf32>
  %s16 = stablehlo.get_dimension_size %a0, dim = 0 : (tensor<?x2xf32>) -> tensor<i32>
  %v17 = tensor.extract %s16[] : tensor<i32>
  return %d8 : index
}
func.func @f1(%a0: tensor<?x?xf32>, %a1: tensor<?x?xf32>, %a2: tensor<?xf32>) -> (tensor<?x?xf32>) attributes {shapesolve.assume = ["a1[0] % 2 == 0"]} {
  %c1 = arith.constant 4 : index
  %c2 = arith.constant 3 : index
  %c3 = arith.constant 2 : index
  %c4 = arith.constant 3 : i8
  %c5 = arith.constant 5 : i32
  %c6 = arith.constant 2 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?x?xf32>
  %c9 = arith.constant 1 : index
  %d10 = tensor.dim %a0, %c9 : tensor<?x?xf32>
  %c11 = arith.constant 0 : index
  %d12 = tensor.dim %a1, %c11 : tensor<?x?xf32>
  %c13 = arith.constant 1 : index
  %d14 = tensor.dim %a1, %c13 : tensor<?x?xf32>
  %c15 = arith.constant 0 : index
  %d16 = tensor.dim %a2, %c15 : tensor<?xf32>
  %c17 = arith.constant 0 : index
  %c18 = arith.constant 1 : index
  scf.parallel (%i19) = (%c17) to (%d14) step (%c18) {
    %v20 = index.constant 3
    %v21 = index.divu %c1, %v20
    scf.reduce
  }
  %m22 = memref.alloca(%d16) : memref<?xi32>
  %c23 = arith.constant 0 : index
  memref.store %c5, %m22[%c23] : memref<?xi32>
  %c24 = arith.constant 0 : index
  %d25 = tensor.dim %a2, %c24 : tensor<?xf32>
  %c26 = arith.constant 3 : index
  %v27 = arith.divui %d25, %c26 : index
  %t28 = tensor.expand_shape %a2 [[0, 1]] output_shape [%v27, 3] : tensor<?xf32> into tensor<?x3xf32>
  %v29 = arith.index_cast %c5 : i32 to index
  return %a1 : tensor<?x?xf32>
}
func.func private @g2(%a0: tensor<?x?x?xf32>) {
  %c1 = arith.constant 0 : index
  %c2 = arith.constant 5 : index
  %c3 = arith.constant 4 : index
  %c4 = arith.constant 3 : i8
  %c5 = arith.constant 2 : i32
  %c6 = arith.constant 1 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?x?x?xf32>
  %c9 = arith.constant 1 : index
  %d10 = tensor.dim %a0, %c9 : tensor<?x?x?xf32>
  %c11 = arith.constant 2 : index
  %d12 = tensor.dim %a0, %c11 : tensor<?x?x?xf32>
  %p13 = arith.cmpi eq, %c1, %c1 : index
  cf.assert %p13, "check 1"
  %t14 = tensor.empty() : tensor<3xf32>
  %v15 = arith.index_cast %c4 : i8 to index
  %t16 = stablehlo.concatenate %a0, %a0, dim = 0 : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %v17 = tensor.dim %t14, %d8 : tensor<3xf32>
  %t18 = tosa.transpose %t16 {perms = array<i32: 2, 1, 0>} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %k19 = tosa.const_shape {values = dense<[1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %t20 = tosa.reshape %t14, %k19 : (tensor<3xf32>, !tosa.shape<2>) -> tensor<1x?xf32>
  %v21 = arith.minsi %c5, %c5 : i32
  %c22 = arith.constant 1 : index
  scf.for %i23 = %d10 to %c3 step %c22 {
    %t24 = stablehlo.concatenate %a0, %a0, dim = 2 : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    scf.yield
  }
  scf.if %p13 {
    %c25 = arith.constant 3 : index
    %r26, %r27 = scf.for %i28 = %c3 to %d10 step %c25 iter_args(%x29 = %c1, %x30 = %c4) -> (index, i8) {
      %z31 = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
      %t32 = tosa.matmul %t18, %a0, %z31, %z31 : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?xf32>
      scf.yield %i28, %x30 : index, i8
    }
    %c33 = arith.constant 2 : index
    %d34 = tensor.dim %a0, %c33 : tensor<?x?x?xf32>
    scf.yield
  }
  return
}
func.func @f2(%a0: tensor<?x?x?xf32>, %a1: tensor<3x?xf32>) -> (index, tensor<3x?xf32>) {
  %c1 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 1 : i8
  %c5 = arith.constant 5 : i32
  %c6 = arith.constant 2 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?x?x?xf32>
  %c9 = arith.constant 1 : index
  %d10 = tensor.dim %a0, %c9 : tensor<?x?x?xf32>
  %c11 = arith.constant 2 : index
  %d12 = tensor.dim %a0, %c11 : tensor<?x?x?xf32>
  %c13 = arith.constant 1 : index
  %d14 = tensor.dim %a1, %c13 : tensor<3x?xf32>
  %v15 = arith.index_cast %c1 : index to i8
  %t16 = stablehlo.maximum %a1, %a1 : tensor<3x?xf32>
  %c18 = arith.constant 1 : index
  %s17 = shape.shape_of %t16 : tensor<3x?xf32> -> tensor<2xindex>
  %r19 = shape.reduce(%s17, %c18) : tensor<2xindex> -> index {
  ^bb0(%i20: index, %e21: index, %x22: index):
    %p24 = arith.cmpi sle, %e21, %d8 : index
    cf.assert %p24, "check 1"
    %y23 = arith.addi %e21, %x22 : index
    shape.yield %y23 : index
  }
  %v25 = arith.muli %d12, %c1 : index
  %v26 = arith.maxui %c18, %v25 : index
  %t28 = linalg.copy ins(%a1 : tensor<3x?xf32>) outs(%a1 : tensor<3x?xf32>) -> tensor<3x?xf32>
  %r30 = affine.for %i29 = 0 to 3 iter_args(%x31 = %c18) -> (index) {
    %p32 = arith.cmpi uge, %c1, %v26 : index
    %t33 = tensor.cast %a0 : tensor<?x?x?xf32> to tensor<?x2x1xf32>
    affine.yield %i29 : index
  }
  return %d12, %t28 : index, tensor<3x?xf32>
}
func.func @f3(%a0: index) {
  %c1 = arith.constant 4 : index
  %c2 = arith.constant 3 : index
  %c3 = arith.constant 1 : index
  %c4 = arith.constant 1 : i8
  %c5 = arith.constant -1 : i32
  %c6 = arith.constant 127 : i64
  %v7 = arith.index_cast %c2 : index to i64
  %v8 = arith.trunci %c6 : i64 to i32
  %c9 = arith.constant 2 : i32
  %v10 = arith.divui %c5, %c9 : i32
  %v11 = affine.max affine_map<(d0)[s0] -> (d0 - s0 + 1, s0, 4)>(%c3)[%c2]
  %v12 = arith.divui %c2, %c1 : index
  %v13, %v14 = affine.delinearize_index %v12 into (2, 5) : index, index
  %c15 = arith.constant 1 : index
  %r16, %r17 = scf.for %i18 = %c15 to %c3 step %v13 iter_args(%x19 = %a0, %x20 = %v11) -> (index, index) {
    %c21 = arith.constant 2 : index
    %v22 = arith.floordivsi %v13, %c21 : index
    %v23 = arith.muli %v22, %c21 : index
    %p24 = arith.cmpi slt, %v23, %v13 : index
    cf.assert %p24, "check 1"
    %p25 = arith.cmpi uge, %v14, %v14 : index
    cf.assert %p25, "check 2"
    scf.yield %x19, %c21 : index, index
  }
  return
}
func.func @f4(%a0: tensor<?xf32>, %a1: tensor<?xf32>, %a2: tensor<?xf32>) attributes {shapesolve.assume = ["a1[0] <= 4"]} {
  %c1 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 1 : index
  %c4 = arith.constant 127 : i8
  %c5 = arith.constant -1 : i32
  %c6 = arith.constant 1 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?xf32>
  %c9 = arith.constant 0 : index
  %d10 = tensor.dim %a1, %c9 : tensor<?xf32>
  %c11 = arith.constant 0 : index
  %d12 = tensor.dim %a2, %c11 : tensor<?xf32>
  %v13 = shape.mul %c3, %d12 : index, index -> index
  %v14 = arith.addi %c4, %c4 : i8
  %v15 = arith.subi %v14, %c4 : i8
  %p16 = arith.cmpi eq, %v15, %c4 : i8
  cf.assert %p16, "check 1"
  %t17 = tensor.generate %c2 {
  ^bb0(%i18: index):
    %p19 = arith.cmpi slt, %i18, %v13 : index
    cf.assert %p19, "check 2"
    tensor.yield %c2 : index
  } : tensor<?xindex>
  return
}
func.func @f5(%a0: tensor<?x?x?xf32>, %a1: tensor<?xf32>) {
  %c1 = arith.constant 4 : index
  %c2 = arith.constant 3 : index
  %c3 = arith.constant 0 : index
  %c4 = arith.constant 1 : i8
  %c5 = arith.constant 127 : i32
  %c6 = arith.constant 1 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?x?x?xf32>
  %c9 = arith.constant 1 : index
  %d10 = tensor.dim %a0, %c9 : tensor<?x?x?xf32>
  %c11 = arith.constant 2 : index
  %d12 = tensor.dim %a0, %c11 : tensor<?x?x?xf32>
  %c13 = arith.constant 0 : index
  %d14 = tensor.dim %a1, %c13 : tensor<?xf32>
  %t15 = tensor.concat dim(0) %a0, %a0 : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  func.call @g2(%t15) : (tensor<?x?x?xf32>) -> ()
  %v16 = index.mul %d8, %d10
  return
}
func.func @f6(%a0: tensor<?xf32>, %a1: tensor<1xindex>) -> (tensor<?x1xf32>) {
  %c1 = arith.constant 5 : index
  %c2 = arith.constant 0 : index
  %c3 = arith.constant 2 : index
  %c4 = arith.constant 100 : i8
  %c5 = arith.constant 0 : i32
  %c6 = arith.constant 3 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?xf32>
  %c9 = arith.constant 0 : index
  %d10 = tensor.dim %a0, %c9 : tensor<?xf32>
  %c11 = arith.constant 1 : index
  %v12 = arith.ceildivsi %d10, %c11 : index
  %t13 = tensor.expand_shape %a0 [[0, 1]] output_shape [%v12, 1] : tensor<?xf32> into tensor<?x1xf32>
  %p14 = arith.cmpi sgt, %c5, %c5 : i32
  %v15 = arith.addi %c4, %c4 : i8
  %v16 = arith.subi %v15, %c4 : i8
  %p17 = arith.cmpi eq, %v16, %c4 : i8
  cf.assert %p17, "check 1"
  %v18 = arith.extsi %v15 : i8 to i32
  %c19 = arith.constant 0 : index
  %d20 = tensor.dim %a0, %c19 : tensor<?xf32>
  return %t13 : tensor<?x1xf32>
}
func.func @f7(%a0: tensor<?xf32>) -> (i8) {
  %c1 = arith.constant 5 : index
  %c2 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 5 : i8
  %c5 = arith.constant 100 : i32
  %c6 = arith.constant 1 : i64
  %c7 = arith.constant 0 : index
  %d8 = tensor.dim %a0, %c7 : tensor<?xf32>
  %t9 = tensor.concat dim(0) %a0, %a0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %c10 = arith.constant 0 : index
  %d11 = tensor.dim %t9, %c10 : tensor<?xf32>
  %c12 = arith.constant 0 : index
  %d13 = tensor.dim %a0, %c12 : tensor<?xf32>
  %p14 = arith.cmpi sge, %d11, %d13 : index
  cf.assert %p14, "check 1"
  %r15 = scf.execute_region -> index {
    cf.cond_br %p14, ^b16, ^b17
  ^b16:
      cf.br ^b18(%d13 : index)
  ^b17:
      cf.br ^b18(%d8 : index)
  ^b18(%j19: index):
    scf.yield %j19 : index
  }
  %v20 = math.ctlz %c5 : i32
  return %c4 : i8
}