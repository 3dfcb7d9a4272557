func.func @neighbours(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    // expect: proved C2
    %0 = affine.load %m[%i] : memref<?xf32>
    // expect: refuted C2
    affine.store %0, %m[%i + 1] : memref<?xf32>
  }
  return
}

// assume: m[0] >= 1
func.func @a_vector_of_four(%m: memref<?xf32>) -> vector<4xf32> {
  // expect: proved C2
  // expect: undecided C3 because beyond the end
  // expect: approximated beyond the end
  %0 = affine.vector_load %m[0] : memref<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}

func.func @vectors_of_four(%m: memref<4x?x8xf32>, %v: vector<2x4xf32>) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c1 : memref<4x?x8xf32>
  affine.for %i = 0 to affine_map<(d0) -> (d0 floordiv 2)>(%n) {
    // expect: proved C2
    // expect: proved C3
    // expect: approximated beyond the end
    affine.vector_store %v, %m[3, %i * 2, 4] : memref<4x?x8xf32>, vector<2x4xf32>
  }
  return
}

func.func @a_vector_that_is_one_element(%m: memref<?xvector<4xf32>>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?xvector<4xf32>>
  affine.for %i = 0 to %n {
    // expect: proved C2
    %0 = affine.load %m[%i] : memref<?xvector<4xf32>>
  }
  return
}
