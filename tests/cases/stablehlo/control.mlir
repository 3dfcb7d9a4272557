func.func @branched(%a: tensor<?xf32>, %b: tensor<?xf32>, %p: tensor<i1>, %i: tensor<i32>) -> tensor<?xf32> {
  // expect: shape [select(p.values[0] == 1, a[0], b[0])]
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<?xf32>
  }, {
    stablehlo.return %b : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  // expect: shape [select(i.values[0] == 0, a[0], b[0])]
  %1 = "stablehlo.case"(%i) ({
    stablehlo.return %a : tensor<?xf32>
  }, {
    stablehlo.return %b : tensor<?xf32>
  }) : (tensor<i32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @guarded(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %p = stablehlo.compare EQ, %n, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = "stablehlo.if"(%p) ({
    // expect: proved C1
    %sum = stablehlo.add %a, %b : tensor<?xf32>
    stablehlo.return %sum : tensor<?xf32>
  }, {
    stablehlo.return %a : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @repeated(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<?xf32>
    cond {
      %four = stablehlo.constant dense<4> : tensor<i32>
      %more = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      // expect: refuted C1
      %sum = stablehlo.add %x, %b : tensor<?xf32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %sum : tensor<i32>, tensor<?xf32>
    }
  // expect: shape [a[0]]
  %1 = stablehlo.negate %0#1 : tensor<?xf32>
  return %1 : tensor<?xf32>
}

func.func @on_condition(%a: tensor<?xf32>, %b: tensor<?xf32>, %p: tensor<i1>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %0 = stablehlo.while(%x = %a) : tensor<?xf32>
    cond {
      %same = stablehlo.compare EQ, %n, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %same : tensor<i1>
    } do {
      // expect: proved C1
      %sum = stablehlo.add %x, %b : tensor<?xf32>
      stablehlo.return %sum : tensor<?xf32>
    }
  %1 = stablehlo.while(%x = %a) : tensor<?xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      // expect: refuted C1
      %sum = stablehlo.add %x, %b : tensor<?xf32>
      stablehlo.return %x : tensor<?xf32>
    }
  // expect: shape [a[0]]
  %2 = stablehlo.negate %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}

func.func @spelled(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.composite "my.sum" %a, %b {decomposition = @sum} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func private @sum(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  // expect: refuted C1
  %0 = stablehlo.add %a, %b : tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @spelled_with_one(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.composite "my.double" %a, %a {decomposition = @double} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func private @double(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  // expect: proved C1
  %0 = stablehlo.add %a, %b : tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @scan(%a: tensor<?x4xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %limit = %n) : tensor<i32>, tensor<i32>
    cond {
      %more = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      // expect: proved C1
      %row = stablehlo.dynamic_slice %a, %i, %zero, sizes = [1, 4] : (tensor<?x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
      // expect: refuted C1
      %two = stablehlo.dynamic_slice %a, %i, %zero, sizes = [2, 4] : (tensor<?x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %limit : tensor<i32>, tensor<i32>
    }
  %sizes = stablehlo.reshape %0#0 : (tensor<i32>) -> tensor<1xi32>
  // expect: shape [a[0]]
  %1 = stablehlo.dynamic_iota %sizes, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  // expect: refuted C1
  %2 = stablehlo.add %1, %b : tensor<?xf32>
  return %2 : tensor<?xf32>
}

// What a region's types say of extents is said of no value outside.
func.func @under_other_types(%c: tensor<i1>, %a: tensor<?xf32>) -> tensor<?xf32> {
  // expect: approximated values of other types
  %0 = "stablehlo.while"(%a) ({
    ^bb0(%x: tensor<4xf32>):
      stablehlo.return %c : tensor<i1>
  }, {
    ^bb0(%x: tensor<4xf32>):
      stablehlo.return %x : tensor<4xf32>
  }) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @from_a_tuple(%a: tensor<?xf32>) -> tensor<4xf32> {
  %t = stablehlo.tuple %a : tuple<tensor<?xf32>>
  // expect: approximated a value of another type
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<?xf32>>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The type of another value of the tuple is not that of this one.
func.func @beside_it_in_a_tuple(%a: tensor<?xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %t = stablehlo.tuple %a, %b : tuple<tensor<?xf32>, tensor<4xf32>>
  %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<?xf32>, tensor<4xf32>>) -> tensor<4xf32>
  // expect: approximated a value of another type
  %1 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<?xf32>, tensor<4xf32>>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
