// Which sizes and shapes are errors: read as an index or as a tensor, an error is refuted.

func.func @equal_sizes(%a: tensor<?x?xf32>, %b: tensor<3xf32>) -> (index, index, index) {
  %s = shape.shape_of %a : tensor<?x?xf32> -> !shape.shape
  %t = shape.shape_of %b : tensor<3xf32> -> !shape.shape
  %zero = shape.const_size 0
  %one = shape.const_size 1
  %n = shape.get_extent %s, %zero : !shape.shape, !shape.size -> !shape.size
  %m = shape.get_extent %s, %one : !shape.shape, !shape.size -> !shape.size
  %three = shape.get_extent %t, %zero : !shape.shape, !shape.size -> !shape.size
  %same = shape.meet %n, %n : !shape.size, !shape.size -> !shape.size
  // expect: proved C1
  %0 = shape.size_to_index %same : !shape.size
  // expect: value 3
  %either = shape.meet %three, %n : !shape.size, !shape.size -> !shape.size
  // expect: refuted C1 with a[0] = 2
  %1 = shape.size_to_index %either : !shape.size
  %i = shape.size_to_index %m : !shape.size
  // expect: refuted C1
  %met = shape.meet %i, %1 : index, index -> index
  %j = shape.size_to_index %m : !shape.size
  // expect: proved C1
  %again = shape.meet %1, %j : index, index -> index
  return %0, %1, %again : index, index, index
}

func.func @least(%a: tensor<?xf32>) -> index {
  %s = shape.shape_of %a : tensor<?xf32> -> !shape.shape
  %zero = shape.const_size 0
  %n = shape.get_extent %s, %zero : !shape.shape, !shape.size -> !shape.size
  %r = shape.min %n, %n : !shape.size, !shape.size -> !shape.size
  // expect: proved C1
  %0 = shape.size_to_index %r : !shape.size
  return %0 : index
}

func.func @greatest_of_an_error(%a: tensor<?xf32>) -> index {
  %s = shape.shape_of %a : tensor<?xf32> -> !shape.shape
  %zero = shape.const_size 0
  %one = shape.const_size 1
  %n = shape.get_extent %s, %zero : !shape.shape, !shape.size -> !shape.size
  %none = shape.get_extent %s, %one : !shape.shape, !shape.size -> !shape.size
  %r = shape.max %n, %none : !shape.size, !shape.size -> !shape.size
  // expect: refuted C1
  %0 = shape.size_to_index %r : !shape.size
  return %0 : index
}

func.func @least_of_an_error(%a: tensor<?xf32>) -> index {
  %s = shape.shape_of %a : tensor<?xf32> -> !shape.shape
  %zero = shape.const_size 0
  %one = shape.const_size 1
  %n = shape.get_extent %s, %zero : !shape.shape, !shape.size -> !shape.size
  %none = shape.get_extent %s, %one : !shape.shape, !shape.size -> !shape.size
  %r = shape.min %none, %n : !shape.size, !shape.size -> !shape.size
  // expect: refuted C1
  %0 = shape.size_to_index %r : !shape.size
  return %0 : index
}

func.func @product_of_an_error(%a: tensor<?xf32>) -> index {
  %s = shape.shape_of %a : tensor<?xf32> -> !shape.shape
  %zero = shape.const_size 0
  %one = shape.const_size 1
  %n = shape.get_extent %s, %zero : !shape.shape, !shape.size -> !shape.size
  %none = shape.get_extent %s, %one : !shape.shape, !shape.size -> !shape.size
  %r = shape.mul %none, %n : !shape.size, !shape.size -> !shape.size
  // expect: refuted C1
  %0 = shape.size_to_index %r : !shape.size
  return %0 : index
}

func.func @quotient_of_an_error(%a: tensor<?xf32>) -> index {
  %s = shape.shape_of %a : tensor<?xf32> -> !shape.shape
  %zero = shape.const_size 0
  %one = shape.const_size 1
  %n = shape.get_extent %s, %zero : !shape.shape, !shape.size -> !shape.size
  %none = shape.get_extent %s, %one : !shape.shape, !shape.size -> !shape.size
  %r = shape.div %none, %one : !shape.size, !shape.size -> !shape.size
  // expect: refuted C1
  %0 = shape.size_to_index %r : !shape.size
  return %0 : index
}

func.func @meet_of_an_error(%a: tensor<?xf32>) -> index {
  %s = shape.shape_of %a : tensor<?xf32> -> !shape.shape
  %zero = shape.const_size 0
  %one = shape.const_size 1
  %n = shape.get_extent %s, %zero : !shape.shape, !shape.size -> !shape.size
  %none = shape.get_extent %s, %one : !shape.shape, !shape.size -> !shape.size
  %r = shape.meet %n, %none : !shape.size, !shape.size -> !shape.size
  // expect: refuted C1
  %0 = shape.size_to_index %r : !shape.size
  return %0 : index
}

// Of a shape and a size there is neither a greater nor a lesser one.
func.func @size_and_shape(%a: tensor<?xf32>, %n: !shape.size) -> index {
  %s = shape.shape_of %a : tensor<?xf32> -> !shape.shape
  %r = "shape.max"(%s, %n) : (!shape.shape, !shape.size) -> !shape.size
  // expect: refuted C1
  %0 = shape.size_to_index %r : !shape.size
  return %0 : index
}

func.func @divided_by_zero(%n: index, %m: index) -> (!shape.size, index) {
  // expect: refuted C1 with n = -1
  %x = shape.index_to_size %n
  // expect: refuted C1 with m = -1
  %y = shape.index_to_size %m
  // expect: refuted C1 with m = 0
  // expect: proved C2
  %0 = shape.div %x, %y : !shape.size, !shape.size -> !shape.size
  // expect: proved
  %1 = shape.div %x, %y : !shape.size, !shape.size -> !shape.size
  return %0, %m : !shape.size, index
}

// An error divided is an error, whatever the divisor; the divisor is then not asked.
func.func @divided_errors(%a: tensor<?xf32>) -> !shape.size {
  %s = shape.shape_of %a : tensor<?xf32> -> !shape.shape
  %zero = shape.const_size 0
  %one = shape.const_size 1
  %none = shape.get_extent %s, %one : !shape.shape, !shape.size -> !shape.size
  %0 = shape.div %none, %zero : !shape.size, !shape.size -> !shape.size
  return %0 : !shape.size
}

func.func @first_extents_out_of_range(%a: tensor<?x2xf32>, %i: index) -> (index, index) {
  %e = shape.shape_of %a : tensor<?x2xf32> -> tensor<2xindex>
  // expect: refuted C1
  %0 = shape.get_extent %e, %i : tensor<2xindex>, index -> index
  // expect: proved C1
  %1 = shape.dim %a, %i : tensor<?x2xf32>, index -> index
  %two = arith.constant 2 : index
  // expect: refuted C1
  %2 = shape.dim %a, %two : tensor<?x2xf32>, index -> index
  return %0, %1 : index, index
}

func.func @contents_as_a_shape() -> (tensor<2xindex>, tensor<2xindex>) {
  %0 = arith.constant dense<[0, 2]> : tensor<2xindex>
  %s = shape.value_as_shape %0 : tensor<2xindex> -> !shape.shape
  // expect: proved C1
  %1 = shape.to_extent_tensor %s : !shape.shape -> tensor<2xindex>
  %2 = arith.constant dense<[-1, 2]> : tensor<2xindex>
  %t = shape.value_as_shape %2 : tensor<2xindex> -> !shape.shape
  // expect: refuted C1
  // expect: unreachable T2
  %3 = shape.to_extent_tensor %t : !shape.shape -> tensor<2xindex>
  return %1, %3 : tensor<2xindex>, tensor<2xindex>
}

func.func @shapes_of_extents(%a: tensor<?xf32>) -> (tensor<2xindex>, tensor<2xindex>) {
  %s = shape.shape_of %a : tensor<?xf32> -> !shape.shape
  %zero = shape.const_size 0
  %one = shape.const_size 1
  %n = shape.get_extent %s, %zero : !shape.shape, !shape.size -> !shape.size
  %none = shape.get_extent %s, %one : !shape.shape, !shape.size -> !shape.size
  %both = shape.from_extents %n, %one : !shape.size, !shape.size
  // expect: proved C1
  %0 = shape.to_extent_tensor %both : !shape.shape -> tensor<2xindex>
  %wrong = shape.from_extents %n, %none : !shape.size, !shape.size
  // expect: refuted C1
  // expect: unreachable T2
  %1 = shape.to_extent_tensor %wrong : !shape.shape -> tensor<2xindex>
  return %0, %1 : tensor<2xindex>, tensor<2xindex>
}

func.func @extremes_of_shapes(%a: tensor<?x2xf32>, %b: tensor<3x?xf32>, %c: tensor<?xf32>) -> tensor<2xindex> {
  %s = shape.shape_of %a : tensor<?x2xf32> -> !shape.shape
  %t = shape.shape_of %b : tensor<3x?xf32> -> !shape.shape
  %u = shape.shape_of %c : tensor<?xf32> -> !shape.shape
  // expect: shape [max(3, a[0]), max(2, b[1])]
  %greatest = shape.max %s, %t : !shape.shape, !shape.shape -> !shape.shape
  // expect: shape [min(3, a[0]), min(2, b[1])]
  %least = shape.min %s, %t : !shape.shape, !shape.shape -> !shape.shape
  // expect: proved C1
  %0 = shape.to_extent_tensor %least : !shape.shape -> tensor<2xindex>
  %other = shape.max %s, %u : !shape.shape, !shape.shape -> !shape.shape
  // expect: refuted C1
  // expect: unreachable T2
  %1 = shape.to_extent_tensor %other : !shape.shape -> tensor<2xindex>
  return %0 : tensor<2xindex>
}

// A requirement does not stop what stands beside its witness.
func.func @outside_a_requirement(%a: tensor<?x2xf32>, %i: index) -> (index, index) {
  %e = shape.shape_of %a : tensor<?x2xf32> -> tensor<2xindex>
  %two = arith.constant 2 : index
  %inside = arith.cmpi ult, %i, %two : index
  // expect: refuted C1
  %w = shape.cstr_require %inside, "the index is that of an extent"
  // expect: refuted C1
  %0 = shape.get_extent %e, %i : tensor<2xindex>, index -> index
  return %0, %0 : index, index
}

func.func @within_a_requirement(%a: tensor<?x2xf32>, %i: index) -> index {
  %e = shape.shape_of %a : tensor<?x2xf32> -> tensor<2xindex>
  %two = arith.constant 2 : index
  %inside = arith.cmpi ult, %i, %two : index
  // expect: refuted C1
  %w = shape.cstr_require %inside, "the index is that of an extent"
  %0 = shape.assuming %w -> (index) {
    // expect: proved C1
    %1 = shape.get_extent %e, %i : tensor<2xindex>, index -> index
    shape.assuming_yield %1 : index
  }
  return %0 : index
}

// Any of two shapes of different rank is no shape in particular; what is asserted of it is a fact where it guards.
func.func @asserted_of_any_shape(%a: tensor<?xf32>, %b: tensor<?x?xf32>) -> !shape.witness {
  %s = shape.shape_of %a : tensor<?xf32> -> !shape.shape
  %t = shape.shape_of %b : tensor<?x?xf32> -> !shape.shape
  %p = shape.any %s, %t : !shape.shape, !shape.shape -> !shape.shape
  // expect: refuted C1
  %w = shape.cstr_eq %p, %s : !shape.shape, !shape.shape
  shape.assuming %w {
    // expect: proved C1
    %x = shape.cstr_eq %s, %p : !shape.shape, !shape.shape
  }
  return %w : !shape.witness
}

func.func @halves_of_tensors(%a: tensor<?x?xf32>) -> tensor<?xindex> {
  %e = shape.shape_of %a : tensor<?x?xf32> -> tensor<2xindex>
  %end = arith.constant 2 : index
  // expect: proved C1
  %h0, %t0 = "shape.split_at"(%e, %end) : (tensor<2xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
  %begin = arith.constant -2 : index
  // expect: proved C1
  %h1, %t1 = "shape.split_at"(%e, %begin) : (tensor<2xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
  %before = arith.constant -3 : index
  // expect: refuted C1
  %h2, %t2 = "shape.split_at"(%e, %before) : (tensor<2xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
  return %t1 : tensor<?xindex>
}

func.func @half_of_a_shape(%a: tensor<?x?xf32>) -> (tensor<2xindex>, tensor<0xindex>) {
  %s = shape.shape_of %a : tensor<?x?xf32> -> !shape.shape
  %begin = arith.constant -2 : index
  %none, %all = "shape.split_at"(%s, %begin) : (!shape.shape, index) -> (!shape.shape, !shape.shape)
  // expect: proved
  %0 = shape.to_extent_tensor %all : !shape.shape -> tensor<2xindex>
  // expect: proved
  %1 = shape.to_extent_tensor %none : !shape.shape -> tensor<0xindex>
  return %0, %1 : tensor<2xindex>, tensor<0xindex>
}

func.func @half_beyond_a_shape(%a: tensor<?x?xf32>) -> tensor<?xindex> {
  %s = shape.shape_of %a : tensor<?x?xf32> -> !shape.shape
  %before = arith.constant -3 : index
  %head, %tail = "shape.split_at"(%s, %before) : (!shape.shape, index) -> (!shape.shape, !shape.shape)
  // expect: refuted C1
  %0 = shape.to_extent_tensor %tail : !shape.shape -> tensor<?xindex>
  return %0 : tensor<?xindex>
}

func.func @product_of_what_may_be_an_error(%a: tensor<*xf32>, %i: index) -> index {
  %s = shape.shape_of %a : tensor<*xf32> -> !shape.shape
  %head, %tail = "shape.split_at"(%s, %i) : (!shape.shape, index) -> (!shape.shape, !shape.shape)
  %one = shape.const_size 1
  %n = shape.reduce(%head, %one) : !shape.shape -> !shape.size {
    ^bb0(%k: index, %extent: !shape.size, %sofar: !shape.size):
      %next = shape.mul %sofar, %extent : !shape.size, !shape.size -> !shape.size
      shape.yield %next : !shape.size
  }
  // expect: refuted C1
  %0 = shape.size_to_index %n : !shape.size
  return %0 : index
}

// A branch may yield what it did not make, the error of a size from before.
func.func @error_of_a_branch(%a: tensor<?xf32>, %c: i1) -> index {
  %s = shape.shape_of %a : tensor<?xf32> -> !shape.shape
  %zero = shape.const_size 0
  %one = shape.const_size 1
  %n = shape.get_extent %s, %zero : !shape.shape, !shape.size -> !shape.size
  %none = shape.get_extent %s, %one : !shape.shape, !shape.size -> !shape.size
  %either = scf.if %c -> !shape.size {
    scf.yield %none : !shape.size
  } else {
    scf.yield %n : !shape.size
  }
  // expect: refuted C1 with c = true
  %0 = shape.size_to_index %either : !shape.size
  return %0 : index
}
