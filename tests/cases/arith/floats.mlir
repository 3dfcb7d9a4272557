func.func @shapes(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xi1> {
  // expect: refuted C1
  %0 = arith.addf %a, %b : tensor<?xf32>
  // expect: proved
  %1 = arith.mulf %0, %b : tensor<?xf32>
  %2 = arith.truncf %1 : tensor<?xf32> to tensor<?xf16>
  %3 = arith.extf %2 : tensor<?xf16> to tensor<?xf32>
  // expect: proved
  // expect: shape [a[0]]
  %4 = arith.cmpf olt, %3, %0 : tensor<?xf32>
  return %4 : tensor<?xi1>
}

func.func @data(%a: f32) -> i32 {
  // expect: approximated
  %0 = arith.fptosi %a : f32 to i32
  return %0 : i32
}

// From 2^51 on the product is off by more than a tenth, while f64 still holds the sizes: no memory does.
func.func @a_product_that_is_off_where_no_memory_is(%a: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %c10 = arith.constant 10 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %i = arith.index_cast %d : index to i64
  %f = arith.sitofp %i : i64 to f64
  %k = arith.constant 0.7 : f64
  %m = arith.mulf %f, %k : f64
  // expect: approximated rounded
  %r = math.floor %m : f64
  %j = arith.fptosi %r : f64 to i64
  %x = arith.index_cast %j : i64 to index
  %d7 = arith.muli %d, %c7 : index
  %e = arith.divsi %d7, %c10 : index
  %p = arith.cmpi sle, %x, %e : index
  // expect: undecided C1 because it fails only for sizes for which %a takes more than 2^47 bytes
  cf.assert %p, "no more than seven tenths"
  return
}

func.func @a_float_of_what_is_negative(%a: i32) -> f32 {
  // expect: refuted C2
  %0 = arith.uitofp %a nneg : i32 to f32
  return %0 : f32
}

func.func @a_float_of_an_extent(%a: tensor<?xf32>) -> f64 {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %i = arith.index_cast %d : index to i64
  // expect: proved C2
  %0 = arith.uitofp %i nneg : i64 to f64
  return %0 : f64
}

func.func @floats_of_what_may_be_negative(%a: tensor<?xi32>) -> tensor<?xf32> {
  // expect: undecided C2
  // expect: approximated the elements of a tensor
  %0 = arith.uitofp %a nneg : tensor<?xi32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @a_float_of_what_has_no_sign(%a: tensor<?xi32>) -> tensor<?xf32> {
  // expect: shape [a[0]]
  %0 = arith.uitofp %a : tensor<?xi32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}
