func.func @believed(%a: tensor<?x3xf32>) -> tensor<4x3xf32> {
  // expect: proved C1
  // expect: refuted C2
  // expect: shape [4, 3]
  %0 = tensor.cast %a : tensor<?x3xf32> to tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

func.func @forgotten(%a: tensor<2x3xf32>) -> tensor<?x?xf32> {
  // expect: proved
  // expect: shape [2, 3]
  %0 = tensor.cast %a : tensor<2x3xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// assume: a[0] == 4
func.func @assumed(%a: tensor<?x3xf32>) -> tensor<4x3xf32> {
  // expect: proved
  %0 = tensor.cast %a : tensor<?x3xf32> to tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

func.func @of_any_rank(%a: tensor<*xf32>) -> tensor<?xf32> {
  // expect: refuted C1
  %0 = tensor.cast %a : tensor<*xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @there_and_back(%a: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %0 = tensor.cast %a : tensor<?x5xf32> to tensor<*xf32>
  // expect: proved
  // expect: shape [a[0], 5]
  %1 = tensor.cast %0 : tensor<*xf32> to tensor<?x5xf32>
  return %1 : tensor<?x5xf32>
}

func.func @floats_that_stay() -> f32 {
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = tensor.cast %0 : tensor<2xf32> to tensor<?xf32>
  // expect: proved
  %e = tensor.extract %1[%c1] : tensor<?xf32>
  %same = arith.cmpf oeq, %e, %two : f32
  // expect: proved C1
  cf.assert %same, "the elements stay"
  return %e : f32
}

func.func @extents_that_are_spelled(%a: tensor<*xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expect: refuted C1
  %b = tensor.cast %a : tensor<*xf32> to tensor<?x?xf32>
  %s = shape.shape_of %a : tensor<*xf32> -> tensor<?xindex>
  // expect: proved
  %t = tensor.cast %s : tensor<?xindex> to tensor<2xindex>
  %n = tensor.dim %b, %c0 : tensor<?x?xf32>
  %e = tensor.extract %t[%c0] : tensor<2xindex>
  %first = arith.cmpi eq, %e, %n : index
  // expect: proved C1
  cf.assert %first, "the first extent"
  %m = tensor.dim %b, %c1 : tensor<?x?xf32>
  %f = tensor.extract %t[%c1] : tensor<2xindex>
  %second = arith.cmpi eq, %f, %m : index
  // expect: proved C1
  cf.assert %second, "the second extent"
  return %b : tensor<?x?xf32>
}

// A cast keeps what is known of many elements, whatever the types say of the extents; and so does one to the same type.
func.func @bounds_of_elements(%i: index) {
  %many = arith.constant dense<7> : tensor<100xi32>
  %seven = arith.constant 7 : i32
  %bits = tensor.bitcast %many : tensor<100xi32> to tensor<100xi32>
  %cast = tensor.cast %bits : tensor<100xi32> to tensor<?xi32>
  // expect: refuted C1
  %e = tensor.extract %cast[%i] : tensor<?xi32>
  %same = arith.cmpi eq, %e, %seven : i32
  // expect: proved
  cf.assert %same, "the element is not 7"
  return
}

// The bits of the half 3.0 are those of 32.0 among the bfloats.
func.func @other_floats() {
  %c0 = arith.constant 0 : index
  %half = arith.constant dense<3.0> : tensor<1xf16>
  %three = arith.constant 3 : i32
  %bits = tensor.bitcast %half : tensor<1xf16> to tensor<1xbf16>
  %e = tensor.extract %bits[%c0] : tensor<1xbf16>
  // expect: approximated
  %n = arith.fptosi %e : bf16 to i32
  %same = arith.cmpi eq, %n, %three : i32
  // expect: undecided C1
  cf.assert %same, "the number is 32"
  return
}
