func.func @solved(%a: tensor<?x?xf32>, %b: tensor<?x5xf32>) -> tensor<?x5xf32> {
  // expect: refuted C1
  %0 = stablehlo.cholesky %a, lower = true : tensor<?x?xf32>
  // expect: proved C1
  // expect: refuted C2
  // expect: shape [b[0], 5]
  %1 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<?x?xf32>, tensor<?x5xf32>) -> tensor<?x5xf32>
  return %1 : tensor<?x5xf32>
}

func.func @transformed(%a: tensor<?x?xf32>) -> tensor<?x5xcomplex<f32>> {
  // expect: refuted C1
  // expect: shape [a[0], 5]
  %0 = stablehlo.fft %a, type = RFFT, length = [8] : (tensor<?x?xf32>) -> tensor<?x5xcomplex<f32>>
  // expect: proved
  // expect: shape [a[0], 8]
  %1 = stablehlo.fft %0, type = IRFFT, length = [8] : (tensor<?x5xcomplex<f32>>) -> tensor<?x8xf32>
  return %0 : tensor<?x5xcomplex<f32>>
}

func.func @transform_of_two_dimensions(%a: tensor<?x?x?xf32>) -> tensor<?x?x2xcomplex<f32>> {
  // expect: refuted C1 with a[1] = 3
  // expect: refuted C1 with a[2] = 2
  // expect: shape [a[0], a[1], 2]
  %0 = stablehlo.fft %a, type = RFFT, length = [2, 3] : (tensor<?x?x?xf32>) -> tensor<?x?x2xcomplex<f32>>
  return %0 : tensor<?x?x2xcomplex<f32>>
}

// Neither the specification nor the verifier compares the lengths with complex numbers.
func.func @transform_of_complex_numbers(%a: tensor<?x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>> {
  // expect: shape [a[0], a[1]]
  %0 = stablehlo.fft %a, type = FFT, length = [8] : (tensor<?x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
  // expect: shape [a[0], a[1]]
  %1 = stablehlo.fft %0, type = IFFT, length = [4] : (tensor<?x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
  return %1 : tensor<?x?xcomplex<f32>>
}
