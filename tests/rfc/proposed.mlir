// The TOSA programs for which the RFC proposes lowerings; those are in proposed_lowered.mlir under the same names.

func.func @equal_static(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %sum = tosa.add %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %sum : tensor<3xf32>
}

func.func @unary_dynamic(%a: tensor<?xf32>) -> tensor<?xf32> {
  %size = tosa.abs %a : (tensor<?xf32>) -> tensor<?xf32>
  return %size : tensor<?xf32>
}

func.func @result_cast(%a: tensor<5xf32>) -> tensor<?xf32> {
  %size = tosa.abs %a : (tensor<5xf32>) -> tensor<?xf32>
  return %size : tensor<?xf32>
}

func.func @static_to_static(%a: tensor<1xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %sum = tosa.add %a, %b : (tensor<1xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %sum : tensor<3xf32>
}

func.func @dynamic_to_static(%a: tensor<5xf32>, %b: tensor<?xf32>) -> tensor<5xf32> {
  %sum = tosa.add %a, %b : (tensor<5xf32>, tensor<?xf32>) -> tensor<5xf32>
  return %sum : tensor<5xf32>
}

func.func @static_to_dynamic(%a: tensor<1xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %sum = tosa.add %a, %b : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %sum : tensor<?xf32>
}

func.func @all_dynamic(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %sum = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %sum : tensor<?xf32>
}

func.func @all_dynamic_2d(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %sum = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %sum : tensor<?x?xf32>
}

func.func @no_dimensions(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %sum = tosa.add %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}

// Operands of different ranks are no longer an operation; what the RFC writes as one is a reshape and an addition.
func.func @ranks_differ(%a: tensor<3x4xf32>, %b: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %shape = tosa.const_shape {values = dense<[1, 3, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %wide = tosa.reshape %a, %shape : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
  %sum = tosa.add %wide, %b : (tensor<1x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %sum : tensor<2x3x4xf32>
}

func.func @ternary(%c: tensor<2x?xi1>, %a: tensor<2x?xf32>, %b: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %chosen = tosa.select %c, %a, %b : (tensor<2x?xi1>, tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  return %chosen : tensor<2x?xf32>
}
