func.func @kept(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expect: approximated
  %0:2 = scf.while (%i = %c0, %x = %a) : (index, tensor<?xf32>) -> (index, tensor<?xf32>) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, %x : index, tensor<?xf32>
  } do {
  ^bb0(%j: index, %y: tensor<?xf32>):
    %below = arith.cmpi slt, %j, %n : index
    // expect: proved C1
    cf.assert %below, "the condition holds in the body"
    %k = arith.addi %j, %c1 : index
    scf.yield %k, %y : index, tensor<?xf32>
  }
  // expect: proved
  // expect: shape [a[0]]
  %1 = arith.addf %0#1, %a : tensor<?xf32>
  return %1 : tensor<?xf32>
}
