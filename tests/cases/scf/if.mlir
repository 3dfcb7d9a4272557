func.func @meets(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %n, %m : index
  %0 = scf.if %same -> tensor<?xf32> {
    // expect: proved
    %sum = arith.addf %a, %b : tensor<?xf32>
    scf.yield %sum : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  // expect: proved
  %1 = arith.addf %0, %a : tensor<?xf32>
  return %1 : tensor<?xf32>
}

func.func @afterwards(%a: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %positive = arith.cmpi sgt, %a, %c0 : index
  scf.if %c {
    // expect: refuted C1
    cf.assert %positive, "in the branch"
  }
  // expect: refuted C1
  cf.assert %positive, "the branch need not have run"
  return
}
