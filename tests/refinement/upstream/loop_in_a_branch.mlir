#positive = affine_set<(d0) : (d0 - 1 >= 0)>
func.func @f(%a: tensor<?xf32>) -> index {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %n = tensor.dim %a, %0 : tensor<?xf32>
  %r = affine.if #positive(%n) -> index {
    %s = scf.for %i = %0 to %n step %1 iter_args(%x = %0) -> (index) {
      scf.yield %i : index
    }
    affine.yield %s : index
  } else {
    affine.yield %0 : index
  }
  return %r : index
}
