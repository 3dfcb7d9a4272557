func.func @there_and_back(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %0 = arith.index_cast %n : index to i64
  // expect: value a[0]
  %1 = arith.index_cast %0 : i64 to index
  return %1 : index
}

func.func @cut_off(%a: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %0 = arith.index_cast %n : index to i8
  %1 = arith.extui %0 : i8 to i64
  %2 = arith.index_cast %1 : i64 to index
  %same = arith.cmpi eq, %n, %2 : index
  // expect: refuted C1 with a[0] = 256
  cf.assert %same, "nothing is lost"
  return
}

func.func @flagged(%a: i8) -> i32 {
  // expect: refuted C2
  %0 = arith.extui %a nneg : i8 to i32
  return %0 : i32
}

func.func @unsigned_index(%a: i8) -> index {
  // expect: value a % 256
  %0 = arith.index_castui %a : i8 to index
  return %0 : index
}

func.func @bits_of_floats(%x: f32, %v: tensor<?xf32>) -> (f32, tensor<?xi32>) {
  // expect: approximated
  %0 = arith.bitcast %x : f32 to i32
  %1 = arith.bitcast %0 : i32 to f32
  // expect: shape [v[0]]
  %2 = arith.bitcast %v : tensor<?xf32> to tensor<?xi32>
  return %1, %2 : f32, tensor<?xi32>
}
