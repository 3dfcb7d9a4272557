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
