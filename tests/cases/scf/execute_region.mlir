func.func @once(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expect: shape [a[0]]
  %0 = scf.execute_region -> tensor<?xf32> {
    scf.yield %a : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
