// What a branch yields is one of two shapes, of different or unknown ranks; what is demanded of it later is decided.

func.func @broadcasts_with_both(%c: i1, %x: tensor<*xf32>, %y: tensor<*xf32>, %z: tensor<*xf32>) {
  %sx = shape.shape_of %x : tensor<*xf32> -> !shape.shape
  %sy = shape.shape_of %y : tensor<*xf32> -> !shape.shape
  %sz = shape.shape_of %z : tensor<*xf32> -> !shape.shape
  // expect: refuted C1
  %w0 = shape.cstr_broadcastable %sx, %sz : !shape.shape, !shape.shape
  // expect: refuted C1
  %w1 = shape.cstr_broadcastable %sy, %sz : !shape.shape, !shape.shape
  %s = scf.if %c -> !shape.shape {
    scf.yield %sx : !shape.shape
  } else {
    scf.yield %sy : !shape.shape
  }
  // expect: proved C1
  %w2 = shape.cstr_broadcastable %s, %sz : !shape.shape, !shape.shape
  return
}

func.func @broadcasts_with_one(%c: i1, %x: tensor<*xf32>, %y: tensor<*xf32>, %z: tensor<*xf32>) {
  %sx = shape.shape_of %x : tensor<*xf32> -> !shape.shape
  %sy = shape.shape_of %y : tensor<*xf32> -> !shape.shape
  %sz = shape.shape_of %z : tensor<*xf32> -> !shape.shape
  // expect: refuted C1
  %w0 = shape.cstr_broadcastable %sx, %sz : !shape.shape, !shape.shape
  %s = scf.if %c -> !shape.shape {
    scf.yield %sx : !shape.shape
  } else {
    scf.yield %sy : !shape.shape
  }
  // expect: refuted C1
  %w1 = shape.cstr_broadcastable %s, %sz : !shape.shape, !shape.shape
  return
}

// Both orders have the same number of elements and the same rank, but not the same extents.
func.func @either_order(%c: i1, %x: tensor<*xf32>, %y: tensor<*xf32>) {
  %sx = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
  %sy = shape.shape_of %y : tensor<*xf32> -> tensor<?xindex>
  %s = scf.if %c -> tensor<?xindex> {
    %xy = shape.concat %sx, %sy : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
    scf.yield %xy : tensor<?xindex>
  } else {
    %yx = shape.concat %sy, %sx : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
    scf.yield %yx : tensor<?xindex>
  }
  %n = shape.num_elements %s : tensor<?xindex> -> index
  %nx = shape.num_elements %sx : tensor<?xindex> -> index
  %ny = shape.num_elements %sy : tensor<?xindex> -> index
  %product = arith.muli %nx, %ny : index
  %same_number = arith.cmpi eq, %n, %product : index
  // expect: proved C1
  cf.assert %same_number, "the number of elements is the product"
  %joined = shape.concat %sx, %sy : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
  %r = shape.rank %s : tensor<?xindex> -> index
  %rj = shape.rank %joined : tensor<?xindex> -> index
  %same_rank = arith.cmpi eq, %r, %rj : index
  // expect: proved C1
  cf.assert %same_rank, "the rank is the sum"
  %same = shape.shape_eq %s, %joined : tensor<?xindex>, tensor<?xindex>
  // expect: refuted C1
  cf.assert %same, "the extents are the same"
  return
}

// A broadcast that is not chosen is asked nothing.
// assume: c == 0
func.func @not_chosen(%c: i1, %x: !shape.shape, %y: !shape.shape, %z: !shape.shape) {
  %s = scf.if %c -> !shape.shape {
    %b = shape.broadcast %x, %y : !shape.shape, !shape.shape -> !shape.shape
    scf.yield %b : !shape.shape
  } else {
    scf.yield %z : !shape.shape
  }
  // expect: proved C1
  %w = shape.cstr_eq %s, %z : !shape.shape, !shape.shape
  return
}

// assume: c == 1
func.func @chosen(%c: i1, %x: !shape.shape, %y: !shape.shape, %z: !shape.shape) {
  %s = scf.if %c -> !shape.shape {
    %b = shape.broadcast %x, %y : !shape.shape, !shape.shape -> !shape.shape
    scf.yield %b : !shape.shape
  } else {
    scf.yield %z : !shape.shape
  }
  // expect: refuted C1
  %w = shape.cstr_broadcastable %s, %z : !shape.shape, !shape.shape
  return
}

func.func @a_scalar_or_not(%c: i1, %x: tensor<?xf32>) {
  %scalar = shape.const_shape [] : !shape.shape
  %sx = shape.shape_of %x : tensor<?xf32> -> !shape.shape
  %s = scf.if %c -> !shape.shape {
    scf.yield %sx : !shape.shape
  } else {
    scf.yield %scalar : !shape.shape
  }
  // expect: proved C1
  %w0 = shape.cstr_broadcastable %s, %sx : !shape.shape, !shape.shape
  // expect: refuted C1
  %w1 = shape.cstr_eq %s, %sx : !shape.shape, !shape.shape
  return
}

// Between blocks, too; each way to choose is a claim of its own.
func.func @one_of_three(%c: i1, %d: i1, %x: !shape.shape, %y: !shape.shape, %z: !shape.shape) -> !shape.shape {
  cf.cond_br %c, ^a, ^b
^a:
  cf.cond_br %d, ^m(%x : !shape.shape), ^m(%y : !shape.shape)
^b:
  cf.br ^m(%z : !shape.shape)
^m(%s: !shape.shape):
  %e = shape.shape_eq %s, %x : !shape.shape, !shape.shape
  %f = shape.shape_eq %s, %y : !shape.shape, !shape.shape
  %g = shape.shape_eq %s, %z : !shape.shape, !shape.shape
  %h = arith.ori %e, %f : i1
  %i = arith.ori %h, %g : i1
  // expect: proved C1
  cf.assert %i, "one of three"
  // expect: refuted C1
  cf.assert %h, "one of two"
  return %s : !shape.shape
}

func.func @as_many_elements_as_either(%k: index, %x: tensor<*xf32>, %y: tensor<?x?xf32>) {
  %sx = shape.shape_of %x : tensor<*xf32> -> !shape.shape
  %sy = shape.shape_of %y : tensor<?x?xf32> -> !shape.shape
  %s = scf.index_switch %k -> !shape.shape
  case 0 {
    scf.yield %sx : !shape.shape
  }
  case 1 {
    scf.yield %sy : !shape.shape
  }
  default {
    %scalar = shape.const_shape [] : !shape.shape
    scf.yield %scalar : !shape.shape
  }
  %n = shape.num_elements %s : !shape.shape -> !shape.size
  %nx = shape.num_elements %sx : !shape.shape -> !shape.size
  %ny = shape.num_elements %sy : !shape.shape -> !shape.size
  %i = shape.size_to_index %n : !shape.size
  %ix = shape.size_to_index %nx : !shape.size
  %iy = shape.size_to_index %ny : !shape.size
  %c1 = arith.constant 1 : index
  %xy = arith.maxsi %ix, %iy : index
  %most = arith.maxsi %xy, %c1 : index
  %fits = arith.cmpi sle, %i, %most : index
  // expect: proved C1
  cf.assert %fits, "no more than either"
  %less = arith.cmpi sle, %i, %xy : index
  // expect: refuted C1
  cf.assert %less, "a scalar has one"
  return
}
