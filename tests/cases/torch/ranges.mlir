func.func @ranges(%a: !torch.vtensor<[?],f32>, %n: !torch.int) {
  %c1 = torch.constant.int 0
  %s = torch.aten.size.int %a, %c1 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %c2 = torch.constant.int 4
  %c3 = torch.constant.none
  %c4 = torch.constant.none
  %c5 = torch.constant.bool false
  // expect: shape [a[0]]
  %0 = torch.aten.arange %s, %c2, %c3, %c4, %c5 : !torch.int, !torch.int, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[?],si64>
  %c6 = torch.constant.int 1
  %c7 = torch.constant.int 2
  %c8 = torch.constant.int 4
  %c9 = torch.constant.none
  %c10 = torch.constant.none
  %c11 = torch.constant.bool false
  // expect: refuted C1 with n = 0
  // expect: shape [n//2]
  %1 = torch.aten.arange.start_step %c6, %n, %c7, %c8, %c9, %c10, %c11 : !torch.int, !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[?],si64>
  %c12 = torch.constant.int 2
  %c13 = torch.constant.int 5
  %c14 = torch.constant.int 4
  %c15 = torch.constant.none
  %c16 = torch.constant.none
  %c17 = torch.constant.bool false
  %r = torch.aten.arange.start %c12, %c13, %c14, %c15, %c16, %c17 : !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[3],si64>
  %c18 = torch.constant.int 0
  %c19 = torch.constant.int -1
  %l = torch.aten.select.int %r, %c18, %c19 : !torch.vtensor<[3],si64>, !torch.int, !torch.int -> !torch.vtensor<[],si64>
  // expect: value 4
  %3 = torch.aten.item %l : !torch.vtensor<[],si64> -> !torch.int
  return
}

func.func @numbers_between(%n: !torch.int) {
  %c1 = torch.constant.float 0.000000e+00
  %c2 = torch.constant.float 1.000000e+00
  %c3 = torch.constant.none
  %c4 = torch.constant.none
  %c5 = torch.constant.none
  %c6 = torch.constant.none
  // expect: refuted C1
  // expect: shape [n]
  %0 = torch.aten.linspace %c1, %c2, %n, %c3, %c4, %c5, %c6 : !torch.float, !torch.float, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],f32>
  return
}

// Distances that are clamped to 8 on both sides and moved by 8 are rows of a table of 17, not of one of 16.
func.func @clamped(%x: !torch.vtensor<[?,?],si64>, %table: !torch.vtensor<[17,4],f32>, %short: !torch.vtensor<[16,4],f32>) {
  %false = torch.constant.bool false
  %m1 = torch.constant.int -1
  %one = torch.constant.int 1
  %least = torch.constant.int -8
  %most = torch.constant.int 8
  %0 = torch.aten.clamp %x, %least, %most : !torch.vtensor<[?,?],si64>, !torch.int, !torch.int -> !torch.vtensor<[?,?],si64>
  %1 = torch.aten.add.Scalar %0, %most, %one : !torch.vtensor<[?,?],si64>, !torch.int, !torch.int -> !torch.vtensor<[?,?],si64>
  // expect: approximated depends on the data of %x
  // expect: proved C9
  %2 = torch.aten.embedding %table, %1, %m1, %false, %false : !torch.vtensor<[17,4],f32>, !torch.vtensor<[?,?],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?,?,4],f32>
  // expect: approximated depends on the data of %x
  // expect: undecided C9
  %3 = torch.aten.embedding %short, %1, %m1, %false, %false : !torch.vtensor<[16,4],f32>, !torch.vtensor<[?,?],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?,?,4],f32>
  %none = torch.constant.none
  %4 = torch.aten.clamp %x, %one, %none : !torch.vtensor<[?,?],si64>, !torch.int, !torch.none -> !torch.vtensor<[?,?],si64>
  // expect: approximated depends on the data of %x
  // expect: undecided C9
  %5 = torch.aten.embedding %table, %4, %m1, %false, %false : !torch.vtensor<[17,4],f32>, !torch.vtensor<[?,?],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?,?,4],f32>
  return
}

// All pairs of rows, and of rows and columns, where there may be fewer of these.
func.func @pairs(%x: !torch.vtensor<[?,?],f32>) {
  %false = torch.constant.bool false
  %none = torch.constant.none
  %m1 = torch.constant.int -1
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %four = torch.constant.int 4
  %n = torch.aten.size.int %x, %zero : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
  %m = torch.aten.size.int %x, %one : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
  // expect: proved C1
  // expect: shape [2, (x[0]**2 + x[0])//2 - x[0]]
  %0 = torch.aten.triu_indices %n, %n, %one, %four, %none, %none, %none : !torch.int, !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[2,?],si64>
  // expect: approximated
  // expect: proved C9
  %1 = torch.aten.embedding %x, %0, %m1, %false, %false : !torch.vtensor<[?,?],f32>, !torch.vtensor<[2,?],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[2,?,?],f32>
  %2 = torch.aten.tril_indices %n, %m, %zero, %four, %none, %none, %none : !torch.int, !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[2,?],si64>
  // expect: approximated
  // expect: undecided C9
  %3 = torch.aten.embedding %x, %2, %m1, %false, %false : !torch.vtensor<[?,?],f32>, !torch.vtensor<[2,?],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[2,?,?],f32>
  return
}

// Five boundaries make six buckets.
func.func @buckets(%x: !torch.vtensor<[?,?],f32>, %b: !torch.vtensor<[5],f32>, %six: !torch.vtensor<[6,4],f32>, %five: !torch.vtensor<[5,4],f32>) {
  %false = torch.constant.bool false
  %m1 = torch.constant.int -1
  // expect: shape [x[0], x[1]]
  %0 = torch.aten.bucketize.Tensor %x, %b, %false, %false : !torch.vtensor<[?,?],f32>, !torch.vtensor<[5],f32>, !torch.bool, !torch.bool -> !torch.vtensor<[?,?],si64>
  // expect: approximated
  // expect: proved C9
  %1 = torch.aten.embedding %six, %0, %m1, %false, %false : !torch.vtensor<[6,4],f32>, !torch.vtensor<[?,?],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?,?,4],f32>
  // expect: approximated
  // expect: undecided C9
  %2 = torch.aten.embedding %five, %0, %m1, %false, %false : !torch.vtensor<[5,4],f32>, !torch.vtensor<[?,?],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?,?,4],f32>
  return
}

func.func @no_list_of_boundaries(%x: !torch.vtensor<[?,?],f32>) {
  %false = torch.constant.bool false
  // expect: refuted C1
  %0 = torch.aten.bucketize.Tensor %x, %x, %false, %false : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>, !torch.bool, !torch.bool -> !torch.vtensor<[?,?],si64>
  return
}

func.func @triangle_of_fewer(%x: !torch.vtensor<[?],f32>) {
  %none = torch.constant.none
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %four = torch.constant.int 4
  %n = torch.aten.size.int %x, %zero : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %fewer = torch.aten.sub.int %n, %one : !torch.int, !torch.int -> !torch.int
  // expect: refuted C1
  %0 = torch.aten.tril_indices %fewer, %n, %zero, %four, %none, %none, %none : !torch.int, !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[2,?],si64>
  return
}

func.func @any_order(%n: !torch.int) {
  %none = torch.constant.none
  %kind = torch.constant.int 4
  // expect: refuted C1 with n = -1
  %0 = torch.operator "torch.aten.randperm"(%n, %kind, %none, %none, %none) : (!torch.int, !torch.int, !torch.none, !torch.none, !torch.none) -> !torch.vtensor<[?],si64>
  return
}

// Half steps up to half of n: as many as n.
func.func @range_of_floats(%x: !torch.vtensor<[?],f32>) {
  %none = torch.constant.none
  %zero = torch.constant.int 0
  %half = torch.constant.float 5.000000e-01
  %n = torch.aten.size.int %x, %zero : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %end = torch.aten.mul.int_float %n, %half : !torch.int, !torch.float -> !torch.float
  // expect: shape [x[0]]
  %0 = torch.aten.arange.start_step %zero, %end, %half, %none, %none, %none, %none : !torch.int, !torch.float, !torch.float, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],f32>
  %down = torch.constant.float -2.500000e-01
  // expect: refuted C1 with x[0] = 2
  %1 = torch.aten.arange.start_step %zero, %end, %down, %none, %none, %none, %none : !torch.int, !torch.float, !torch.float, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],f32>
  return
}
