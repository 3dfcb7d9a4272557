// The combinations of extents that the RFC on lowering element-wise TOSA operations starts from, as TOSA programs.
// (2x3 with 4x3 is in rejected.mlir: no program contains it.) What became of each at the time of the RFC is the
// function of the same name in combinations_lowered.mlir.

// All extents are dynamic.
func.func @dynamic_dynamic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %sum = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %sum : tensor<?x?xf32>
}

// A static 1 is broadcast to whatever stands across.
func.func @one_dynamic(%a: tensor<1x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %sum = tosa.add %a, %b : (tensor<1x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %sum : tensor<?x?xf32>
}

// A static 1 is broadcast to a static 3.
func.func @one_static(%a: tensor<1x5xf32>, %b: tensor<3x5xf32>) -> tensor<?x?xf32> {
  %sum = tosa.add %a, %b : (tensor<1x5xf32>, tensor<3x5xf32>) -> tensor<?x?xf32>
  return %sum : tensor<?x?xf32>
}

// Nothing is broadcast and nothing is dynamic but the result's type.
func.func @static_static(%a: tensor<3x5xf32>, %b: tensor<3x5xf32>) -> tensor<?x?xf32> {
  %sum = tosa.add %a, %b : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<?x?xf32>
  return %sum : tensor<?x?xf32>
}

// A static 2 meets a dynamic extent.
func.func @two_dynamic(%a: tensor<2x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %sum = tosa.add %a, %b : (tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %sum : tensor<?x?xf32>
}

// Two static extents meet dynamic ones.
func.func @two_two_dynamic(%a: tensor<2x2xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %sum = tosa.add %a, %b : (tensor<2x2xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %sum : tensor<?x?xf32>
}

// The static extents stand crosswise.
func.func @crosswise(%a: tensor<?x2xf32>, %b: tensor<2x?xf32>) -> tensor<?x?xf32> {
  %sum = tosa.add %a, %b : (tensor<?x2xf32>, tensor<2x?xf32>) -> tensor<?x?xf32>
  return %sum : tensor<?x?xf32>
}
