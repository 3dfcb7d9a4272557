module {
  tosa.variable @state : tensor<3xf32>
  tosa.variable @any_state : tensor<?xf32>
  tosa.variable @rows : tensor<3x?xf32>

  func.func @branched(%c: tensor<i1>, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
    // expect: shape [select(c.values[0] == 1, a[0], b[0])]
    %0 = "tosa.cond_if"(%c, %a, %b) ({
      ^bb0(%x: tensor<?xf32>, %y: tensor<?xf32>):
        tosa.yield %x : tensor<?xf32>
    }, {
      ^bb0(%x: tensor<?xf32>, %y: tensor<?xf32>):
        tosa.yield %y : tensor<?xf32>
    }) : (tensor<i1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }

  func.func @repeated(%i: tensor<i32>, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
    // expect: approximated
    %0:2 = "tosa.while_loop"(%i, %a) ({
      ^bb0(%n: tensor<i32>, %x: tensor<?xf32>):
        %more = tosa.greater_equal %n, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        tosa.yield %more : tensor<i1>
    }, {
      ^bb0(%n: tensor<i32>, %x: tensor<?xf32>):
        // expect: undecided C1
        %y = tosa.add %x, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
        tosa.yield %n, %y : tensor<i32>, tensor<?xf32>
    }) : (tensor<i32>, tensor<?xf32>) -> (tensor<i32>, tensor<?xf32>)
    return %0#1 : tensor<?xf32>
  }

  func.func @kept() -> tensor<3xf32> {
    %0 = tosa.variable_read @state : tensor<3xf32>
    tosa.variable_write @state, %0 : tensor<3xf32>
    return %0 : tensor<3xf32>
  }

  func.func @kept_of_any_size(%a: tensor<?xf32>) {
    // expect: refuted C1 with a[0] = 2
    tosa.variable_write @state, %a : tensor<?xf32>
    tosa.variable_write @any_state, %a : tensor<?xf32>
    // expect: approximated does not state all extents
    %0 = tosa.variable_read @any_state : tensor<3xf32>
    // expect: approximated does not state all extents
    %1 = tosa.variable_read @rows : tensor<3x4xf32>
    return
  }

  // What a region's types say of extents is said of no value outside.
  func.func @under_other_types(%c: tensor<i1>, %a: tensor<?xf32>) -> tensor<?xf32> {
    // expect: approximated values of other types
    %0 = "tosa.cond_if"(%c, %a) ({
      ^bb0(%x: tensor<4xf32>):
        tosa.yield %x : tensor<4xf32>
    }, {
      ^bb0(%x: tensor<?xf32>):
        tosa.yield %x : tensor<?xf32>
    }) : (tensor<i1>, tensor<?xf32>) -> tensor<?xf32>
    // expect: approximated values of other types
    %1 = "tosa.while_loop"(%0) ({
      ^bb0(%x: tensor<4xf32>):
        tosa.yield %c : tensor<i1>
    }, {
      ^bb0(%x: tensor<4xf32>):
        tosa.yield %x : tensor<4xf32>
    }) : (tensor<?xf32>) -> tensor<?xf32>
    return %1 : tensor<?xf32>
  }

  func.func @several_conditions(%c: tensor<?xi1>, %a: tensor<?xf32>) -> tensor<?xf32> {
    // expect: refuted C1 with c[0] = 2
    // expect: approximated the truth of %c
    %0 = "tosa.cond_if"(%c, %a) ({
      ^bb0(%x: tensor<?xf32>):
        tosa.yield %x : tensor<?xf32>
    }, {
      ^bb0(%x: tensor<?xf32>):
        tosa.yield %x : tensor<?xf32>
    }) : (tensor<?xi1>, tensor<?xf32>) -> tensor<?xf32>
    // expect: approximated another number of elements
    %1 = "tosa.while_loop"(%0) ({
      ^bb0(%x: tensor<?xf32>):
        tosa.yield %c : tensor<?xi1>
    }, {
      ^bb0(%x: tensor<?xf32>):
        tosa.yield %x : tensor<?xf32>
    }) : (tensor<?xf32>) -> tensor<?xf32>
    return %1 : tensor<?xf32>
  }
}
