func.func @fill(%a: tensor<?xf32>, %n: index, %o: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %r = scf.for %i = %0 to %n step %1 iter_args(%x = %o) -> (tensor<?xf32>) {
    %s = tensor.extract_slice %a[3] [2] [1] : tensor<?xf32> to tensor<2xf32>
    %e = tensor.extract %s[%0] : tensor<2xf32>
    %y = tensor.insert %e into %x[%0] : tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
