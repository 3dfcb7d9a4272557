func.func @f(%a: tensor<?xf32>, %n: index, %c: i1) -> index {
  cf.cond_br %c, ^left, ^right
^left:
  %0 = arith.constant 0 : index
  cf.br ^end(%0 : index)
^right:
  cf.br ^end(%n : index)
^end(%unused: index):
  return %n : index
}
