func.func @round(%a: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %k = arith.addi %i, %c1 : index
  %low = arith.cmpi sge, %i, %c0 : index
  // expect: proved C1
  cf.assert %low, "it counts up"
  cf.br ^head(%k : index)
^end:
  %done = arith.cmpi sge, %i, %n : index
  // expect: proved C1
  cf.assert %done, "it goes on as long as it can"
  return %i : index
}

// What `scf.for` is lowered to: every element, and how many there were.
func.func @counted(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  cf.br ^head(%c0, %c0 : index, index)
^head(%i: index, %sum: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  // expect: proved C1
  %x = tensor.extract %a[%i] : tensor<?xf32>
  %next = arith.addi %i, %c1 : index
  // expect: refuted C1
  %y = tensor.extract %a[%next] : tensor<?xf32>
  %more_of_it = arith.addi %sum, %c1 : index
  cf.br ^head(%next, %more_of_it : index, index)
^end:
  %all = arith.cmpi eq, %sum, %n : index
  // expect: proved C1
  cf.assert %all, "as many as there are"
  return %sum : index
}

func.func @nested(%a: tensor<?x?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  cf.br ^rows(%c0, %c0 : index, index)
^rows(%i: index, %sum: index):
  %row = arith.cmpi slt, %i, %n : index
  cf.cond_br %row, ^columns(%c0, %sum : index, index), ^end
^columns(%j: index, %part: index):
  %column = arith.cmpi slt, %j, %m : index
  cf.cond_br %column, ^body, ^next
^body:
  // expect: proved C1
  %x = tensor.extract %a[%i, %j] : tensor<?x?xf32>
  %k = arith.addi %j, %c1 : index
  %more = arith.addi %part, %c1 : index
  cf.br ^columns(%k, %more : index, index)
^next:
  %in_row = arith.cmpi slt, %i, %n : index
  // expect: proved C1
  cf.assert %in_row, "the row is one of them"
  %l = arith.addi %i, %c1 : index
  cf.br ^rows(%l, %part : index, index)
^end:
  %positive = arith.cmpi sge, %sum, %c0 : index
  // expect: proved C1
  cf.assert %positive, "nothing is taken away"
  return %sum : index
}

// It ends in its body: then it was found. What is known of each way out is known behind it.
func.func @left_from_the_body(%a: tensor<?xi1>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xi1>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  // expect: approximated
  cf.cond_br %more, ^body, ^nowhere
^body:
  // expect: proved C1
  // expect: approximated
  %it = tensor.extract %a[%i] : tensor<?xi1>
  %next = arith.addi %i, %c1 : index
  cf.cond_br %it, ^found, ^head(%next : index)
^found:
  // expect: proved C1
  // expect: approximated
  %again = tensor.extract %a[%i] : tensor<?xi1>
  return %i : index
^nowhere:
  %past = arith.cmpi sge, %i, %n : index
  // expect: proved C1
  cf.assert %past, "all of them were looked at"
  return %n : index
}

// The test stands at the end, so the body runs at least once.
func.func @at_least_once(%a: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^body(%c0 : index)
^body(%i: index):
  %k = arith.addi %i, %c1 : index
  // expect: refuted C1
  %x = tensor.extract %a[%i] : tensor<?xf32>
  %more = arith.cmpi slt, %k, %n : index
  cf.cond_br %more, ^body(%k : index), ^end
^end:
  %some = arith.cmpi sge, %k, %c1 : index
  // expect: proved C1
  cf.assert %some, "once at least"
  %done = arith.cmpi sge, %k, %n : index
  // expect: proved C1
  cf.assert %done, "as long as it can"
  return %k : index
}

// Nobody knows how often it goes round; but it goes in steps of two.
func.func @halves(%start: index, %c: memref<i1>, %a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  // expect: approximated
  %more = memref.load %c[] : memref<i1>
  %k = arith.addi %i, %c2 : index
  // expect: approximated
  cf.cond_br %more, ^head(%k : index), ^end
^end:
  %odd = arith.remsi %i, %c2 : index
  %even = arith.cmpi eq, %odd, %c0 : index
  // expect: proved C1
  cf.assert %even, "even"
  %large = arith.cmpi sge, %i, %c2 : index
  // expect: undecided C1
  cf.assert %large, "that is not so at once"
  return %i : index
}

// It goes round never, or for ever.
func.func @never_or_ever(%c: tensor<i1>, %a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = tensor.extract %c[] : tensor<i1>
  %k = arith.addi %i, %c2 : index
  cf.cond_br %more, ^head(%k : index), ^end
^end:
  %none = arith.cmpi eq, %i, %c0 : index
  // expect: proved C1
  cf.assert %none, "never"
  %large = arith.cmpi sge, %i, %c2 : index
  // expect: refuted C1 with c.values[0] = 0
  cf.assert %large, "that is not so"
  return %i : index
}

// Short and of a known number of rounds: each is followed.
func.func @thrice(%a: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  cf.br ^head(%c0, %c1 : index, index)
^head(%i: index, %power: index):
  %more = arith.cmpi slt, %i, %c3 : index
  cf.cond_br %more, ^body, ^end
^body:
  %twice = arith.addi %power, %power : index
  %k = arith.addi %i, %c1 : index
  cf.br ^head(%k, %twice : index, index)
^end:
  %c8 = arith.constant 8 : index
  %eight = arith.cmpi eq, %power, %c8 : index
  // expect: proved C1
  cf.assert %eight, "two to the third"
  return %power : index
}

func.func @for_ever(%n: index) {
  %false = arith.constant false
  cf.br ^head
^head:
  cf.cond_br %false, ^end, ^head
^end:
  // expect: unreachable C1
  cf.assert %false, "never"
  return
}

// A loop into which control gets by two ways is not followed.
func.func @two_ways_in(%c: i1, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expect: approximated
  cf.cond_br %c, ^one(%c0 : index), ^other(%c0 : index)
^one(%i: index):
  %low = arith.cmpi sge, %i, %c0 : index
  // gap: proved C1
  cf.assert %low, "it counts up"
  cf.br ^other(%i : index)
^other(%j: index):
  %k = arith.addi %j, %c1 : index
  %more = arith.cmpi slt, %k, %n : index
  cf.cond_br %more, ^one(%k : index), ^end
^end:
  %done = arith.cmpi sge, %k, %n : index
  // gap: proved C1
  cf.assert %done, "it goes on as long as it can"
  return %k : index
}
