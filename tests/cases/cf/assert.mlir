func.func @checks(%a: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %four = arith.cmpi eq, %n, %c4 : index
  // expect: refuted C1 with a[0] = 2
  cf.assert %four, "four"
  // expect: proved C1
  cf.assert %four, "four again"
  return
}

// What the author of a model states is declared: it holds from there on.
func.func @declared(%a: tensor<?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %fits = arith.cmpi sle, %k, %n : index
  cf.assert %fits, "at most n" {shapesolve.declared}
  // expect: proved C1
  cf.assert %fits, "again"
  %two = arith.cmpi sge, %n, %c2 : index
  // expect: refuted C1 with a[0] = 1, k = 0
  cf.assert %two, "two at least"
  return
}
