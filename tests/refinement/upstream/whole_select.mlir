func.func @either(%a: tensor<?xf32>, %b: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
  %r = scf.if %p -> (tensor<?xf32>) {
    scf.yield %a : tensor<?xf32>
  } else {
    scf.yield %b : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
