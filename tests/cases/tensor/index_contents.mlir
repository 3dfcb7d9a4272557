// A tensor of indices holds any numbers, unless an operation on the way takes it for a shape.

func.func @positions(%x: tensor<?xf32>, %p: tensor<?xindex>) -> f32 {
  %c0 = arith.constant 0 : index
  // expect: refuted C1 with p[0] = 0
  %i = tensor.extract %p[%c0] : tensor<?xindex>
  %natural = arith.cmpi sge, %i, %c0 : index
  // expect: refuted C1
  cf.assert %natural, "negative index"
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %inside = arith.cmpi slt, %i, %n : index
  // expect: refuted C1
  cf.assert %inside, "index too large"
  // expect: proved
  %e = tensor.extract %x[%i] : tensor<?xf32>
  return %e : f32
}

func.func @as_a_static_tensor(%p: tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  // expect: refuted C2
  %two = tensor.cast %p : tensor<?xindex> to tensor<2xindex>
  %i = tensor.extract %two[%c0] : tensor<2xindex>
  %natural = arith.cmpi sge, %i, %c0 : index
  // expect: refuted C1
  cf.assert %natural, "negative index"
  return
}

// assume: p[0] == 1
func.func @the_same_element_twice(%p: tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  %i = tensor.extract %p[%c0] : tensor<?xindex>
  %j = tensor.extract %p[%c0] : tensor<?xindex>
  %same = arith.cmpi eq, %i, %j : index
  // expect: proved
  cf.assert %same, "read twice"
  return
}

// assume: p[0] == 1
func.func @taken_for_a_shape_before(%p: tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  // expect: proved
  %first = shape.get_extent %p, %c0 : tensor<?xindex>, index -> index
  %i = tensor.extract %p[%c0] : tensor<?xindex>
  %natural = arith.cmpi sge, %i, %c0 : index
  // expect: proved
  cf.assert %natural, "negative extent"
  return
}

// assume: p[0] == 1
func.func @taken_for_a_shape_after(%p: tensor<?xindex>) -> index {
  %c0 = arith.constant 0 : index
  %i = tensor.extract %p[%c0] : tensor<?xindex>
  %natural = arith.cmpi sge, %i, %c0 : index
  // expect: refuted C1
  cf.assert %natural, "negative extent"
  // expect: proved
  %first = shape.get_extent %p, %c0 : tensor<?xindex>, index -> index
  return %first : index
}

// assume: p[0] == 1
func.func @taken_for_a_shape_on_another_way(%p: tensor<?xindex>, %b: i1) -> index {
  %c0 = arith.constant 0 : index
  %first = scf.if %b -> index {
    %extent = shape.get_extent %p, %c0 : tensor<?xindex>, index -> index
    scf.yield %extent : index
  } else {
    scf.yield %c0 : index
  }
  %i = tensor.extract %p[%c0] : tensor<?xindex>
  %natural = arith.cmpi sge, %i, %c0 : index
  // expect: refuted C1
  cf.assert %natural, "negative extent"
  return %first : index
}

// assume: p[0] == 1
func.func @taken_for_a_shape_in_every_iteration(%p: tensor<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %i = tensor.extract %p[%c0] : tensor<?xindex>
    %natural = arith.cmpi sge, %i, %c0 : index
    // expect: refuted C1
    cf.assert %natural, "negative extent"
    %extent = shape.get_extent %p, %c0 : tensor<?xindex>, index -> index
  }
  return
}

ml_program.global private @numbers(dense<[-1, -2]> : tensor<2xindex>) : tensor<?xindex>
func.func @of_a_global() {
  %c0 = arith.constant 0 : index
  // expect: approximated
  %p = ml_program.global_load @numbers : tensor<?xindex>
  // expect: undecided C1
  %i = tensor.extract %p[%c0] : tensor<?xindex>
  %natural = arith.cmpi sge, %i, %c0 : index
  // expect: undecided C1
  cf.assert %natural, "negative index"
  return
}

func.func @of_another_type(%x: tensor<?xi64>) {
  %c0 = arith.constant 0 : index
  // expect: approximated
  %p = builtin.unrealized_conversion_cast %x : tensor<?xi64> to tensor<?xindex>
  // expect: undecided C1
  %i = tensor.extract %p[%c0] : tensor<?xindex>
  %natural = arith.cmpi sge, %i, %c0 : index
  // expect: undecided C1
  cf.assert %natural, "negative index"
  return
}
