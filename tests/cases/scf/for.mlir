func.func @kept(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  // expect: proved
  // expect: shape [a[0]]
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<?xf32> {
    // expect: proved
    %e = tensor.extract %a[%i] : tensor<?xf32>
    // expect: proved
    %s = arith.addf %x, %a : tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

func.func @step(%n: index, %s: index) {
  %c0 = arith.constant 0 : index
  // expect: refuted C1
  scf.for %i = %c0 to %n step %s {
    %inside = arith.cmpi slt, %i, %n : index
    // expect: proved C1
    cf.assert %inside, "below the bound"
  }
  return
}

func.func @swapped(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expect: proved
  // expect: approximated
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<?xf32>, tensor<?xf32>) {
    // expect: undecided C1
    %s = arith.addf %x, %a : tensor<?xf32>
    scf.yield %y, %x : tensor<?xf32>, tensor<?xf32>
  }
  return
}

func.func @counted(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  // expect: proved
  // expect: shape [4*a[0]]
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> tensor<?xf32> {
    %s = tensor.concat dim(0) %x, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
