func.func @arithmetic(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> (!shape.size, !shape.size) {
  %s = shape.shape_of %a : tensor<?x?xf32> -> !shape.shape
  %t = shape.shape_of %b : tensor<?xf32> -> !shape.shape
  %zero = shape.const_size 0
  %one = shape.const_size 1
  // expect: value a[0]
  %n = shape.get_extent %s, %zero : !shape.shape, !shape.size -> !shape.size
  %m = shape.get_extent %t, %zero : !shape.shape, !shape.size -> !shape.size
  // expect: value a[0] + b[0]
  %sum = shape.add %n, %m : !shape.size, !shape.size -> !shape.size
  // expect: value a[0]*b[0]
  %product = shape.mul %n, %m : !shape.size, !shape.size -> !shape.size
  // expect: value max(a[0], b[0])
  %max = shape.max %n, %m : !shape.size, !shape.size -> !shape.size
  %min = shape.min %n, %m : !shape.size, !shape.size -> !shape.size
  // expect: refuted C1 with b[0] = 0
  // expect: proved C2
  %ratio = shape.div %sum, %m : !shape.size, !shape.size -> !shape.size
  %half = shape.div %product, %one : !shape.size, !shape.size -> !shape.size
  return %max, %min : !shape.size, !shape.size
}

func.func @indices(%a: tensor<?x3xf32>, %i: index) -> index {
  %e = shape.shape_of %a : tensor<?x3xf32> -> tensor<2xindex>
  %one = arith.constant 1 : index
  // expect: value 3
  %columns = shape.get_extent %e, %one : tensor<2xindex>, index -> index
  // expect: refuted C1
  %any = shape.get_extent %e, %i : tensor<2xindex>, index -> index
  %zero = arith.constant 0 : index
  // expect: value a[0]
  %rows = shape.dim %a, %zero : tensor<?x3xf32>, index -> index
  // expect: value 3*a[0]
  %count = shape.num_elements %e : tensor<2xindex> -> index
  // expect: value 2
  %rank = shape.rank %e : tensor<2xindex> -> index
  // expect: proved
  %size = shape.index_to_size %i
  return %count : index
}

func.func @errors(%a: tensor<?x3xf32>) -> index {
  %s = shape.shape_of %a : tensor<?x3xf32> -> !shape.shape
  %two = shape.const_size 2
  %missing = shape.get_extent %s, %two : !shape.shape, !shape.size -> !shape.size
  %more = shape.add %missing, %two : !shape.size, !shape.size -> !shape.size
  // expect: refuted C1
  %index = shape.size_to_index %more : !shape.size
  return %index : index
}

func.func @whole(%a: tensor<?x?xf32>) -> index {
  %s = shape.shape_of %a : tensor<?x?xf32> -> !shape.shape
  %n = shape.num_elements %s : !shape.shape -> !shape.size
  %r = shape.rank %s : !shape.shape -> !shape.size
  // expect: value a[0]*a[1]
  %index = shape.size_to_index %n : !shape.size
  return %index : index
}
