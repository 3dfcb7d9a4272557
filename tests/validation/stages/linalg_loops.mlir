// passes: func.func(convert-linalg-to-loops)
// shown: sizes, checks and elements
// wrong (refuted): swapped
//   subf %0, %1 => subf %1, %0
// wrong (refuted): off by one
//   %arg3 = %c0 to => %arg3 = %c1 to
// wrong (refuted): swapped axes
//   %arg0[%arg3, %arg4] => %arg0[%arg4, %arg3]
// wrong (refuted): dropped store
//   drop memref.store %2, %arg2[%arg3, %arg4] : memref<?x?xf32>

func.func @f(%a: memref<?x?xf32>, %b: memref<?xf32>, %c: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<?x?xf32>, memref<?xf32>) outs(%c : memref<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.subf %x, %y : f32
    linalg.yield %p : f32
  }
  return
}
