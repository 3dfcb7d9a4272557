func.func @tiled(%a: tensor<?x8xf32>, %x: f32) -> tensor<?x2x3x4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %a, %c0 : tensor<?x8xf32>
  %s = arith.addi %n, %c2 : index
  %t = arith.divui %s, %c3 : index
  %e = tensor.empty(%t) : tensor<?x2x3x4xf32>
  // expect: proved
  // expect: shape [(a[0] + 2)//3, 2, 3, 4]
  %0 = linalg.pack %a padding_value(%x : f32) inner_dims_pos = [0, 1] inner_tiles = [3, 4] into %e : tensor<?x8xf32> -> tensor<?x2x3x4xf32>
  return %0 : tensor<?x2x3x4xf32>
}

func.func @full_tiles(%a: tensor<?xf32>, %c: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expect: proved C2
  // expect: refuted C3
  // expect: refuted C4
  %0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [4] into %c : tensor<?xf32> -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

func.func @untiled(%a: tensor<?x4xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  // expect: refuted C3
  // expect: shape [c[0]]
  %0 = linalg.unpack %a inner_dims_pos = [0] inner_tiles = [4] into %c : tensor<?x4xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// What is last in the source is first in the destination.
// assume: a[1] == 6
func.func @tiled_in_another_order(%a: tensor<?x?xf32>, %c: tensor<2x?x3xf32>) {
  // expect: proved C2
  // expect: refuted C3
  // expect: proved C4
  %0 = linalg.pack %a outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [3] into %c : tensor<?x?xf32> -> tensor<2x?x3xf32>
  return
}

// assume: a[0] == 2
// assume: a[1] == c[0]
// assume: c[1] == 6
func.func @untiled_in_another_order(%a: tensor<?x?x3xf32>, %c: tensor<?x?xf32>) {
  // expect: proved
  %0 = linalg.unpack %a outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [3] into %c : tensor<?x?x3xf32> -> tensor<?x?xf32>
  return
}
