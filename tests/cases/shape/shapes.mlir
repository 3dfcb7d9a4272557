func.func @broadcasts(%a: tensor<?x3xf32>, %b: tensor<?xf32>) -> !shape.shape {
  %s = shape.shape_of %a : tensor<?x3xf32> -> !shape.shape
  %t = shape.shape_of %b : tensor<?xf32> -> !shape.shape
  %row = shape.const_shape [1, 3] : !shape.shape
  // expect: shape [a[0], 3]
  %both = shape.broadcast %s, %row : !shape.shape, !shape.shape -> !shape.shape
  // expect: proved
  %e = shape.to_extent_tensor %both : !shape.shape -> tensor<2xindex>
  %maybe = shape.broadcast %s, %t : !shape.shape, !shape.shape -> !shape.shape
  // expect: refuted C1
  %f = shape.to_extent_tensor %maybe : !shape.shape -> tensor<?xindex>
  return %maybe : !shape.shape
}

// Into an extent tensor, an error has nowhere to go.
func.func @into_extents(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xindex> {
  %s = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %t = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  // expect: refuted C1
  %u = shape.broadcast %s, %t {error = "a and b"} : tensor<1xindex>, tensor<1xindex> -> tensor<?xindex>
  // expect: proved
  %v = shape.broadcast %u, %t : tensor<?xindex>, tensor<1xindex> -> tensor<?xindex>
  return %v : tensor<?xindex>
}

// Nothing is assumed about ranks here.
func.func @all_ranks(%a: tensor<*xf32>, %b: tensor<*xf32>) -> tensor<?xindex> {
  %s = shape.shape_of %a : tensor<*xf32> -> tensor<?xindex>
  %t = shape.shape_of %b : tensor<*xf32> -> tensor<?xindex>
  // expect: proved
  %self = shape.broadcast %s, %s : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
  // expect: refuted C1
  %both = shape.broadcast %s, %t : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
  // expect: proved
  %again = shape.broadcast %both, %t : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
  return %again : tensor<?xindex>
}

func.func @making(%a: tensor<?x?xf32>, %n: index) -> !shape.shape {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?x?xf32>
  // expect: shape [a[0], n]
  %s = shape.from_extents %d, %n : index, index
  %e = shape.shape_of %a : tensor<?x?xf32> -> tensor<2xindex>
  // expect: shape [a[0], a[1]]
  %t = shape.from_extent_tensor %e : tensor<2xindex>
  // expect: shape [a[0], n, a[0], a[1]]
  %u = shape.concat %s, %t : !shape.shape, !shape.shape -> !shape.shape
  %one = arith.constant -1 : index
  // expect: shape [a[0], n, a[0]]
  %head, %tail = "shape.split_at"(%u, %one) : (!shape.shape, index) -> (!shape.shape, !shape.shape)
  %shown = "shape.debug_print"(%tail) : (!shape.shape) -> !shape.shape
  return %shown : !shape.shape
}

func.func @splitting(%a: tensor<?x?xf32>) -> tensor<?xindex> {
  %e = shape.shape_of %a : tensor<?x?xf32> -> tensor<2xindex>
  %three = arith.constant 3 : index
  // expect: refuted C1
  %head, %tail = "shape.split_at"(%e, %three) : (tensor<2xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
  return %head : tensor<?xindex>
}

func.func @agreeing(%a: tensor<?x3xf32>, %b: tensor<4x?xf32>) -> !shape.shape {
  %s = shape.shape_of %a : tensor<?x3xf32> -> !shape.shape
  %t = shape.shape_of %b : tensor<4x?xf32> -> !shape.shape
  // expect: shape [4, 3]
  %m = shape.meet %s, %t, error = "a is b" : !shape.shape, !shape.shape -> !shape.shape
  %e = shape.shape_of %a : tensor<?x3xf32> -> tensor<2xindex>
  %f = shape.shape_of %b : tensor<4x?xf32> -> tensor<2xindex>
  // expect: refuted C1
  %n = shape.meet %e, %f : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex>
  // expect: proved
  %o = shape.to_extent_tensor %m : !shape.shape -> tensor<2xindex>
  %p = shape.any %s, %t : !shape.shape, !shape.shape -> !shape.shape
  %q = shape.max %s, %t : !shape.shape, !shape.shape -> !shape.shape
  return %p : !shape.shape
}

func.func @tuples(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>, %c: tensor<2xi32>) -> tensor<?x3xf32> {
  %s = shape.shape_of %b : tensor<?x3xf32> -> !shape.shape
  %v = shape.with_shape %a, %s : tensor<?x3xf32>, !shape.shape
  // expect: refuted C1
  %w = shape.value_of %v : tensor<?x3xf32>
  %x = shape.value_as_shape %c : tensor<2xi32> -> !shape.shape
  // expect: refuted C1
  %y = shape.to_extent_tensor %x : !shape.shape -> tensor<2xindex>
  return %w : tensor<?x3xf32>
}

// What is made of shapes of unknown rank is not always followed, and demands nothing: what stands behind it is decided.
func.func @of_unknown_rank(%a: !shape.shape, %b: !shape.shape, %n: index) -> !shape.size {
  // expect: approximated the last 4 extents
  %0 = shape.max %a, %b : !shape.shape, !shape.shape -> !shape.shape
  // expect: shape concat(a, b)
  %1 = shape.concat %a, %b : !shape.shape, !shape.shape -> !shape.shape
  // expect: approximated may differ in rank
  %2 = shape.any %a, %b : !shape.shape, !shape.shape -> !shape.shape
  // expect: value numel(a)*numel(b)
  %3 = shape.num_elements %1 : !shape.shape -> !shape.size
  // expect: refuted C1 with n = -1
  %4 = shape.index_to_size %n
  return %3 : !shape.size
}

func.func @contents_of_any_length(%a: tensor<*xf32>) -> !shape.shape {
  %e = shape.shape_of %a : tensor<*xf32> -> tensor<?xindex>
  // expect: shape a
  %s = shape.value_as_shape %e : tensor<?xindex> -> !shape.shape
  // expect: proved
  %0 = shape.to_extent_tensor %s : !shape.shape -> tensor<?xindex>
  return %s : !shape.shape
}

// One result has no error state, so that the dimension has to be in range.
func.func @split_into_both_kinds(%x: tensor<?x?xf32>, %i: index) -> tensor<?xindex> {
  %s = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  // expect: refuted C1 with i = 3
  %head, %tail = "shape.split_at"(%s, %i) : (tensor<2xindex>, index) -> (!shape.shape, tensor<?xindex>)
  return %tail : tensor<?xindex>
}
