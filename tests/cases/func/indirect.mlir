func.func private @callee(%a: index) -> index {
  return %a : index
}

func.func @through_a_value(%a: index) -> index {
  %f = func.constant @callee : (index) -> index
  // expect: approximated
  %0 = func.call_indirect %f(%a) : (index) -> index
  return %0 : index
}
