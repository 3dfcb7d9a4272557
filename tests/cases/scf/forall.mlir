func.func @copied(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  // expect: proved
  // expect: shape [a[0]]
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %a) -> (tensor<?xf32>) {
    // expect: refuted C2
    // expect: refuted C3
    %s = tensor.extract_slice %b[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      // expect: proved
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %0 : tensor<?xf32>
}
