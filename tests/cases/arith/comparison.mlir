func.func @sizes(%a: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %positive = arith.cmpi sge, %n, %c0 : index
  // expect: proved C1
  cf.assert %positive, "a size is not negative"
  %some = arith.cmpi ugt, %n, %c0 : index
  // expect: refuted C1 with a[0] = 0
  cf.assert %some, "a size is not 0"
  return
}

func.func @unsigned(%a: i8) {
  %c0 = arith.constant 0 : i8
  %all = arith.cmpi uge, %a, %c0 : i8
  // expect: proved C1
  cf.assert %all, "no unsigned number is below 0"
  return
}
