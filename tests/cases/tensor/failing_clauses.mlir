// What the rules of this dialect demand, and sizes for which it does not hold: one clause or two for each function.

func.func @bitcast_to_another_rank_and_extent(%a: tensor<*xf32>, %b: tensor<?xf32>) {
  // expect: refuted C1
  %0 = tensor.bitcast %a : tensor<*xf32> to tensor<?x?xi32>
  // expect: refuted C2
  %1 = tensor.bitcast %b : tensor<?xf32> to tensor<4xi32>
  return
}

func.func @generated_of_a_negative_size(%n: index, %x: f32) {
  // expect: refuted C1
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32>
  return
}

func.func @splat_of_a_negative_size(%n: index, %x: f32) {
  // expect: refuted C1
  %0 = tensor.splat %x[%n] : tensor<?xf32>
  return
}

func.func @a_coordinate_outside(%s: tensor<1x1xf32>, %a: tensor<?xf32>, %n: index) {
  %i = tensor.from_elements %n : tensor<1x1xindex>
  // expect: refuted C1
  %0 = tensor.scatter %s into %a[%i] scatter_dims([0]) unique : (tensor<1x1xf32>, tensor<?xf32>, tensor<1x1xindex>) -> tensor<?xf32>
  return
}

func.func @a_reshape_to_other_elements(%a: tensor<?xf32>, %n: index) {
  %s = tensor.from_elements %n : tensor<1xindex>
  // expect: refuted C1
  // expect: refuted C2
  %0 = tensor.reshape %a(%s) : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  return
}

func.func @a_slice_of_a_negative_size(%a: tensor<?xf32>, %n: index) {
  // expect: refuted C1
  // expect: refuted C3
  %0 = tensor.extract_slice %a[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  return
}

func.func @a_slice_put_nowhere(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index, %o: index) {
  // expect: refuted C1
  // expect: refuted C2
  // expect: refuted C3
  // expect: refuted C4
  %0 = tensor.insert_slice %b into %a[%o] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return
}

func.func @slices_put_nowhere_in_parallel(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index, %o: index) {
  %0 = scf.forall (%i) in (2) shared_outs(%x = %a) -> (tensor<?xf32>) {
    scf.forall.in_parallel {
      // expect: refuted C1
      // expect: refuted C2
      // expect: refuted C3
      // expect: refuted C4
      tensor.parallel_insert_slice %b into %x[%o] [%n] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  return
}
