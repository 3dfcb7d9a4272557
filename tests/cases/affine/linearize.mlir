func.func @there_and_back(%x: index) -> index {
  // expect: proved C1
  %0:2 = affine.delinearize_index %x into (5) : index, index
  // expect: value x
  %1 = affine.linearize_index [%0#0, %0#1] by (5) : index
  return %1 : index
}

func.func @no_size(%x: index, %b: index) -> index {
  // expect: refuted C1
  %0:2 = affine.delinearize_index %x into (%b) : index, index
  return %0#0 : index
}
