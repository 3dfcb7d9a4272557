func.func @blocks(%c: i1, %a: tensor<?xf32>) -> tensor<?xf32> {
  // expect: approximated
  cf.cond_br %c, ^one(%a : tensor<?xf32>), ^two
^one(%x: tensor<?xf32>):
  return %x : tensor<?xf32>
^two:
  cf.br ^one(%a : tensor<?xf32>)
}
