ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>

func.func @seed() -> tensor<i64> {
  // expect: shape []
  %0 = ml_program.global_load @global_seed : tensor<i64>
  ml_program.global_store @global_seed = %0 : tensor<i64>
  return %0 : tensor<i64>
}
