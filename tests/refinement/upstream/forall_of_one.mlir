// The insertions stand in another order than the results. canonicalize exchanges the results.
func.func @f(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>, %d: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %r:2 = scf.forall (%i) in (1) shared_outs(%x = %c, %y = %d) -> (tensor<2xf32>, tensor<2xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %b into %y[0] [2] [1] : tensor<2xf32> into tensor<2xf32>
      tensor.parallel_insert_slice %a into %x[0] [2] [1] : tensor<2xf32> into tensor<2xf32>
    }
  }
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}
