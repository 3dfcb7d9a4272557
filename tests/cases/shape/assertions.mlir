func.func @asserted(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xindex> {
  %s = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %t = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  // expect: refuted C1
  %w = shape.cstr_broadcastable %s, %t : tensor<1xindex>, tensor<1xindex>
  %r = shape.assuming %w -> (tensor<?xindex>) {
    // expect: proved
    %u = shape.broadcast %s, %t : tensor<1xindex>, tensor<1xindex> -> tensor<?xindex>
    shape.assuming_yield %u : tensor<?xindex>
  }
  // expect: proved
  %again = shape.cstr_broadcastable %t, %s : tensor<1xindex>, tensor<1xindex>
  return %r : tensor<?xindex>
}

// covers: shape.law.outside
// An operation outside may run before the assertion, unless it uses what the assertion guards.
func.func @outside(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xindex>, tensor<?xindex>) {
  %s = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %t = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  // expect: refuted C1
  %w = shape.cstr_broadcastable %s, %t : tensor<1xindex>, tensor<1xindex>
  %r = shape.assuming %w -> (tensor<?xf32>) {
    shape.assuming_yield %a : tensor<?xf32>
  }
  // expect: refuted C1
  %early = shape.broadcast %s, %t : tensor<1xindex>, tensor<1xindex> -> tensor<?xindex>
  %u = shape.shape_of %r : tensor<?xf32> -> tensor<1xindex>
  // expect: proved
  %late = shape.broadcast %u, %t : tensor<1xindex>, tensor<1xindex> -> tensor<?xindex>
  return %early, %late : tensor<?xindex>, tensor<?xindex>
}

func.func @required(%a: tensor<?xf32>, %b: tensor<?xf32>, %p: i1) {
  %s = shape.shape_of %a : tensor<?xf32> -> !shape.shape
  %t = shape.shape_of %b : tensor<?xf32> -> !shape.shape
  // expect: refuted C1
  %v = shape.cstr_require %p, "p holds"
  // expect: refuted C1
  %w = shape.cstr_eq %s, %t : !shape.shape, !shape.shape
  %x = shape.assuming_all %v, %w
  shape.assuming %x {
    // expect: proved
    %y = shape.cstr_broadcastable %s, %t : !shape.shape, !shape.shape
    // expect: proved
    cf.assert %p, "p still holds"
  }
  return
}

func.func @unfounded(%w: !shape.witness) {
  %true = shape.const_witness true
  %false = shape.const_witness false
  shape.assuming %true {
  }
  // expect: refuted C1
  shape.assuming %w {
  }
  // expect: refuted C1
  shape.assuming %false {
  }
  return
}
