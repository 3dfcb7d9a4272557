// Functions that call the next one twice on different arguments: every path is followed, with its own numbers.
func.func @entry(%t: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %x = tensor.dim %t, %c0 : tensor<?xf32>
  %r = func.call @first(%x, %n) : (index, index) -> index
  return %r : index
}

func.func private @first(%x: index, %n: index) -> index {
  %a = func.call @second(%x, %n) : (index, index) -> index
  %b = func.call @second(%x, %a) : (index, index) -> index
  return %b : index
}

func.func private @second(%x: index, %n: index) -> index {
  %a = func.call @last(%x, %n) : (index, index) -> index
  %b = func.call @last(%x, %a) : (index, index) -> index
  return %b : index
}

func.func private @last(%x: index, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.cmpi sge, %x, %c0 : index
  // expect: proved C1
  cf.assert %size, "a size"
  %next = arith.addi %n, %c1 : index
  return %next : index
}
