func.func @fill(%a: tensor<?xf32>, %n: index, %o: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %r = scf.for %i = %0 to %n step %1 iter_args(%x = %o) -> (tensor<?xf32>) {
    %e = tensor.extract %a[%1] : tensor<?xf32>
    %y = tensor.insert %e into %x[%0] : tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
