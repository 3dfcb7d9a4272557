// What the rules of this dialect demand, and sizes for which it does not hold: one clause or two for each function.

func.func @ceildivs_by_zero(%a: index, %b: index) {
  // expect: refuted C2
  // expect: refuted C3 with a = -9223372036854775808, b = -1
  %0 = index.ceildivs %a, %b
  return
}

func.func @ceildivu_by_zero(%a: index, %b: index) {
  // expect: refuted C2
  %0 = index.ceildivu %a, %b
  return
}

func.func @divs_by_zero(%a: index, %b: index) {
  // expect: refuted C2
  // expect: refuted C3 with a = -9223372036854775808, b = -1
  %0 = index.divs %a, %b
  return
}

func.func @divu_by_zero(%a: index, %b: index) {
  // expect: refuted C2
  %0 = index.divu %a, %b
  return
}

func.func @rems_by_zero(%a: index, %b: index) {
  // expect: refuted C2
  // expect: refuted C3 with a = -9223372036854775808, b = -1
  %0 = index.rems %a, %b
  return
}

func.func @remu_by_zero(%a: index, %b: index) {
  // expect: refuted C2
  %0 = index.remu %a, %b
  return
}

func.func @shl_too_far(%a: index, %b: index) {
  // expect: refuted C2
  // expect: approximated
  %0 = index.shl %a, %b
  return
}

func.func @shrs_too_far(%a: index, %b: index) {
  // expect: refuted C2
  // expect: approximated
  %0 = index.shrs %a, %b
  return
}

func.func @shru_too_far(%a: index, %b: index) {
  // expect: refuted C2
  // expect: approximated
  %0 = index.shru %a, %b
  return
}
