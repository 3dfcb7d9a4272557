func.func @blocks(%c: i1, %a: tensor<?xf32>) -> tensor<?xf32> {
  cf.cond_br %c, ^one(%a : tensor<?xf32>), ^two
^one(%x: tensor<?xf32>):
  // expect: proved C1
  %0 = arith.addf %x, %a : tensor<?xf32>
  return %x : tensor<?xf32>
^two:
  cf.br ^one(%a : tensor<?xf32>)
}

func.func @diamond(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %n, %m : index
  cf.cond_br %same, ^add, ^other
^add:
  // expect: proved C1
  %s = arith.addf %a, %b : tensor<?xf32>
  cf.br ^end(%s : tensor<?xf32>)
^other:
  // expect: refuted C1 with a[0] = 2, b[0] = 3
  %t = arith.addf %a, %b : tensor<?xf32>
  cf.br ^end(%a : tensor<?xf32>)
^end(%r: tensor<?xf32>):
  %l = tensor.dim %r, %c0 : tensor<?xf32>
  %ok = arith.cmpi eq, %l, %n : index
  // expect: proved C1
  cf.assert %ok, "as long as a"
  return %r : tensor<?xf32>
}

func.func @merged(%c: i1, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  cf.cond_br %c, ^end(%a : tensor<?xf32>), ^end(%b : tensor<?xf32>)
^end(%r: tensor<?xf32>):
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %l = tensor.dim %r, %c0 : tensor<?xf32>
  %one = arith.cmpi eq, %l, %n : index
  %other = arith.cmpi eq, %l, %m : index
  %either = arith.ori %one, %other : i1
  // expect: proved C1
  cf.assert %either, "one of the two"
  // expect: refuted C1
  cf.assert %one, "the first"
  return %r : tensor<?xf32>
}

func.func @cases(%flag: i32, %a: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %minus = arith.constant -7 : i32
  cf.switch %flag : i32, [
    default: ^far,
    -7: ^end(%c1 : index),
    3: ^three(%c2, %n : index, index)
  ]
^far:
  %different = arith.cmpi ne, %flag, %minus : i32
  // expect: proved C1
  cf.assert %different, "not a case"
  cf.br ^end(%c0 : index)
^three(%two: index, %k: index):
  %small = arith.cmpi slt, %k, %c2 : index
  // expect: refuted C1 with n = 2, flag = 3
  cf.assert %small, "below two"
  return %two : index
^end(%r: index):
  %seven = arith.cmpi eq, %flag, %minus : i32
  %one = arith.cmpi eq, %r, %c1 : index
  %as = arith.cmpi eq, %seven, %one : i1
  // expect: proved C1
  cf.assert %as, "one exactly where it is that case"
  return %r : index
}

func.func @never(%a: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %false = arith.constant false
  cf.cond_br %true, ^always, ^never
^always:
  // expect: refuted C1 with a[0] = 0
  %0 = tensor.extract %a[%c0] : tensor<?xf32>
  return
^never:
  // expect: unreachable C1
  cf.assert %false, "never"
  return
}

func.func @no_case(%n: i32, %a: tensor<?xf32>) {
  cf.switch %n : i32, [default: ^end(%a : tensor<?xf32>)]
^end(%x: tensor<?xf32>):
  // expect: proved C1
  %0 = arith.addf %x, %a : tensor<?xf32>
  return
}
