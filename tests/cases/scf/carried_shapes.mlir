// What stays the same in a shape that a loop carries is proved by induction, extent by extent.

func.func @one_extent_grows(%a: tensor<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = shape.const_size 0
  %k1 = shape.const_size 1
  %s = shape.shape_of %a : tensor<?x?xf32> -> !shape.shape
  // expect: proved
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!shape.shape) {
    %x = shape.get_extent %t, %k0 : !shape.shape, !shape.size -> !shape.size
    %y = shape.get_extent %t, %k1 : !shape.shape, !shape.size -> !shape.size
    %more = shape.add %x, %k1 : !shape.size, !shape.size -> !shape.size
    %u = shape.from_extents %more, %y : !shape.size, !shape.size
    scf.yield %u : !shape.shape
  }
  %rows = shape.get_extent %r, %k0 : !shape.shape, !shape.size -> !shape.size
  %columns = shape.get_extent %r, %k1 : !shape.shape, !shape.size -> !shape.size
  // expect: proved
  %i0 = shape.size_to_index %rows : !shape.size
  // expect: proved
  %i1 = shape.size_to_index %columns : !shape.size
  // expect: proved
  %d0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  // expect: proved
  %d1 = tensor.dim %a, %c1 : tensor<?x?xf32>
  %same_columns = arith.cmpi eq, %i1, %d1 : index
  // expect: proved C1
  cf.assert %same_columns, "the columns stay"
  %no_fewer = arith.cmpi sge, %i0, %d0 : index
  // expect: proved C1
  cf.assert %no_fewer, "no fewer rows"
  %same_rows = arith.cmpi eq, %i0, %d0 : index
  // expect: refuted C1 with n = 1
  cf.assert %same_rows, "the rows stay"
  return
}

func.func @swapped_extents(%a: tensor<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = shape.const_size 0
  %k1 = shape.const_size 1
  %s = shape.shape_of %a : tensor<?x?xf32> -> !shape.shape
  // expect: proved
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!shape.shape) {
    %x = shape.get_extent %t, %k0 : !shape.shape, !shape.size -> !shape.size
    %y = shape.get_extent %t, %k1 : !shape.shape, !shape.size -> !shape.size
    %u = shape.from_extents %y, %x : !shape.size, !shape.size
    scf.yield %u : !shape.shape
  }
  %rank = shape.rank %r : !shape.shape -> !shape.size
  // expect: proved
  %two = shape.size_to_index %rank : !shape.size
  %c2 = arith.constant 2 : index
  %is_two = arith.cmpi eq, %two, %c2 : index
  // expect: proved C1
  cf.assert %is_two, "the rank stays"
  // expect: refuted C1 with n = 1
  %w = shape.cstr_eq %r, %s : !shape.shape, !shape.shape
  return
}

func.func @size(%a: tensor<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = shape.const_size 0
  %s = shape.shape_of %a : tensor<?xf32> -> !shape.shape
  %first = shape.get_extent %s, %k0 : !shape.shape, !shape.size -> !shape.size
  // expect: proved
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%kept = %first, %sum = %first) -> (!shape.size, !shape.size) {
    %most = shape.max %kept, %first : !shape.size, !shape.size -> !shape.size
    %u = shape.add %sum, %first : !shape.size, !shape.size -> !shape.size
    scf.yield %most, %u : !shape.size, !shape.size
  }
  // expect: proved
  %x = shape.size_to_index %r#0 : !shape.size
  // expect: proved
  %y = shape.size_to_index %r#1 : !shape.size
  // expect: proved
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %x, %d : index
  // expect: proved C1
  cf.assert %same, "the size stays"
  %no_less = arith.cmpi sge, %y, %x : index
  // expect: proved C1
  cf.assert %no_less, "the sum is no less"
  %no_more = arith.cmpi eq, %y, %x : index
  // expect: refuted C1 with a[0] = 2, n = 1
  cf.assert %no_more, "the sum stays"
  return
}

func.func @rank_grows(%a: tensor<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = shape.shape_of %a : tensor<?x?xf32> -> !shape.shape
  // expect: proved
  // expect: approximated a value that changes from iteration to iteration
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!shape.shape) {
    %u = shape.concat %t, %s : !shape.shape, !shape.shape -> !shape.shape
    scf.yield %u : !shape.shape
  }
  // expect: undecided C1
  %w = shape.cstr_eq %r, %s : !shape.shape, !shape.shape
  return
}

// An error that may come in an iteration is no extent: the shape is unknown as a whole.
func.func @may_become_an_error(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = shape.const_size 0
  %s = shape.shape_of %a : tensor<?xf32> -> !shape.shape
  %q = shape.shape_of %b : tensor<?xf32> -> !shape.shape
  // expect: proved
  // expect: approximated a value that changes from iteration to iteration
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!shape.shape) {
    %u = shape.meet %t, %q : !shape.shape, !shape.shape -> !shape.shape
    scf.yield %u : !shape.shape
  }
  %first = shape.get_extent %r, %k0 : !shape.shape, !shape.size -> !shape.size
  // expect: undecided C1
  %x = shape.size_to_index %first : !shape.size
  return
}

func.func @while_carries(%a: tensor<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = shape.const_size 0
  %k1 = shape.const_size 1
  %s = shape.shape_of %a : tensor<?x?xf32> -> !shape.shape
  %r:2 = scf.while (%t = %s, %left = %n) : (!shape.shape, index) -> (!shape.shape, index) {
    %goes_on = arith.cmpi sgt, %left, %c0 : index
    scf.condition(%goes_on) %t, %left : !shape.shape, index
  } do {
  ^bb0(%t: !shape.shape, %left: index):
    %x = shape.get_extent %t, %k0 : !shape.shape, !shape.size -> !shape.size
    %y = shape.get_extent %t, %k1 : !shape.shape, !shape.size -> !shape.size
    %more = shape.add %x, %y : !shape.size, !shape.size -> !shape.size
    %u = shape.from_extents %more, %y : !shape.size, !shape.size
    %fewer = arith.subi %left, %c1 : index
    scf.yield %u, %fewer : !shape.shape, index
  }
  %columns = shape.get_extent %r#0, %k1 : !shape.shape, !shape.size -> !shape.size
  // expect: proved
  %i1 = shape.size_to_index %columns : !shape.size
  // expect: proved
  %d1 = tensor.dim %a, %c1 : tensor<?x?xf32>
  %same_columns = arith.cmpi eq, %i1, %d1 : index
  // expect: proved C1
  cf.assert %same_columns, "the columns stay"
  %rows = shape.get_extent %r#0, %k0 : !shape.shape, !shape.size -> !shape.size
  // expect: proved
  %i0 = shape.size_to_index %rows : !shape.size
  %same_rows = arith.cmpi eq, %i0, %d1 : index
  // expect: refuted C1
  cf.assert %same_rows, "as many rows as columns"
  return
}
