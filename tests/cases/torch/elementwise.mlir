func.func @broadcasts(%a: !torch.vtensor<[?,1,?],f32>, %b: !torch.vtensor<[?,?],f32>) {
  %c1 = torch.constant.int 1
  // expect: refuted C1 with a[2] = 2, b[1] = 3
  // expect: shape [a[0], b[0], broadcast(a[2], b[1])]
  %0 = torch.aten.add.Tensor %a, %b, %c1 : !torch.vtensor<[?,1,?],f32>, !torch.vtensor<[?,?],f32>, !torch.int -> !torch.vtensor<[?,?,?],f32>
  return
}

func.func @one_operand(%a: !torch.vtensor<[?,4],f32>) {
  // expect: shape [a[0], 4]
  %0 = torch.aten.relu %a : !torch.vtensor<[?,4],f32> -> !torch.vtensor<[?,4],f32>
  %c1 = torch.constant.float 2.000000e+00
  // expect: shape [a[0], 4]
  %1 = torch.aten.mul.Scalar %a, %c1 : !torch.vtensor<[?,4],f32>, !torch.float -> !torch.vtensor<[?,4],f32>
  %c2 = torch.constant.float 0.000000e+00
  %c3 = torch.constant.none
  // expect: shape [a[0], 4]
  %2 = torch.aten.clamp %a, %c2, %c3 : !torch.vtensor<[?,4],f32>, !torch.float, !torch.none -> !torch.vtensor<[?,4],f32>
  return
}

func.func @three_operands(%c: !torch.vtensor<[?],i1>, %a: !torch.vtensor<[?],f32>, %b: !torch.vtensor<[],f32>) {
  // expect: refuted C1
  // expect: shape [broadcast(a[0], c[0])]
  %0 = torch.aten.where.self %c, %a, %b : !torch.vtensor<[?],i1>, !torch.vtensor<[?],f32>, !torch.vtensor<[],f32> -> !torch.vtensor<[?],f32>
  return
}

// assume: a[0] == b[0]
func.func @equal_sizes(%a: !torch.vtensor<[?,3],f32>, %b: !torch.vtensor<[?,3],f32>) {
  // expect: shape [broadcast(a[0], b[0]), 3]
  %0 = torch.aten.mul.Tensor %a, %b : !torch.vtensor<[?,3],f32>, !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
  return
}

func.func @casts(%a: !torch.vtensor<[2],i1>, %b: !torch.vtensor<[?],f32>) {
  %c1 = torch.constant.int 4
  // expect: shape [2]
  %0 = torch.prims.convert_element_type %a, %c1 : !torch.vtensor<[2],i1>, !torch.int -> !torch.vtensor<[2],si64>
  %c2 = torch.constant.int 7
  %c3 = torch.constant.bool false
  %c4 = torch.constant.bool false
  %c5 = torch.constant.none
  // expect: shape [b[0]]
  %1 = torch.aten.to.dtype %b, %c2, %c3, %c4, %c5 : !torch.vtensor<[?],f32>, !torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[?],f64>
  %c6 = torch.constant.none
  // expect: shape [b[0]]
  %2 = torch.aten.clone %b, %c6 : !torch.vtensor<[?],f32>, !torch.none -> !torch.vtensor<[?],f32>
  %c7 = torch.constant.none
  %c8 = torch.constant.none
  %c9 = torch.constant.none
  %c10 = torch.constant.none
  %c11 = torch.constant.none
  // expect: shape [b[0]]
  %3 = torch.aten.zeros_like %b, %c7, %c8, %c9, %c10, %c11 : !torch.vtensor<[?],f32>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],f32>
  %c12 = torch.constant.float 5.000000e-01
  %c13 = torch.constant.bool false
  // expect: shape [b[0]]
  %4 = torch.aten.dropout %b, %c12, %c13 : !torch.vtensor<[?],f32>, !torch.float, !torch.bool -> !torch.vtensor<[?],f32>
  %c14 = torch.constant.float 5.000000e-01
  %c15 = torch.constant.bool false
  // expect: shape [b[0]]
  %5:2 = torch.aten.native_dropout %b, %c14, %c15 : !torch.vtensor<[?],f32>, !torch.float, !torch.bool -> !torch.vtensor<[?],f32>, !torch.vtensor<[?],i1>
  return
}

func.func @masked_fill(%a: !torch.vtensor<[?,?],f32>, %m: !torch.vtensor<[?],i1>, %v: !torch.vtensor<[],f32>, %w: !torch.vtensor<[1],f32>) {
  %c1 = torch.constant.float 0.000000e+00
  // expect: refuted C1
  // expect: shape [a[0], broadcast(a[1], m[0])]
  %0 = torch.aten.masked_fill.Scalar %a, %m, %c1 : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?],i1>, !torch.float -> !torch.vtensor<[?,?],f32>
  %1 = torch.aten.masked_fill.Tensor %a, %m, %v : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?],i1>, !torch.vtensor<[],f32> -> !torch.vtensor<[?,?],f32>
  // expect: refuted C2
  %2 = torch.aten.masked_fill.Tensor %a, %m, %w : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?],i1>, !torch.vtensor<[1],f32> -> !torch.vtensor<[?,?],f32>
  return
}

func.func @filled(%a: !torch.vtensor<[?],f32>, %v: !torch.vtensor<[?],f32>) {
  // expect: refuted C2
  %0 = torch.aten.fill.Tensor %a, %v : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
  return
}

func.func @filled_with_a_scalar(%a: !torch.vtensor<[?],f32>, %v: !torch.vtensor<[],f32>) {
  // expect: shape [a[0]]
  %0 = torch.aten.fill.Tensor %a, %v : !torch.vtensor<[?],f32>, !torch.vtensor<[],f32> -> !torch.vtensor<[?],f32>
  return
}

func.func @copied(%a: !torch.vtensor<[?,3],f32>, %b: !torch.vtensor<[?],f32>) {
  %c1 = torch.constant.bool false
  // expect: refuted C1
  // expect: shape [a[0], 3]
  %0 = torch.aten.copy %a, %b, %c1 : !torch.vtensor<[?,3],f32>, !torch.vtensor<[?],f32>, !torch.bool -> !torch.vtensor<[?,3],f32>
  return
}

func.func @slopes(%a: !torch.vtensor<[?,?,5],f32>, %s: !torch.vtensor<[?],f32>) {
  // expect: refuted C1
  // expect: shape [a[0], a[1], 5]
  %0 = torch.aten.prelu %a, %s : !torch.vtensor<[?,?,5],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor<[?,?,5],f32>
  return
}

func.func @elements(%x: !torch.vtensor<[?,?],f32>) {
  %l = torch.vtensor.literal(dense<[1, 4]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %c1 = torch.constant.int 1
  %n = torch.aten.size.int %x, %c1 : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
  %m = torch.aten.mul.Scalar %l, %n : !torch.vtensor<[2],si64>, !torch.int -> !torch.vtensor<[2],si64>
  %c2 = torch.constant.int 0
  %c3 = torch.constant.int 1
  %s = torch.aten.select.int %m, %c2, %c3 : !torch.vtensor<[2],si64>, !torch.int, !torch.int -> !torch.vtensor<[],si64>
  // expect: value 4*x[1]
  %i = torch.aten.item %s : !torch.vtensor<[],si64> -> !torch.int
  %c4 = torch.constant.int 3
  %t = torch.aten.gt.Scalar %s, %c4 : !torch.vtensor<[],si64>, !torch.int -> !torch.vtensor<[],i1>
  // expect: value x[1] >= 1
  %b = torch.aten.Bool.Tensor %t : !torch.vtensor<[],i1> -> !torch.bool
  return
}

func.func @scattered_by_a_mask(%a: !torch.vtensor<[?,3],f32>, %m: !torch.vtensor<[?,3],i1>, %s: !torch.vtensor<[?],f32>) {
  // expect: refuted C1
  // expect: undecided C3 because not modeled
  // expect: approximated depends on data
  // expect: shape [broadcast(a[0], m[0]), 3]
  %0 = torch.aten.masked_scatter %a, %m, %s : !torch.vtensor<[?,3],f32>, !torch.vtensor<[?,3],i1>, !torch.vtensor<[?],f32> -> !torch.vtensor<[?,3],f32>
  // expect: proved C3
  // expect: approximated depends on data
  %1 = torch.aten.masked_scatter %0, %m, %0 : !torch.vtensor<[?,3],f32>, !torch.vtensor<[?,3],i1>, !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
  return
}

// PyTorch raises an error where an integer is divided by 0, if there is one to be divided.
func.func @divided(%x: !torch.vtensor<[?],si64>, %n: !torch.int, %f: !torch.vtensor<[?],f32>) {
  %floor = torch.constant.str "floor"
  %f0 = torch.constant.float 0.000000e+00
  // expect: refuted C9 with x[0] = 2, n = 0
  %0 = torch.aten.div.Scalar_mode %x, %n, %floor : !torch.vtensor<[?],si64>, !torch.int, !torch.str -> !torch.vtensor<[?],si64>
  // expect: proved
  %1 = torch.aten.remainder.Scalar %x, %n : !torch.vtensor<[?],si64>, !torch.int -> !torch.vtensor<[?],si64>
  // expect: shape [f[0]]
  %2 = torch.aten.div.Scalar_mode %f, %f0, %floor : !torch.vtensor<[?],f32>, !torch.float, !torch.str -> !torch.vtensor<[?],f32>
  return
}

// assume: x[0] == y[0]
func.func @divided_by_data(%x: !torch.vtensor<[?],si64>, %y: !torch.vtensor<[?],si64>) {
  // expect: undecided C9
  // expect: approximated depends on the data of %y
  %0 = torch.aten.floor_divide %x, %y : !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64> -> !torch.vtensor<[?],si64>
  return
}

// assume: n >= 1
func.func @divided_by_numbers_that_are_bounded(%n: !torch.int) {
  %none = torch.constant.none
  %c1 = torch.constant.int 1
  // expect: proved
  %0 = torch.aten.arange %n, %none, %none, %none, %none : !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],si64>
  %1 = torch.aten.add.Scalar %0, %c1, %c1 : !torch.vtensor<[?],si64>, !torch.int, !torch.int -> !torch.vtensor<[?],si64>
  // expect: proved C9
  // expect: approximated depends on the data of %n
  %2 = torch.aten.fmod.Tensor %0, %1 : !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64> -> !torch.vtensor<[?],si64>
  return
}
