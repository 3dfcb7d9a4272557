func.func @there_and_back(%x: !torch.vtensor<[?,4],f32>, %s: !torch.float, %z: !torch.vtensor<[],si8>, %far: !torch.int) {
  %qint8 = torch.constant.int 12
  %quint8 = torch.constant.int 13
  %qint32 = torch.constant.int 14
  %zero = torch.aten.item %z : !torch.vtensor<[],si8> -> !torch.int
  // expect: proved C1
  // expect: shape [x[0], 4]
  %0 = torch.aten.quantize_per_tensor %x, %s, %zero, %qint8 : !torch.vtensor<[?,4],f32>, !torch.float, !torch.int, !torch.int -> !torch.vtensor<[?,4],!torch.qint8>
  // expect: refuted C1
  %1 = torch.aten.quantize_per_tensor %x, %s, %zero, %quint8 : !torch.vtensor<[?,4],f32>, !torch.float, !torch.int, !torch.int -> !torch.vtensor<[?,4],!torch.quint8>
  // expect: refuted C1
  %2 = torch.aten.quantize_per_tensor %x, %s, %far, %qint32 : !torch.vtensor<[?,4],f32>, !torch.float, !torch.int, !torch.int -> !torch.vtensor<[?,4],!torch.qint32>
  // expect: shape [x[0], 4]
  %3 = torch.aten.int_repr %0 : !torch.vtensor<[?,4],!torch.qint8> -> !torch.vtensor<[?,4],si8>
  // expect: shape [x[0], 4]
  %4 = torch.aten._make_per_tensor_quantized_tensor %3, %s, %zero : !torch.vtensor<[?,4],si8>, !torch.float, !torch.int -> !torch.vtensor<[?,4],!torch.qint8>
  // expect: shape [x[0], 4]
  %5 = torch.aten.dequantize.self %4 : !torch.vtensor<[?,4],!torch.qint8> -> !torch.vtensor<[?,4],f32>
  // expect: shape [x[0], 4]
  %6 = torch.aten.dequantize.tensor %4 : !torch.vtensor<[?,4],!torch.qint8> -> !torch.vtensor<[?,4],f32>
  return
}

func.func @zero_points_of_bytes(%x: !torch.vtensor<[?],f32>, %s: !torch.float, %z: !torch.vtensor<[1],ui8>) {
  %quint8 = torch.constant.int 13
  // expect: approximated
  %zero = torch.aten.item %z : !torch.vtensor<[1],ui8> -> !torch.int
  // expect: proved C1
  %0 = torch.aten.quantize_per_tensor %x, %s, %zero, %quint8 : !torch.vtensor<[?],f32>, !torch.float, !torch.int, !torch.int -> !torch.vtensor<[?],!torch.quint8>
  return
}

func.func @by_channel(%x: !torch.vtensor<[?,?],f32>, %s: !torch.vtensor<[?],f32>, %z: !torch.vtensor<[4],si8>, %far: !torch.vtensor<[4],si64>) {
  %1 = torch.constant.int 1
  %2 = torch.constant.int 2
  %qint8 = torch.constant.int 12
  // expect: refuted C1 with s[0] = 2
  // expect: refuted C3 with x[1] = 2
  // expect: proved C9
  // expect: shape [x[0], x[1]]
  %q = torch.aten.quantize_per_channel %x, %s, %z, %1, %qint8 : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?],f32>, !torch.vtensor<[4],si8>, !torch.int, !torch.int -> !torch.vtensor<[?,?],!torch.qint8>
  // expect: refuted C9
  %r = torch.aten.quantize_per_channel %x, %s, %far, %1, %qint8 : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?],f32>, !torch.vtensor<[4],si64>, !torch.int, !torch.int -> !torch.vtensor<[?,?],!torch.qint8>
  // expect: refuted C2
  %t = torch.aten.quantize_per_channel %x, %s, %z, %2, %qint8 : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?],f32>, !torch.vtensor<[4],si8>, !torch.int, !torch.int -> !torch.vtensor<[?,?],!torch.qint8>
  return
}

func.func @put_together(%x: !torch.vtensor<[?,4],si8>, %s: !torch.vtensor<[?],f32>, %z: !torch.vtensor<[4],si8>) {
  %1 = torch.constant.int 1
  // expect: refuted C1 with s[0] = 2
  // expect: shape [x[0], 4]
  // expect: approximated whether PyTorch can make floats
  %q = torch.aten._make_per_channel_quantized_tensor %x, %s, %z, %1 : !torch.vtensor<[?,4],si8>, !torch.vtensor<[?],f32>, !torch.vtensor<[4],si8>, !torch.int -> !torch.vtensor<[?,4],!torch.qint8>
  return
}

func.func @put_together_of_constants(%x: !torch.vtensor<[?,4],si8>, %s: !torch.vtensor<[4],f32>, %far: !torch.int) {
  %1 = torch.constant.int 1
  %2 = torch.constant.int 2
  %scale = torch.constant.float 0.5
  %z = torch.vtensor.literal(dense<[0, 1, 2, -3]> : tensor<4xsi8>) : !torch.vtensor<[4],si8>
  %w = torch.vtensor.literal(dense<[0, 1, 2, 300]> : tensor<4xsi64>) : !torch.vtensor<[4],si64>
  // expect: proved C1
  // expect: shape [x[0], 4]
  %q = torch.aten._make_per_channel_quantized_tensor %x, %s, %z, %1 : !torch.vtensor<[?,4],si8>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],si8>, !torch.int -> !torch.vtensor<[?,4],!torch.qint8>
  // expect: shape [x[0], 4]
  %f = torch.aten.dequantize.self %q : !torch.vtensor<[?,4],!torch.qint8> -> !torch.vtensor<[?,4],f32>
  // expect: proved C1
  // expect: approximated whether PyTorch can make floats
  %r = torch.aten._make_per_channel_quantized_tensor %x, %s, %w, %1 : !torch.vtensor<[?,4],si8>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],si64>, !torch.int -> !torch.vtensor<[?,4],!torch.qint8>
  // expect: proved C1
  // expect: approximated whether PyTorch can make floats
  %t = torch.aten._make_per_channel_quantized_tensor %x, %s, %z, %2 : !torch.vtensor<[?,4],si8>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],si8>, !torch.int -> !torch.vtensor<[?,4],!torch.qint8>
  // expect: approximated whether PyTorch can make floats
  %u = torch.aten._make_per_tensor_quantized_tensor %x, %scale, %far : !torch.vtensor<[?,4],si8>, !torch.float, !torch.int -> !torch.vtensor<[?,4],!torch.qint8>
  return
}

func.func @no_lists(%x: !torch.vtensor<[?,4],si8>, %s: !torch.vtensor<[4,1],f32>, %z: !torch.vtensor<[4],si8>) {
  %1 = torch.constant.int 1
  // expect: refuted C1
  %q = torch.aten._make_per_channel_quantized_tensor %x, %s, %z, %1 : !torch.vtensor<[?,4],si8>, !torch.vtensor<[4,1],f32>, !torch.vtensor<[4],si8>, !torch.int -> !torch.vtensor<[?,4],!torch.qint8>
  return
}

// As torch.export writes quantization out.
func.func @written_out(%x: !torch.vtensor<[?,4],f32>, %s: !torch.vtensor<[?],f32>, %z: !torch.vtensor<[?],si64>, %low: !torch.int) {
  %none = torch.constant.none
  %zero = torch.constant.int 0
  %least = torch.constant.int -128
  %most = torch.constant.int 127
  %last = torch.constant.int -1
  %int8 = torch.constant.int 1
  %scale = torch.constant.float 0.1
  // expect: proved C1
  // expect: shape [x[0], 4]
  %0 = torch.quantized_decomposed.quantize_per_tensor %x, %scale, %zero, %least, %most, %int8 : !torch.vtensor<[?,4],f32>, !torch.float, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,4],si8>
  // expect: refuted C1
  %1 = torch.quantized_decomposed.quantize_per_tensor %x, %scale, %zero, %low, %most, %int8 : !torch.vtensor<[?,4],f32>, !torch.float, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,4],si8>
  // expect: shape [x[0], 4]
  %2 = torch.quantized_decomposed.dequantize_per_tensor %0, %scale, %zero, %least, %most, %int8, %none : !torch.vtensor<[?,4],si8>, !torch.float, !torch.int, !torch.int, !torch.int, !torch.int, !torch.none -> !torch.vtensor<[?,4],f32>
  // expect: proved C1
  // expect: refuted C3 with s[0] = 4, z[0] = 2
  // expect: refuted C4 with s[0] = 2, z[0] = 2
  // expect: shape [x[0], 4]
  %3 = torch.quantized_decomposed.quantize_per_channel %x, %s, %z, %last, %least, %most, %int8 : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?],f32>, !torch.vtensor<[?],si64>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,4],si8>
  // expect: proved C1
  // expect: proved C3
  // expect: proved C4
  // expect: shape [x[0], 4]
  %4 = torch.quantized_decomposed.dequantize_per_channel %3, %s, %z, %last, %least, %most, %int8, %none : !torch.vtensor<[?,4],si8>, !torch.vtensor<[?],f32>, !torch.vtensor<[?],si64>, !torch.int, !torch.int, !torch.int, !torch.int, !torch.none -> !torch.vtensor<[?,4],f32>
  return
}

func.func @one_place_written_out(%x: !torch.vtensor<[?,1],f32>, %s: !torch.vtensor<[3],f32>, %z: !torch.vtensor<[3],si64>) {
  %least = torch.constant.int -128
  %most = torch.constant.int 127
  %int8 = torch.constant.int 1
  %two = torch.constant.int 2
  // expect: proved C1
  // expect: proved C3
  // expect: proved C4
  // expect: shape [x[0], 3]
  %0 = torch.quantized_decomposed.quantize_per_channel %x, %s, %z, %int8, %least, %most, %int8 : !torch.vtensor<[?,1],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],si64>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,3],si8>
  // expect: refuted C2
  %1 = torch.quantized_decomposed.quantize_per_channel %x, %s, %z, %two, %least, %most, %int8 : !torch.vtensor<[?,1],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],si64>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,3],si8>
  return
}

// Floats that are rounded as if they were quantized.
func.func @rounded(%x: !torch.vtensor<[?,4],f32>, %s: !torch.vtensor<[?],f32>, %z: !torch.vtensor<[?],si32>, %zero: !torch.int) {
  %one = torch.constant.int 1
  %least = torch.constant.int -128
  %most = torch.constant.int 127
  %scale = torch.constant.float 0.1
  // expect: proved C1
  // expect: shape [x[0], 4]
  %0 = torch.aten.fake_quantize_per_tensor_affine %x, %scale, %most, %least, %most : !torch.vtensor<[?,4],f32>, !torch.float, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,4],f32>
  // expect: refuted C1
  %1 = torch.aten.fake_quantize_per_tensor_affine %x, %scale, %zero, %least, %most : !torch.vtensor<[?,4],f32>, !torch.float, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,4],f32>
  // expect: refuted C1 with s[0] = 4, z[0] = 2
  // expect: refuted C3 with s[0] = 2, z[0] = 2
  // expect: undecided C9
  // expect: approximated depends on the data of %z
  // expect: shape [x[0], 4]
  %2 = torch.aten.fake_quantize_per_channel_affine %x, %s, %z, %one, %least, %most : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?],f32>, !torch.vtensor<[?],si32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,4],f32>
  return
}

func.func @rounded_by_constants(%x: !torch.vtensor<[?,3],f32>, %s: !torch.vtensor<[3],f32>) {
  %one = torch.constant.int 1
  %least = torch.constant.int -128
  %most = torch.constant.int 127
  %z = torch.vtensor.literal(dense<[0, 127, -128]> : tensor<3xsi32>) : !torch.vtensor<[3],si32>
  %far = torch.vtensor.literal(dense<[0, 128, 0]> : tensor<3xsi32>) : !torch.vtensor<[3],si32>
  // expect: proved C1
  // expect: proved C3
  // expect: proved C9
  %0 = torch.aten.fake_quantize_per_channel_affine %x, %s, %z, %one, %least, %most : !torch.vtensor<[?,3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],si32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,3],f32>
  // expect: refuted C9
  %1 = torch.aten.fake_quantize_per_channel_affine %x, %s, %far, %one, %least, %most : !torch.vtensor<[?,3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],si32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,3],f32>
  return
}

func.func @rounded_nowhere(%x: !torch.vtensor<[?,3],f32>, %s: !torch.vtensor<[3],f32>, %z: !torch.vtensor<[3],si32>) {
  %two = torch.constant.int 2
  %least = torch.constant.int -128
  %most = torch.constant.int 127
  // expect: refuted C2
  %0 = torch.aten.fake_quantize_per_channel_affine %x, %s, %z, %two, %least, %most : !torch.vtensor<[?,3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],si32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,3],f32>
  return
}

func.func @bounds_of_no_byte(%x: !torch.vtensor<[?,3],si8>, %s: !torch.vtensor<[3],f32>, %z: !torch.vtensor<[3],si64>) {
  %none = torch.constant.none
  %int8 = torch.constant.int 1
  %least = torch.constant.int -128
  %most = torch.constant.int 128
  // expect: refuted C1
  // expect: unreachable C3
  // expect: unreachable C4
  %0 = torch.quantized_decomposed.dequantize_per_channel %x, %s, %z, %int8, %least, %most, %int8, %none : !torch.vtensor<[?,3],si8>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],si64>, !torch.int, !torch.int, !torch.int, !torch.int, !torch.none -> !torch.vtensor<[?,3],f32>
  return
}
