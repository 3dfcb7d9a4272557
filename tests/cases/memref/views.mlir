func.func @casts(%m: memref<?x4xf32>) -> memref<8x4xf32> {
  // expect: refuted C2
  // expect: shape [8, 4]
  %0 = memref.cast %m : memref<?x4xf32> to memref<8x4xf32>
  return %0 : memref<8x4xf32>
}

func.func @regrouped(%m: memref<?x4xf32>, %n: index) -> memref<?x4xf32> {
  // expect: shape [4*m[0]]
  %0 = memref.collapse_shape %m [[0, 1]] : memref<?x4xf32> into memref<?xf32>
  // expect: refuted C1
  // expect: refuted C2
  // expect: shape [n, 4]
  %1 = memref.expand_shape %0 [[0, 1]] output_shape [%n, 4] : memref<?xf32> into memref<?x4xf32>
  return %1 : memref<?x4xf32>
}

func.func @others(%m: memref<?x4xf32>, %n: index, %s: memref<1xindex>) -> index {
  // expect: shape [4, m[0]]
  %0 = memref.transpose %m (i, j) -> (j, i) : memref<?x4xf32> to memref<4x?xf32, affine_map<(d0, d1) -> (d1 * 4 + d0)>>
  // expect: refuted C1
  // expect: shape [n, 4]
  %1 = memref.reinterpret_cast %m to offset: [0], sizes: [%n, 4], strides: [4, 1] : memref<?x4xf32> to memref<?x4xf32>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<?x4xf32> -> memref<f32>, index, index, index, index, index
  %four = arith.constant 4 : index
  %is_row = arith.cmpi eq, %strides#0, %four : index
  // expect: proved C1
  cf.assert %is_row, "a row has four elements"
  // expect: shape [m[0], 4]
  %any = memref.cast %m : memref<?x4xf32> to memref<?x4xf32, strided<[?, 1], offset: ?>>
  // expect: approximated
  %b, %o, %z:2, %t:2 = memref.extract_strided_metadata %any : memref<?x4xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
  // expect: approximated
  %p = memref.extract_aligned_pointer_as_index %m : memref<?x4xf32> -> index
  // expect: shape [m[0], 4]
  %2 = memref.assume_alignment %m, 16 : memref<?x4xf32>
  // expect: approximated
  // expect: undecided C1
  // expect: undecided C2
  %3 = memref.reshape %m(%s) : (memref<?x4xf32>, memref<1xindex>) -> memref<?xf32>
  return %sizes#0 : index
}

func.func @bytes(%m: memref<?xi8>, %n: index) -> memref<?x2xf32> {
  %c8 = arith.constant 8 : index
  // expect: refuted C1
  // expect: refuted C2
  // expect: shape [n, 2]
  %0 = memref.view %m[%c8][%n] : memref<?xi8> to memref<?x2xf32>
  return %0 : memref<?x2xf32>
}

func.func @reshape_to_other_elements(%m: memref<4xf32>, %s: memref<2xindex>) -> memref<5x2xf32> {
  // expect: approximated
  // expect: undecided C1
  // expect: refuted C2
  // expect: unreachable T2
  %0 = memref.reshape %m(%s) : (memref<4xf32>, memref<2xindex>) -> memref<5x2xf32>
  return %0 : memref<5x2xf32>
}

func.func @a_shape_that_was_stored_to(%m: memref<4xf32>, %i: index, %n: index) -> memref<?x?xf32> {
  %t = tensor.from_elements %n, %n : tensor<2xindex>
  %s = builtin.unrealized_conversion_cast %t : tensor<2xindex> to memref<2xindex>
  %c0 = arith.constant 0 : index
  memref.store %i, %s[%c0] : memref<2xindex>
  // expect: approximated
  // expect: undecided C1
  // expect: undecided C2
  %0 = memref.reshape %m(%s) : (memref<4xf32>, memref<2xindex>) -> memref<?x?xf32>
  return %0 : memref<?x?xf32>
}

// An integer of 24 bits takes four bytes, one of 80 bits sixteen.
// assume: a[0] == 6
func.func @three_bytes_in_four(%a: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  // expect: proved C2
  %0 = memref.view %a[%c0][] : memref<?xi8> to memref<6xi3>
  // expect: refuted C2
  %1 = memref.view %a[%c0][] : memref<?xi8> to memref<2xi24>
  return
}

// assume: a[0] == 10
func.func @ten_bytes_in_sixteen(%a: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  // expect: refuted C2
  %0 = memref.view %a[%c0][] : memref<?xi8> to memref<1xi80>
  return
}

func.func @vectors_of_bytes(%a: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  // expect: proved C2
  // expect: approximated how many bytes
  %0 = memref.view %a[%c0][] : memref<?xi8> to memref<4xvector<4xf32>>
  return
}

func.func @reshaped_to_any_rank(%m: memref<4xf32>, %s: memref<2xindex>) -> memref<*xf32> {
  // expect: undecided C2
  // expect: approximated
  %0 = memref.reshape %m(%s) : (memref<4xf32>, memref<2xindex>) -> memref<*xf32>
  return %0 : memref<*xf32>
}

// An integer of 33 bits takes eight bytes.
// assume: a[0] == 6
func.func @five_bytes_in_eight(%a: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  // expect: refuted C2
  %0 = memref.view %a[%c0][] : memref<?xi8> to memref<1xi33>
  return
}
