// Sizes, shapes, value_shapes and witnesses are arguments with names; they may be errors where a claim speaks of that.

// assume: a == b
func.func @equal_sizes(%a: !shape.size, %b: !shape.size) -> index {
  %i = shape.size_to_index %a : !shape.size
  %j = shape.size_to_index %b : !shape.size
  %c = arith.cmpi eq, %i, %j : index
  cf.assert %c, "sizes differ"
  return %i : index
}

// assume: broadcastable(a, b)
func.func @joined_shapes(%a: !shape.shape, %b: !shape.shape) {
  %w = shape.cstr_broadcastable %a, %b : !shape.shape, !shape.shape
  return
}

// assume: u == v
func.func @value_shapes(%u: !shape.value_shape, %v: !shape.value_shape) {
  %a = shape.shape_of %u : !shape.value_shape -> !shape.shape
  %b = shape.shape_of %v : !shape.value_shape -> !shape.shape
  %w = shape.cstr_eq %a, %b : !shape.shape, !shape.shape
  return
}

// assume: w == 1
func.func @passing(%w: !shape.witness) {
  shape.assuming %w {
    shape.assuming_yield
  }
  return
}

func.func @any_witness(%w: !shape.witness, %n: index) {
  // expect: refuted C1 with w = 0
  shape.assuming %w {
    shape.assuming_yield
  }
  return
}

func.func @no_errors(%a: !shape.size, %s: !shape.shape) {
  %i = shape.size_to_index %a : !shape.size
  %r = shape.rank %s : !shape.shape -> !shape.size
  %j = shape.size_to_index %r : !shape.size
  return
}

// assume: a is an error -> s is an error
func.func @related_errors(%a: !shape.size, %s: !shape.shape) {
  %r = shape.rank %s : !shape.shape -> !shape.size
  // expect: refuted C1
  %j = shape.size_to_index %r : !shape.size
  %i = shape.size_to_index %a : !shape.size
  return
}

// assume: a is not an error
func.func @no_error(%a: !shape.size) {
  %i = shape.size_to_index %a : !shape.size
  return
}

// assume: a is an error
func.func @always_an_error(%a: !shape.size) {
  // expect: refuted C1 with a.valid = 0
  %i = shape.size_to_index %a : !shape.size
  return
}
