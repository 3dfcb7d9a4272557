// What the rules of this dialect demand, and sizes for which it does not hold: one clause or two for each function.

func.func @an_access_outside(%a: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C2
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 + 1)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<?xf32>
  return
}

func.func @windows_with_other_channels(%a: tensor<1x?x8xf32>, %w: tensor<4x?x3xf32>, %o: tensor<1x4x6xf32>) {
  // expect: refuted C1
  %0 = linalg.conv_1d_ncw_fcw ins(%a, %w : tensor<1x?x8xf32>, tensor<4x?x3xf32>) outs(%o : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
  return
}

func.func @tiles_of_other_sizes(%a: tensor<?xf32>, %d: tensor<?x?xf32>, %n: index, %z: f32) {
  // expect: refuted C1
  // expect: refuted C2
  // expect: refuted C3
  %0 = linalg.pack %a padding_value(%z : f32) inner_dims_pos = [0] inner_tiles = [%n] into %d : tensor<?xf32> -> tensor<?x?xf32>
  %1 = linalg.unpack %d inner_dims_pos = [0] inner_tiles = [%n] into %a : tensor<?x?xf32> -> tensor<?xf32>
  return
}

func.func @tiles_of_other_sizes_first(%a: tensor<?xf32>, %d: tensor<?x?xf32>, %n: index) {
  // expect: refuted C1
  // expect: refuted C2
  // expect: refuted C3
  %1 = linalg.unpack %d inner_dims_pos = [0] inner_tiles = [%n] into %a : tensor<?x?xf32> -> tensor<?xf32>
  return
}

func.func @add_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @sub_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.sub ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @mul_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.mul ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @max_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.max ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @min_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.min ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @powf_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.powf ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @div_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.div ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @abs_of_other_extents(%a: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.abs ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @ceil_of_other_extents(%a: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.ceil ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @erf_of_other_extents(%a: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.erf ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @exp_of_other_extents(%a: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @floor_of_other_extents(%a: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.floor ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @log_of_other_extents(%a: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.log ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @negf_of_other_extents(%a: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.negf ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @reciprocal_of_other_extents(%a: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.reciprocal ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @round_of_other_extents(%a: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.round ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @rsqrt_of_other_extents(%a: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.rsqrt ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @sqrt_of_other_extents(%a: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.sqrt ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @square_of_other_extents(%a: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.square ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @tanh_of_other_extents(%a: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.tanh ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @copy_of_other_extents(%a: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.copy ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @fma_select(%p: tensor<?xi1>, %a: tensor<?xf32>, %b: tensor<?xf32>, %o: tensor<?xf32>) {
  // expect: refuted C1
  %0 = linalg.select ins(%p, %a, %b : tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}
