func.func @number() -> i8 {
  // expect: value -1
  %0 = arith.constant 255 : i8
  return %0 : i8
}

func.func @tensor() -> tensor<2x3xi64> {
  // expect: shape [2, 3]
  %0 = arith.constant dense<7> : tensor<2x3xi64>
  return %0 : tensor<2x3xi64>
}

func.func @of_scalable_size(%v: vector<[4]xi32>) -> vector<[4]xi1> {
  %ones = arith.constant dense<1> : vector<[4]xi32>
  %0 = arith.cmpi eq, %v, %ones : vector<[4]xi32>
  return %0 : vector<[4]xi1>
}
