// Elements of an index tensor of unknown length are any integers. What is demanded of them is said of `idx.values[i]`.

func.func @pick(%x: tensor<?xf32>, %idx: tensor<?xindex>) -> f32 {
  %c0 = arith.constant 0 : index
  // expect: refuted bounds with idx[0] = 0
  %i = tensor.extract %idx[%c0] : tensor<?xindex>
  // expect: refuted bounds
  %r = tensor.extract %x[%i] : tensor<?xf32>
  return %r : f32
}

// assume: idx.values[0] >= 0
// assume: idx.values[0] < x[0]
// assume: idx[0] > 0
func.func @pick_a_valid_one(%x: tensor<?xf32>, %idx: tensor<?xindex>) -> f32 {
  %c0 = arith.constant 0 : index
  // expect: proved
  %i = tensor.extract %idx[%c0] : tensor<?xindex>
  // expect: proved
  %r = tensor.extract %x[%i] : tensor<?xf32>
  return %r : f32
}

// assume: idx[0] == 3
// assume: idx.values[-1] == -2
func.func @last_one_is_negative(%idx: tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  // expect: proved
  %i = tensor.extract %idx[%c2] : tensor<?xindex>
  %negative = arith.cmpi slt, %i, %c0 : index
  // expect: proved
  cf.assert %negative, "the last is negative"
  return
}

func.func @sorted_pair(%idx: tensor<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expect: refuted bounds with idx[0] = 0
  %i = tensor.extract %idx[%c0] : tensor<?xindex>
  // expect: refuted bounds with idx[0] = 1
  %j = tensor.extract %idx[%c1] : tensor<?xindex>
  %sum = arith.addi %i, %j : index
  %enough = arith.cmpi sle, %sum, %n : index
  // expect: refuted
  cf.assert %enough, "sum"
  %sorted = arith.cmpi slt, %i, %j : index
  // expect: refuted
  cf.assert %sorted, "sorted"
  return
}
