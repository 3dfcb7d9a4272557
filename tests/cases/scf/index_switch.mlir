func.func @cases(%n: index) -> index {
  %c2 = arith.constant 2 : index
  %0 = scf.index_switch %n -> index
  case 2 {
    %two = arith.cmpi eq, %n, %c2 : index
    // expect: proved C1
    cf.assert %two, "case 2"
    scf.yield %n : index
  }
  default {
    %other = arith.cmpi ne, %n, %c2 : index
    // expect: proved C1
    cf.assert %other, "any other case"
    scf.yield %c2 : index
  }
  %always = arith.cmpi eq, %0, %c2 : index
  // expect: proved C1
  cf.assert %always, "2 either way"
  return %0 : index
}
