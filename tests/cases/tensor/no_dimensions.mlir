// Tensors without dimensions: one element, and nothing that could be asked of an extent.

func.func @fine(%a: tensor<f32>, %b: tensor<?xf32>) -> (tensor<f32>, tensor<?xf32>, tensor<1x1xf32>) {
  // expect: proved
  // expect: shape []
  %sum = tosa.add %a, %a : (tensor<f32>, tensor<f32>) -> tensor<f32>
  // expect: shape [1, 1]
  %e = tensor.expand_shape %sum [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  // expect: shape []
  %c = tensor.collapse_shape %e [] : tensor<1x1xf32> into tensor<f32>
  %u = tensor.cast %c : tensor<f32> to tensor<*xf32>
  // expect: proved
  %v = tensor.cast %u : tensor<*xf32> to tensor<f32>
  // expect: value 0
  %r = tensor.rank %u : tensor<*xf32>
  // expect: shape [0]
  %s = shape.shape_of %v : tensor<f32> -> tensor<0xindex>
  // expect: value 1
  %n = shape.num_elements %s : tensor<0xindex> -> index
  %c1 = arith.constant 1 : index
  %one = arith.cmpi eq, %n, %c1 : index
  // expect: proved
  cf.assert %one, "one element"
  %init = tensor.empty() : tensor<f32>
  // expect: shape []
  %total = linalg.reduce ins(%b : tensor<?xf32>) outs(%init : tensor<f32>) dimensions = [0]
    (%in: f32, %old: f32) {
      %new = arith.addf %in, %old : f32
      linalg.yield %new : f32
    }
  // expect: shape [b[0]]
  %all = linalg.broadcast ins(%total : tensor<f32>) outs(%b : tensor<?xf32>) dimensions = [0]
  // expect: shape []
  // expect: refuted C3 with b[0] = 0
  %part = tensor.extract_slice %b[0] [1] [1] : tensor<?xf32> to tensor<f32>
  return %part, %all, %e : tensor<f32>, tensor<?xf32>, tensor<1x1xf32>
}

func.func @any_rank(%u: tensor<*xf32>) -> tensor<f32> {
  // expect: refuted C1
  %v = tensor.cast %u : tensor<*xf32> to tensor<f32>
  return %v : tensor<f32>
}
