func.func @on_sizes(%a: tensor<?xf32>) -> index {
  %c0 = index.constant 0
  %c2 = index.constant 2
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  // expect: value 2*a[0]
  %0 = index.mul %n, %c2
  // expect: value 2*a[0] + 2
  %1 = index.add %0, %c2
  // expect: value 2*a[0]
  %2 = index.sub %1, %c2
  // expect: value max(2, 2*a[0])
  %3 = index.maxs %2, %c2
  // expect: value 2
  %4 = index.minu %3, %c2
  %ok = index.cmp sge(%3, %4)
  // expect: proved C1
  cf.assert %ok, "at least 2"
  return %4 : index
}
