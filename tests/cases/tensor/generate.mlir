func.func @reversed(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  // expect: proved
  // expect: shape [a[0]]
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    %k = arith.subi %n, %i : index
    %j = arith.subi %k, %c1 : index
    // expect: proved C1
    %x = tensor.extract %a[%j] : tensor<?xf32>
    tensor.yield %x : f32
  } : tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @one_further(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    // expect: refuted C1 with a[0] = 2
    %x = tensor.extract %a[%j] : tensor<?xf32>
    tensor.yield %x : f32
  } : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// The body has run if there is a position, and only then.
func.func @run_at_a_position(%n: index, %m: index) -> tensor<?xindex> {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %several = arith.cmpi sge, %n, %c2 : index
  // expect: refuted C1 with n = 0
  cf.assert %several, "several positions"
  %positive = arith.cmpi sgt, %m, %c0 : index
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    // expect: refuted C1 with m = 0
    cf.assert %positive, "m is positive"
    tensor.yield %m : index
  } : tensor<?xindex>
  // expect: proved C1
  cf.assert %positive, "m is still positive"
  return %0 : tensor<?xindex>
}

func.func @run_at_the_only_position(%n: index, %m: index) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %some = arith.cmpi sge, %n, %c1 : index
  // expect: refuted C1 with n = 0
  cf.assert %some, "at least one position"
  %positive = arith.cmpi sgt, %m, %c0 : index
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    // expect: refuted C1 with m = 0
    cf.assert %positive, "m is positive"
    tensor.yield %m : index
  } : tensor<?xindex>
  // expect: proved C1
  cf.assert %positive, "m is still positive"
  return %0 : tensor<?xindex>
}

func.func @perhaps_not_run(%n: index, %m: index) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %natural = arith.cmpi sge, %n, %c0 : index
  // expect: refuted C1 with n = -1
  cf.assert %natural, "n is a size"
  %positive = arith.cmpi sgt, %m, %c0 : index
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    // expect: refuted C1 with m = 0
    cf.assert %positive, "m is positive"
    tensor.yield %m : index
  } : tensor<?xindex>
  // expect: refuted C1 with n = 0
  cf.assert %positive, "m is positive though nothing ran"
  return %0 : tensor<?xindex>
}
