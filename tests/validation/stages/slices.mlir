// passes: canonicalize
// shown: sizes, checks and elements
// wrong (refuted): off by one offset
//   [1, 2] [%0, 6] => [1, 1] [%0, 6]
// wrong (refuted): dropped check
//   drop cf.assert %1, "a row"

func.func @f(%a: tensor<?x8xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x8xf32>
  %m = arith.subi %n, %c1 : index
  %p = arith.cmpi sge, %n, %c1 : index
  cf.assert %p, "a row"
  %s = tensor.extract_slice %a[%c1, 2] [%m, 6] [1, 1] : tensor<?x8xf32> to tensor<?x6xf32>
  %t = tensor.extract_slice %s[0, %c1] [%m, 3] [1, 2] : tensor<?x6xf32> to tensor<?x3xf32>
  return %t : tensor<?x3xf32>
}
