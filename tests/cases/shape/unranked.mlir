// Laws of shapes of unknown rank, for all ranks.

func.func @split_gives_back_what_was_joined(%x: tensor<*xf32>, %y: tensor<?x?xf32>) {
  %sx = shape.shape_of %x : tensor<*xf32> -> !shape.shape
  %sy = shape.shape_of %y : tensor<?x?xf32> -> !shape.shape
  %both = shape.concat %sx, %sy : !shape.shape, !shape.shape -> !shape.shape
  %index = arith.constant -2 : index
  %head, %tail = "shape.split_at"(%both, %index) : (!shape.shape, index) -> (!shape.shape, !shape.shape)
  // expect: proved C1
  %w0 = shape.cstr_eq %head, %sx : !shape.shape, !shape.shape
  // expect: proved C1
  %w1 = shape.cstr_eq %tail, %sy : !shape.shape, !shape.shape
  return
}

// The same where the second rank is known at the run time only.
// assume: rank(y) == 2
func.func @split_gives_back_two_unranked(%x: tensor<*xf32>, %y: tensor<*xf32>) {
  %sx = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
  %sy = shape.shape_of %y : tensor<*xf32> -> tensor<?xindex>
  %both = shape.concat %sx, %sy : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
  %index = arith.constant -2 : index
  // expect: proved C1
  %head, %tail = "shape.split_at"(%both, %index) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
  // expect: proved C1
  %w0 = shape.cstr_eq %head, %sx : tensor<?xindex>, tensor<?xindex>
  // expect: proved C1
  %w1 = shape.cstr_eq %tail, %sy : tensor<?xindex>, tensor<?xindex>
  return
}

func.func @unit_and_zero(%x: tensor<*xf32>) {
  %s = shape.shape_of %x : tensor<*xf32> -> !shape.shape
  %scalar = shape.const_shape [] : !shape.shape
  %same = shape.concat %scalar, %s : !shape.shape, !shape.shape -> !shape.shape
  // expect: proved C1
  %w0 = shape.cstr_eq %same, %s : !shape.shape, !shape.shape
  %zero = shape.const_size 0
  %head, %tail = "shape.split_at"(%s, %zero) : (!shape.shape, !shape.size) -> (!shape.shape, !shape.shape)
  // expect: proved C1
  %w1 = shape.cstr_eq %head, %scalar : !shape.shape, !shape.shape
  // expect: proved C1
  %w2 = shape.cstr_eq %tail, %s : !shape.shape, !shape.shape
  return
}

func.func @concat_is_associative(%x: tensor<*xf32>, %y: tensor<*xf32>, %z: tensor<*xf32>) {
  %a = shape.shape_of %x : tensor<*xf32> -> !shape.shape
  %b = shape.shape_of %y : tensor<*xf32> -> !shape.shape
  %c = shape.shape_of %z : tensor<*xf32> -> !shape.shape
  %ab = shape.concat %a, %b : !shape.shape, !shape.shape -> !shape.shape
  %bc = shape.concat %b, %c : !shape.shape, !shape.shape -> !shape.shape
  %left = shape.concat %ab, %c : !shape.shape, !shape.shape -> !shape.shape
  %right = shape.concat %a, %bc : !shape.shape, !shape.shape -> !shape.shape
  // expect: proved C1
  %w0 = shape.cstr_eq %left, %right : !shape.shape, !shape.shape
  %ba = shape.concat %b, %a : !shape.shape, !shape.shape -> !shape.shape
  // expect: refuted C1 with x = [2], y = [3]
  %w1 = shape.cstr_eq %ab, %ba : !shape.shape, !shape.shape
  return
}

func.func @elements(%x: tensor<*xf32>, %y: tensor<*xf32>) {
  %a = shape.shape_of %x : tensor<*xf32> -> !shape.shape
  %b = shape.shape_of %y : tensor<*xf32> -> !shape.shape
  %ab = shape.concat %a, %b : !shape.shape, !shape.shape -> !shape.shape
  %na = shape.num_elements %a : !shape.shape -> !shape.size
  %nb = shape.num_elements %b : !shape.shape -> !shape.size
  %nab = shape.num_elements %ab : !shape.shape -> !shape.size
  %product = shape.mul %na, %nb : !shape.size, !shape.size -> !shape.size
  // expect: proved C1
  %i = shape.size_to_index %nab : !shape.size
  // expect: proved C1
  %j = shape.size_to_index %product : !shape.size
  %same = arith.cmpi eq, %i, %j : index
  // expect: proved C1
  cf.assert %same, "the number of elements is not the product"
  // expect: proved C1
  %ia = shape.size_to_index %na : !shape.size
  // expect: proved C1
  %ib = shape.size_to_index %nb : !shape.size
  %alike = arith.cmpi eq, %ia, %ib : index
  // expect: refuted C1 with x = [], y = [2]
  cf.assert %alike, "the numbers of elements differ"
  return
}

func.func @equal_shapes_have_as_many_elements(%x: tensor<*xf32>, %y: tensor<*xf32>) -> index {
  %a = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
  %b = shape.shape_of %y : tensor<*xf32> -> tensor<?xindex>
  // expect: refuted C1
  %w = shape.cstr_eq %a, %b : tensor<?xindex>, tensor<?xindex>
  %r = shape.assuming %w -> index {
    %na = shape.num_elements %a : tensor<?xindex> -> index
    %nb = shape.num_elements %b : tensor<?xindex> -> index
    %same = arith.cmpi eq, %na, %nb : index
    // expect: proved C1
    cf.assert %same, "the numbers of elements differ"
    shape.assuming_yield %na : index
  }
  return %r : index
}

// assume: n <= rank(x)
// assume: n >= 0
func.func @cut_and_joined(%x: tensor<*xf32>, %n: index) -> index {
  %s = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
  // expect: proved C1
  %head, %tail = "shape.split_at"(%s, %n) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
  %again = shape.concat %head, %tail : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
  // expect: proved C1
  %w = shape.cstr_eq %again, %s : tensor<?xindex>, tensor<?xindex>
  %r = shape.rank %head : tensor<?xindex> -> index
  %same = arith.cmpi eq, %r, %n : index
  // expect: proved C1
  cf.assert %same, "the first half has another rank"
  return %r : index
}

func.func @cut_where_it_may_be_too_short(%x: tensor<*xf32>) {
  %s = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
  %n = arith.constant -2 : index
  // expect: refuted C1 with x = []
  %head, %tail = "shape.split_at"(%s, %n) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<2xindex>)
  %again = shape.concat %head, %tail : tensor<?xindex>, tensor<2xindex> -> tensor<?xindex>
  // expect: proved C1
  %w = shape.cstr_eq %again, %s : tensor<?xindex>, tensor<?xindex>
  return
}

// assume: rank(x) >= 2
// assume: rank(y) >= 2
func.func @batched_matmul(%x: tensor<*xf32>, %y: tensor<*xf32>) -> tensor<?xindex> {
  %a = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
  %b = shape.shape_of %y : tensor<*xf32> -> tensor<?xindex>
  %two = arith.constant -2 : index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expect: proved C1
  %ba, %ma = "shape.split_at"(%a, %two) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<2xindex>)
  // expect: proved C1
  %bb, %mb = "shape.split_at"(%b, %two) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<2xindex>)
  %m = tensor.extract %ma[%zero] : tensor<2xindex>
  %k = tensor.extract %ma[%one] : tensor<2xindex>
  %k2 = tensor.extract %mb[%zero] : tensor<2xindex>
  %n = tensor.extract %mb[%one] : tensor<2xindex>
  %same = arith.cmpi eq, %k, %k2 : index
  // expect: refuted C1
  cf.assert %same, "the inner sizes differ"
  // expect: refuted C1
  %w = shape.cstr_broadcastable %ba, %bb : tensor<?xindex>, tensor<?xindex>
  %r = shape.assuming %w -> tensor<?xindex> {
    %batch = shape.broadcast %ba, %bb : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
    %mn = tensor.from_elements %m, %n : tensor<2xindex>
    %all = shape.concat %batch, %mn : tensor<?xindex>, tensor<2xindex> -> tensor<?xindex>
    %ra = shape.rank %a : tensor<?xindex> -> index
    %rb = shape.rank %b : tensor<?xindex> -> index
    %most = arith.maxsi %ra, %rb : index
    %rr = shape.rank %all : tensor<?xindex> -> index
    %right = arith.cmpi eq, %rr, %most : index
    // expect: proved C1
    cf.assert %right, "the rank is not that of the larger operand"
    %head, %tail = "shape.split_at"(%all, %two) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<2xindex>)
    // expect: proved C1
    %w2 = shape.cstr_broadcastable %ba, %head : tensor<?xindex>, tensor<?xindex>
    shape.assuming_yield %all : tensor<?xindex>
  }
  return %r : tensor<?xindex>
}

// Dynamic indices from either end, on unranked and ranked shapes.
func.func @dims(%x: tensor<*xf32>, %i: index) -> index {
  // expect: refuted C1
  %d = tensor.dim %x, %i : tensor<*xf32>
  %e = shape.dim %x, %i : tensor<*xf32>, index -> index
  %same = arith.cmpi eq, %d, %e : index
  // expect: proved C1
  cf.assert %same, "two dims differ"
  %s = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
  %g = shape.get_extent %s, %i : tensor<?xindex>, index -> index
  %same2 = arith.cmpi eq, %d, %g : index
  // expect: proved C1
  cf.assert %same2, "extent differs"
  %v = tensor.extract %s[%i] : tensor<?xindex>
  %same3 = arith.cmpi eq, %v, %g : index
  // expect: proved C1
  cf.assert %same3, "element differs"
  return %d : index
}
func.func @ranked(%x: tensor<?x?x?xf32>, %n: index) -> index {
  %s = shape.shape_of %x : tensor<?x?x?xf32> -> tensor<3xindex>
  // expect: refuted C1 with n = 4
  %h, %t = "shape.split_at"(%s, %n) : (tensor<3xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
  %b = shape.concat %h, %t : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
  // expect: proved C1
  %w = shape.cstr_eq %s, %b : tensor<3xindex>, tensor<?xindex>
  %p = shape.num_elements %h : tensor<?xindex> -> index
  %q = shape.num_elements %t : tensor<?xindex> -> index
  %pq = arith.muli %p, %q : index
  %a = shape.num_elements %s : tensor<3xindex> -> index
  %same = arith.cmpi eq, %pq, %a : index
  // expect: proved C1
  cf.assert %same, "products differ"
  return %p : index
}
func.func @sized(%s: !shape.shape, %n: !shape.size) -> !shape.shape {
  %h, %t = "shape.split_at"(%s, %n) : (!shape.shape, !shape.size) -> (!shape.shape, !shape.shape)
  %b = shape.concat %h, %t : !shape.shape, !shape.shape -> !shape.shape
  // expect: refuted C1 with n = 2
  %w = shape.cstr_eq %s, %b : !shape.shape, !shape.shape
  return %b : !shape.shape
}

// Equal operands of `shape.any` are one shape, whatever its rank; the result for others "is undefined".
func.func @any_of_equal_shapes(%x: tensor<*xf32>, %y: tensor<?x3xf32>) {
  %sx = shape.shape_of %x : tensor<*xf32> -> !shape.shape
  %sy = shape.shape_of %y : tensor<?x3xf32> -> !shape.shape
  // expect: refuted C1
  %w = shape.cstr_eq %sx, %sy : !shape.shape, !shape.shape
  shape.assuming %w {
    // expect: approximated may differ in rank
    %m = shape.any %sx, %sy : !shape.shape, !shape.shape -> !shape.shape
    // expect: proved C1
    %w2 = shape.cstr_eq %m, %sx : !shape.shape, !shape.shape
    // expect: proved C1
    %w3 = shape.cstr_eq %m, %sy : !shape.shape, !shape.shape
    shape.assuming_yield
  }
  return
}

func.func @any_of_equal_extent_tensors(%x: tensor<*xf32>, %y: tensor<*xf32>) {
  %sx = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
  %sy = shape.shape_of %y : tensor<*xf32> -> tensor<?xindex>
  // expect: refuted C1
  %w = shape.cstr_eq %sx, %sy : tensor<?xindex>, tensor<?xindex>
  shape.assuming %w {
    // expect: approximated may differ in rank
    %m = shape.any %sx, %sy : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
    // expect: proved C1
    %w2 = shape.cstr_eq %m, %sx : tensor<?xindex>, tensor<?xindex>
    shape.assuming_yield
  }
  return
}

func.func @any_of_unequal_shapes(%x: tensor<*xf32>, %y: tensor<?x3xf32>) {
  %sx = shape.shape_of %x : tensor<*xf32> -> !shape.shape
  %sy = shape.shape_of %y : tensor<?x3xf32> -> !shape.shape
  // expect: approximated may differ in rank
  %m = shape.any %sx, %sy : !shape.shape, !shape.shape -> !shape.shape
  // expect: undecided C1
  %w = shape.cstr_eq %m, %sx : !shape.shape, !shape.shape
  return
}

// The greater of two shapes, extent by extent: an error where the ranks differ.
func.func @greatest_of_a_known_rank(%s: !shape.shape, %a: tensor<?x3xf32>) -> index {
  %t = shape.shape_of %a : tensor<?x3xf32> -> !shape.shape
  // expect: shape [max(a[0], s[0]), max(3, s[1])]
  %m = shape.max %s, %t : !shape.shape, !shape.shape -> !shape.shape
  %r = shape.rank %m : !shape.shape -> !shape.size
  // expect: refuted C1 needs rank(s) == 2
  %i = shape.size_to_index %r : !shape.size
  return %i : index
}

func.func @greatest_of_unknown_rank(%s: !shape.shape, %t: !shape.shape) {
  // expect: approximated only the first 4 and the last 4 extents
  %m = shape.max %s, %t : !shape.shape, !shape.shape -> !shape.shape
  %r = shape.rank %m : !shape.shape -> !shape.size
  // expect: undecided C1
  %n = shape.size_to_index %r : !shape.size
  %c1 = arith.constant 1 : index
  %ranked = arith.cmpi sge, %n, %c1 : index
  scf.if %ranked {
    %last = arith.subi %n, %c1 : index
    %e = shape.get_extent %m, %last : !shape.shape, index -> !shape.size
    %f = shape.get_extent %s, %last : !shape.shape, index -> !shape.size
    // expect: proved
    %ei = shape.size_to_index %e : !shape.size
    // expect: proved
    %fi = shape.size_to_index %f : !shape.size
    %at_least = arith.cmpi sge, %ei, %fi : index
    // expect: proved
    cf.assert %at_least, "the greater extent"
    %same = arith.cmpi eq, %ei, %fi : index
    // expect: undecided C1
    cf.assert %same, "the extent of the first"
  }
  return
}

func.func @greatest_and_least_of_equal_shapes(%s: !shape.shape, %t: !shape.shape) {
  // expect: refuted C1
  %w = shape.cstr_eq %s, %t : !shape.shape, !shape.shape
  shape.assuming %w {
    // expect: approximated only the first 4 and the last 4 extents
    %m = shape.max %s, %t : !shape.shape, !shape.shape -> !shape.shape
    // expect: approximated only the first 4 and the last 4 extents
    %n = shape.min %s, %t : !shape.shape, !shape.shape -> !shape.shape
    // expect: proved
    %v = shape.cstr_eq %m, %n : !shape.shape, !shape.shape
    shape.assuming_yield
  }
  return
}

// The first and the fourth extent, and the fourth from the right.
func.func @greatest_of_nine(%x: tensor<*xf32>, %y: tensor<*xf32>) {
  %s = shape.shape_of %x : tensor<*xf32> -> !shape.shape
  %t = shape.shape_of %y : tensor<*xf32> -> !shape.shape
  %c9 = arith.constant 9 : index
  %r = tensor.rank %x : tensor<*xf32>
  %q = tensor.rank %y : tensor<*xf32>
  %first = arith.cmpi eq, %r, %c9 : index
  // expect: refuted C1
  cf.assert %first, "nine extents"
  %second = arith.cmpi eq, %q, %c9 : index
  // expect: refuted C1
  cf.assert %second, "nine extents as well"
  // expect: approximated only the first 4 and the last 4 extents
  %m = shape.max %s, %t : !shape.shape, !shape.shape -> !shape.shape
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %a.size = shape.get_extent %m, %c3 : !shape.shape, index -> !shape.size
  // expect: proved
  %a = shape.size_to_index %a.size : !shape.size
  %b.size = shape.get_extent %s, %c3 : !shape.shape, index -> !shape.size
  // expect: proved
  %b = shape.size_to_index %b.size : !shape.size
  %fourth = arith.cmpi sge, %a, %b : index
  // expect: proved
  cf.assert %fourth, "from the left"
  %c.size = shape.get_extent %m, %c5 : !shape.shape, index -> !shape.size
  // expect: proved
  %c = shape.size_to_index %c.size : !shape.size
  %d.size = shape.get_extent %t, %c5 : !shape.shape, index -> !shape.size
  // expect: proved
  %d = shape.size_to_index %d.size : !shape.size
  %sixth = arith.cmpi sge, %c, %d : index
  // expect: proved
  cf.assert %sixth, "the fourth from the right"
  %c0 = arith.constant 0 : index
  %e.size = shape.get_extent %m, %c0 : !shape.shape, index -> !shape.size
  // expect: proved
  %e = shape.size_to_index %e.size : !shape.size
  %f.size = shape.get_extent %t, %c0 : !shape.shape, index -> !shape.size
  // expect: proved
  %f = shape.size_to_index %f.size : !shape.size
  %greater = arith.cmpi sge, %e, %f : index
  // expect: proved
  cf.assert %greater, "the first"
  return
}

// Shapes of different ranks have no greater one.
func.func @greatest_of_different_ranks(%s: !shape.shape) {
  %one = shape.const_shape [1] : !shape.shape
  %longer = shape.concat %s, %one : !shape.shape, !shape.shape -> !shape.shape
  // expect: shape invalid
  %m = shape.max %s, %longer : !shape.shape, !shape.shape -> !shape.shape
  %r = shape.rank %m : !shape.shape -> !shape.size
  // expect: refuted C1 fails always
  %i = shape.size_to_index %r : !shape.size
  return
}
