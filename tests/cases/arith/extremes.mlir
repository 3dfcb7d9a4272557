func.func @of_sizes(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  // expect: value max(a[0], b[0])
  %0 = arith.maxsi %n, %m : index
  // expect: value max(a[0], b[0])
  %1 = arith.maxui %n, %m : index
  // expect: value min(a[0], b[0])
  %2 = arith.minsi %n, %m : index
  // expect: value min(a[0], b[0])
  %3 = arith.minui %n, %m : index
  return %3 : index
}
