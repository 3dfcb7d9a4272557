#one = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#rows = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>

// How many elements a tensor has, as a program computes it.
func.func @product(%x: tensor<?x?x4xf32>) -> tensor<?xf32> {
  %one = arith.constant dense<1> : tensor<i64>
  %shape = shape.shape_of %x : tensor<?x?x4xf32> -> tensor<3xindex>
  %sizes = arith.index_cast %shape : tensor<3xindex> to tensor<3xi64>
  %p = linalg.generic {indexing_maps = [#one, #none], iterator_types = ["reduction"]} ins(%sizes : tensor<3xi64>) outs(%one : tensor<i64>) {
  ^bb0(%a: i64, %o: i64):
    %m = arith.muli %a, %o : i64
    linalg.yield %m : i64
  } -> tensor<i64>
  %n = tensor.extract %p[] : tensor<i64>
  // expect: value 4*x[0]*x[1]
  %i = arith.index_cast %n : i64 to index
  %s = tensor.from_elements %i : tensor<1xindex>
  %y = tensor.reshape %x(%s) : (tensor<?x?x4xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

func.func @sum_and_most(%x: tensor<?x?xf32>) -> (index, index) {
  %zero = arith.constant dense<0> : tensor<index>
  %sizes = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %r:2 = linalg.reduce ins(%sizes, %sizes : tensor<2xindex>, tensor<2xindex>) outs(%zero, %zero : tensor<index>, tensor<index>) dimensions = [0]
    (%a: index, %b: index, %o: index, %p: index) {
      %s = arith.addi %a, %o : index
      %m = arith.maxsi %b, %p : index
      linalg.yield %s, %m : index, index
    }
  // expect: value x[0] + x[1]
  %s = tensor.extract %r#0[] : tensor<index>
  // expect: value max(x[0], x[1])
  %m = tensor.extract %r#1[] : tensor<index>
  return %s, %m : index, index
}

func.func @each_of_its_own(%x: tensor<?x?xf32>, %n: index) -> (index, index) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %sizes = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %e = tensor.expand_shape %sizes [[0, 1]] output_shape [2, 1] : tensor<2xindex> into tensor<2x1xindex>
  %out = tensor.empty() : tensor<1x2xindex>
  %r = linalg.generic {indexing_maps = [#rows, #turned], iterator_types = ["parallel", "parallel"]} ins(%e : tensor<2x1xindex>) outs(%out : tensor<1x2xindex>) {
  ^bb0(%a: index, %o: index):
    // expect: refuted C2
    %q = arith.divui %a, %n : index
    linalg.yield %q : index
  } -> tensor<1x2xindex>
  %p = tensor.extract %r[%c0, %c0] : tensor<1x2xindex>
  %q = tensor.extract %r[%c0, %c1] : tensor<1x2xindex>
  return %p, %q : index, index
}

// The order of a reduction is nobody's promise.
func.func @in_some_order(%x: tensor<?x?xf32>) -> index {
  %zero = arith.constant dense<0> : tensor<index>
  %sizes = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  // expect: approximated
  %r = linalg.generic {indexing_maps = [#one, #none], iterator_types = ["reduction"]} ins(%sizes : tensor<2xindex>) outs(%zero : tensor<index>) {
  ^bb0(%a: index, %o: index):
    %s = arith.subi %a, %o : index
    linalg.yield %s : index
  } -> tensor<index>
  // expect: approximated
  %s = tensor.extract %r[] : tensor<index>
  %c0 = arith.constant 0 : index
  %not = arith.cmpi sge, %s, %c0 : index
  // expect: undecided C1
  cf.assert %not, "in which order"
  return %s : index
}

// Integers of 32 bits wrap around.
func.func @narrow(%x: tensor<?x?xf32>) -> i32 {
  %one = arith.constant dense<1> : tensor<i32>
  %shape = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %sizes = arith.index_cast %shape : tensor<2xindex> to tensor<2xi32>
  %p = linalg.generic {indexing_maps = [#one, #none], iterator_types = ["reduction"]} ins(%sizes : tensor<2xi32>) outs(%one : tensor<i32>) {
  ^bb0(%a: i32, %o: i32):
    %m = arith.muli %a, %o : i32
    linalg.yield %m : i32
  } -> tensor<i32>
  %n = tensor.extract %p[] : tensor<i32>
  %c0 = arith.constant 0 : i32
  %ok = arith.cmpi sge, %n, %c0 : i32
  // expect: refuted C1
  cf.assert %ok, "no negative count"
  return %n : i32
}
