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

func.func @outside_of_a_size(%i: index, %j: index, %n: index) -> index {
  // expect: refuted C1
  %0 = affine.linearize_index disjoint [%i, %j] by (4, %n) : index
  return %0 : index
}

func.func @inside_after_splitting(%x: index) -> index {
  // expect: proved C1
  %0:3 = affine.delinearize_index %x into (3, 5, 7) : index, index, index
  // expect: refuted C1 with x = 105
  %1 = affine.linearize_index disjoint [%0#0, %0#1, %0#2] by (3, 5, 7) : index
  return %1 : index
}

func.func @the_outermost_size_is_left_out(%x: index) -> index {
  // expect: proved C1
  %0:3 = affine.delinearize_index %x into (5, 7) : index, index, index
  // expect: proved C1
  %1 = affine.linearize_index disjoint [%0#0, %0#1, %0#2] by (5, 7) : index
  return %1 : index
}

func.func @nothing_is_promised(%i: index, %j: index) -> index {
  // expect: value 8*i + j
  %0 = affine.linearize_index [%i, %j] by (4, 8) : index
  return %0 : index
}
