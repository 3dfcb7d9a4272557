// Folds over all extents of a shape of unknown rank, for all ranks.

func.func @product(%x: tensor<*xf32>) -> index {
  %s = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
  %one = arith.constant 1 : index
  // expect: value numel(x)
  %n = shape.reduce(%s, %one) : tensor<?xindex> -> index {
    ^bb0(%i: index, %d: index, %acc: index):
      %next = arith.muli %d, %acc : index
      shape.yield %next : index
  }
  %m = shape.num_elements %s : tensor<?xindex> -> index
  %same = arith.cmpi eq, %n, %m : index
  // expect: proved C1
  cf.assert %same, "the product is not the number of elements"
  return %n : index
}

func.func @product_of_sizes(%x: tensor<*xf32>, %y: tensor<?xf32>) -> !shape.size {
  %a = shape.shape_of %x : tensor<*xf32> -> !shape.shape
  %b = shape.shape_of %y : tensor<?xf32> -> !shape.shape
  %s = shape.concat %a, %b : !shape.shape, !shape.shape -> !shape.shape
  %one = shape.const_size 1
  // expect: value numel(x)*y[0]
  %n = shape.reduce(%s, %one) : !shape.shape -> !shape.size {
    ^bb0(%i: index, %d: !shape.size, %acc: !shape.size):
      %next = shape.mul %acc, %d : !shape.size, !shape.size -> !shape.size
      shape.yield %next : !shape.size
  }
  // expect: proved C1
  %j = shape.size_to_index %n : !shape.size
  return %n : !shape.size
}

func.func @several(%x: tensor<*xf32>) -> index {
  %s = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 1000 : index
  %r:4 = shape.reduce(%s, %zero, %zero, %many, %zero) : tensor<?xindex> -> (index, index, index, index) {
    ^bb0(%i: index, %d: index, %sum: index, %most: index, %least: index, %count: index):
      %sum2 = arith.addi %sum, %d : index
      %most2 = arith.maxsi %most, %d : index
      %least2 = arith.minui %d, %least : index
      %count2 = arith.addi %count, %one : index
      shape.yield %sum2, %most2, %least2, %count2 : index, index, index, index
  }
  %rank = shape.rank %s : tensor<?xindex> -> index
  %a = arith.cmpi eq, %r#3, %rank : index
  // expect: proved C1
  cf.assert %a, "the count is not the rank"
  %b = arith.cmpi sge, %r#0, %r#1 : index
  // expect: proved C1
  cf.assert %b, "the sum is less than the greatest"
  %c = arith.cmpi sge, %r#0, %zero : index
  // expect: proved C1
  cf.assert %c, "the sum is negative"
  %d0 = arith.cmpi sle, %r#2, %r#1 : index
  // expect: refuted C1 with x = []
  cf.assert %d0, "the least is not the least"
  return %r#0 : index
}

func.func @all_and_any(%x: tensor<*xf32>) {
  %s = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %all = shape.reduce(%s, %true) : tensor<?xindex> -> i1 {
    ^bb0(%i: index, %d: index, %acc: i1):
      %few = arith.cmpi ne, %d, %zero : index
      %next = arith.andi %acc, %few : i1
      shape.yield %next : i1
  }
  %any = shape.reduce(%s, %false) : tensor<?xindex> -> i1 {
    ^bb0(%i: index, %d: index, %acc: i1):
      %c0 = arith.constant 0 : index
      %few = arith.cmpi eq, %c0, %d : index
      %next = arith.ori %acc, %few : i1
      shape.yield %next : i1
  }
  %n = shape.num_elements %s : tensor<?xindex> -> index
  %some = arith.cmpi ugt, %n, %zero : index
  %a = arith.cmpi eq, %all, %some : i1
  // expect: proved C1
  cf.assert %a, "no extent is 0 exactly where there are elements"
  %different = arith.cmpi ne, %all, %any : i1
  // expect: proved C1
  cf.assert %different, "an extent is 0 exactly where not all are others"
  // expect: refuted C1 with x = [0]
  cf.assert %all, "an extent is 0"
  return
}

// A body that no fold of the language says is not followed.
func.func @horner(%x: tensor<*xf32>) -> index {
  %s = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
  %zero = arith.constant 0 : index
  // expect: approximated is not followed
  %n = shape.reduce(%s, %zero) : tensor<?xindex> -> index {
    ^bb0(%i: index, %d: index, %acc: index):
      %square = arith.muli %acc, %acc : index
      %next = arith.addi %square, %d : index
      shape.yield %next : index
  }
  %few = arith.cmpi ne, %n, %zero : index
  // expect: undecided C1
  cf.assert %few, "it is 0"
  return %n : index
}

// The accumulator wraps at 32 bits: it is not the rank.
func.func @narrow_count(%x: tensor<*xf32>) -> i32 {
  %s = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
  %zero = arith.constant 0 : i32
  %big = arith.constant 1073741824 : i32
  // expect: approximated is not followed
  %n = shape.reduce(%s, %zero) : tensor<?xindex> -> i32 {
    ^bb0(%i: index, %d: index, %acc: i32):
      %next = arith.addi %acc, %big : i32
      shape.yield %next : i32
  }
  %natural = arith.cmpi sge, %n, %zero : i32
  // expect: undecided C1
  cf.assert %natural, "it is negative"
  return %n : i32
}

// In the body an accumulator is what it is after any number of extents, its error state included.
func.func @used_in_the_body(%x: tensor<*xf32>, %n: !shape.size) {
  %s = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
  %true = arith.constant true
  %zero = arith.constant 0 : index
  %all = shape.reduce(%s, %true) : tensor<?xindex> -> i1 {
    ^bb0(%i: index, %d: index, %acc: i1):
      // expect: undecided C1
      cf.assert %acc, "an extent before is 0"
      %some = arith.cmpi ne, %d, %zero : index
      %next = arith.andi %acc, %some : i1
      shape.yield %next : i1
  }
  %t = shape.shape_of %x : tensor<*xf32> -> !shape.shape
  %product = shape.reduce(%t, %n) : !shape.shape -> !shape.size {
    ^bb0(%i: index, %d: !shape.size, %acc: !shape.size):
      // expect: undecided C1
      %k = shape.size_to_index %acc : !shape.size
      %next = shape.mul %acc, %d : !shape.size, !shape.size -> !shape.size
      shape.yield %next : !shape.size
  }
  return
}

func.func @false_until_an_extent_is_0(%x: tensor<*xf32>) {
  %s = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : index
  %any = shape.reduce(%s, %false) : tensor<?xindex> -> i1 {
    ^bb0(%i: index, %d: index, %acc: i1):
      %none = arith.xori %acc, %true : i1
      // expect: undecided C1
      cf.assert %none, "an extent before is 0"
      %empty = arith.cmpi eq, %d, %zero : index
      %next = arith.ori %acc, %empty : i1
      shape.yield %next : i1
  }
  return
}

func.func @shapes_are_folded(%x: tensor<*xf32>, %y: !shape.shape) -> !shape.shape {
  %s = shape.shape_of %x : tensor<*xf32> -> !shape.shape
  // expect: approximated changes from iteration to iteration
  // expect: shape %acc'2
  %r = shape.reduce(%s, %y) : !shape.shape -> !shape.shape {
    ^bb0(%i: index, %d: !shape.size, %acc: !shape.shape):
      %next = shape.concat %acc, %y : !shape.shape, !shape.shape -> !shape.shape
      shape.yield %next : !shape.shape
  }
  return %r : !shape.shape
}

func.func @last(%s: !shape.shape, %none: !shape.size) -> !shape.size {
  // expect: value select(rank(s) == 0, none, s[-1])
  %n = shape.reduce(%s, %none) : !shape.shape -> !shape.size {
    ^bb0(%i: index, %d: !shape.size, %acc: !shape.size):
      shape.yield %d : !shape.size
  }
  return %n : !shape.size
}

func.func @differences(%x: tensor<*xf32>, %k: index) -> index {
  %s = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
  %ten = arith.constant 10 : index
  // expect: value 10 - sum_of(x)
  %left = shape.reduce(%s, %ten) : tensor<?xindex> -> index {
    ^bb0(%i: index, %d: index, %acc: index):
      %next = arith.subi %acc, %d : index
      shape.yield %next : index
  }
  // expect: value k*sum_of(x) + 10
  %weighted = shape.reduce(%s, %ten) : tensor<?xindex> -> index {
    ^bb0(%i: index, %d: index, %acc: index):
      %many = arith.muli %k, %d : index
      %next = arith.addi %acc, %many : index
      shape.yield %next : index
  }
  %whole = arith.cmpi sle, %left, %ten : index
  // expect: proved C1
  cf.assert %whole, "more is left than there was"
  %some = arith.cmpi sge, %left, %k : index
  // expect: refuted C1
  cf.assert %some, "less is left"
  return %weighted : index
}
