// Floats that are no tensors: what Python computes from sizes.

func.func @fraction(%a: !torch.int, %b: !torch.int) {
  // expect: refuted C1 with b = 0
  %0 = torch.aten.div.int %a, %b : !torch.int, !torch.int -> !torch.float
  return
}

func.func @number(%a: !torch.int) {
  %0 = torch.aten.Float.Scalar %a : !torch.int -> !torch.float
  return
}

func.func @unknown_divisor(%a: !torch.int, %b: !torch.float) {
  %f = torch.aten.Float.Scalar %a : !torch.int -> !torch.float
  // expect: approximated whether %b is 0
  %0 = torch.aten.div.float %f, %b : !torch.float, !torch.float -> !torch.float
  return
}

// 0 where n is.
func.func @divided_by_a_float(%x: !torch.vtensor<[?],f32>) {
  %c0 = torch.constant.int 0
  %n = torch.aten.size.int %x, %c0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %half = torch.constant.float 5.000000e-01
  %scaled = torch.aten.mul.int_float %n, %half : !torch.int, !torch.float -> !torch.float
  %more = torch.aten.add.float %scaled, %scaled : !torch.float, !torch.float -> !torch.float
  // expect: refuted C1 with x[0] = 0
  %0 = torch.aten.div.float %half, %more : !torch.float, !torch.float -> !torch.float
  return
}

func.func @compared(%x: !torch.vtensor<[?],f32>) {
  %c0 = torch.constant.int 0
  %n = torch.aten.size.int %x, %c0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %half = torch.constant.float 5.000000e-01
  %scaled = torch.aten.mul.int_float %n, %half : !torch.int, !torch.float -> !torch.float
  %c2 = torch.constant.int 2
  // expect: value x[0] >= 4
  %enough = torch.aten.ge.float_int %scaled, %c2 : !torch.float, !torch.int -> !torch.bool
  // expect: refuted C1 with x[0] = 2
  torch.runtime.assert %enough, "half of it is 2 at least"
  %less = torch.aten.sub.float %scaled, %half : !torch.float, !torch.float -> !torch.float
  %positive = torch.aten.gt.float %less, %half : !torch.float, !torch.float -> !torch.bool
  // expect: proved
  torch.runtime.assert %positive, "n / 2 - 1 / 2 is more than 1 / 2"
  %other = torch.aten.neg.float %scaled : !torch.float -> !torch.float
  %sum = torch.aten.add.float_int %other, %n : !torch.float, !torch.int -> !torch.float
  %same = torch.aten.eq.float %sum, %scaled : !torch.float, !torch.float -> !torch.bool
  // expect: proved
  torch.runtime.assert %same, "n - n / 2 is n / 2"
  return
}

// A third of a size is rounded, so that nobody knows whether three of them are the size; it is so far from 5 that it does not matter.
func.func @rounded(%x: !torch.vtensor<[?],f32>) {
  %c0 = torch.constant.int 0
  %n = torch.aten.size.int %x, %c0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %c3 = torch.constant.int 3
  %third = torch.aten.div.int %n, %c3 : !torch.int, !torch.int -> !torch.float
  %c5 = torch.constant.int 5
  %enough = torch.aten.lt.float_int %third, %c5 : !torch.float, !torch.int -> !torch.bool
  // expect: refuted C1 with x[0] = 15
  torch.runtime.assert %enough, "a third of it is less than 5"
  %f = torch.aten.Float.Scalar %n : !torch.int -> !torch.float
  %back = torch.aten.mul.float_int %third, %c3 : !torch.float, !torch.int -> !torch.float
  // expect: approximated rounded
  %same = torch.aten.eq.float %back, %f : !torch.float, !torch.float -> !torch.bool
  // expect: undecided C1
  torch.runtime.assert %same, "three thirds of it are it"
  return
}

func.func @whole(%x: !torch.vtensor<[?],f32>) {
  %c0 = torch.constant.int 0
  %n = torch.aten.size.int %x, %c0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %c3 = torch.constant.int 3
  %third = torch.aten.div.int %n, %c3 : !torch.int, !torch.int -> !torch.float
  // expect: value (x[0] + 2)//3
  %up = torch.aten.ceil.float %third : !torch.float -> !torch.int
  // expect: value x[0]//3
  %cut = torch.aten.Int.float %third : !torch.float -> !torch.int
  return
}

// What functional.interpolate computes: the places lie in the image, up to some thousands of rows.
func.func @resampled(%x: !torch.vtensor<[?],f32>, %y: !torch.vtensor<[?],f32>) attributes {
    shapesolve.assume = ["x[0] >= 1", "y[0] >= 1", "x[0] <= 4096", "y[0] <= 4096"]} {
  %c0 = torch.constant.int 0
  %n = torch.aten.size.int %x, %c0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %m = torch.aten.size.int %y, %c0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %scale = torch.aten.div.int %n, %m : !torch.int, !torch.int -> !torch.float
  %none = torch.constant.none
  %false = torch.constant.bool false
  %f32 = torch.constant.int 6
  %i64 = torch.constant.int 4
  %c1 = torch.constant.int 1
  %i = torch.aten.arange.start_step %c0, %m, %c1, %none, %none, %none, %false : !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[?],si64>
  %f = torch.prims.convert_element_type %i, %f32 : !torch.vtensor<[?],si64>, !torch.int -> !torch.vtensor<[?],f32>
  %half = torch.constant.float 5.000000e-01
  %mid = torch.aten.add.Scalar %f, %half, %c1 : !torch.vtensor<[?],f32>, !torch.float, !torch.int -> !torch.vtensor<[?],f32>
  %at = torch.aten.mul.Scalar %mid, %scale : !torch.vtensor<[?],f32>, !torch.float -> !torch.vtensor<[?],f32>
  %from = torch.aten.sub.Scalar %at, %half, %c1 : !torch.vtensor<[?],f32>, !torch.float, !torch.int -> !torch.vtensor<[?],f32>
  %zero = torch.constant.float 0.000000e+00
  %clamped = torch.aten.clamp %from, %zero, %none : !torch.vtensor<[?],f32>, !torch.float, !torch.none -> !torch.vtensor<[?],f32>
  %place = torch.prims.convert_element_type %clamped, %i64 : !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?],si64>
  %list = torch.prim.ListConstruct %place : (!torch.vtensor<[?],si64>) -> !torch.list<optional<vtensor>>
  // expect: proved
  // expect: approximated what %place holds
  %r = torch.aten.index.Tensor %x, %list : !torch.vtensor<[?],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  // Half a place further is one too far at the end.
  %late = torch.aten.add.Scalar %at, %half, %c1 : !torch.vtensor<[?],f32>, !torch.float, !torch.int -> !torch.vtensor<[?],f32>
  %beyond = torch.prims.convert_element_type %late, %i64 : !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?],si64>
  %wrong = torch.prim.ListConstruct %beyond : (!torch.vtensor<[?],si64>) -> !torch.list<optional<vtensor>>
  // expect: undecided C9
  // expect: approximated what %beyond holds
  %s = torch.aten.index.Tensor %x, %wrong : !torch.vtensor<[?],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  return
}
