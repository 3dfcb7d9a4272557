func.func @f(%a: tensor<?xf32>, %n: index) {
  %0 = arith.constant 0 : index
  %2 = arith.constant 2 : index
  %false = arith.constant false
  %d = tensor.dim %a, %0 : tensor<?xf32>
  scf.for %i = %d to %n step %2 {
    cf.assert %false, "the loop has an iteration"
  }
  return
}
