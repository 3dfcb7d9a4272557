// A private function is checked where it is called.
func.func private @sum(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  // expect: proved C1
  %0 = arith.addf %x, %y : tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @same(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expect: shape [a[0]]
  %0 = func.call @sum(%a, %a) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
