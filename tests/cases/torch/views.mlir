func.func @each_repeated(%a: !torch.vtensor<[?,3],f32>, %n: !torch.int) {
  %c1 = torch.constant.int 2
  %c2 = torch.constant.int 1
  %c3 = torch.constant.none
  // expect: shape [a[0], 6]
  %0 = torch.aten.repeat_interleave.self_int %a, %c1, %c2, %c3 : !torch.vtensor<[?,3],f32>, !torch.int, !torch.int, !torch.none -> !torch.vtensor<[?,6],f32>
  %c4 = torch.constant.none
  %c5 = torch.constant.none
  // expect: refuted C1 with n = -1
  // expect: shape [3*a[0]*n]
  %1 = torch.aten.repeat_interleave.self_int %a, %n, %c4, %c5 : !torch.vtensor<[?,3],f32>, !torch.int, !torch.none, !torch.none -> !torch.vtensor<[?],f32>
  return
}

func.func @views(%a: !torch.vtensor<[?,?,8],f32>) {
  %c1 = torch.constant.int 0
  %n = torch.aten.size.int %a, %c1 : !torch.vtensor<[?,?,8],f32>, !torch.int -> !torch.int
  %c3 = torch.constant.int -1
  %c2 = torch.prim.ListConstruct %n, %c3 : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C2 with a[0] = 0
  // expect: shape [a[0], 8*a[1]]
  %0 = torch.aten.view %a, %c2 : !torch.vtensor<[?,?,8],f32>, !torch.list<int> -> !torch.vtensor<[?,?],f32>
  %c5 = torch.constant.int -1
  %c6 = torch.constant.int 8
  %c4 = torch.prim.ListConstruct %c5, %c6 : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: shape [a[0]*a[1], 8]
  %1 = torch.aten.view %a, %c4 : !torch.vtensor<[?,?,8],f32>, !torch.list<int> -> !torch.vtensor<[?,8],f32>
  %c8 = torch.constant.int -1
  %c9 = torch.constant.int 4
  %c10 = torch.constant.int 2
  %c7 = torch.prim.ListConstruct %c8, %c9, %c10 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  // expect: shape [a[0]*a[1], 4, 2]
  %2 = torch.aten.reshape %a, %c7 : !torch.vtensor<[?,?,8],f32>, !torch.list<int> -> !torch.vtensor<[?,4,2],f32>
  return
}

func.func @negative_sizes(%a: !torch.vtensor<[?],f32>, %n: !torch.int) {
  %c1 = torch.prim.ListConstruct %n : (!torch.int) -> !torch.list<int>
  // expect: refuted C1
  // expect: refuted C2
  // expect: shape [select(n + 1 == 0, a[0]//select(n + 1 == 0, 1, n), n)]
  %0 = torch.aten.view %a, %c1 : !torch.vtensor<[?],f32>, !torch.list<int> -> !torch.vtensor<[?],f32>
  return
}

func.func @like_another(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[?,?],f32>) {
  // expect: refuted C2
  // expect: shape [b[0], b[1]]
  %0 = torch.aten.reshape_as %a, %b : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,?],f32> -> !torch.vtensor<[?,?],f32>
  return
}

func.func @flat(%a: !torch.vtensor<[?,3,?],f32>) {
  %c1 = torch.constant.int 0
  %c2 = torch.constant.int 1
  // expect: shape [3*a[0], a[2]]
  %0 = torch.aten.flatten.using_ints %a, %c1, %c2 : !torch.vtensor<[?,3,?],f32>, !torch.int, !torch.int -> !torch.vtensor<[?,?],f32>
  %c3 = torch.constant.int 1
  %c4 = torch.constant.int 2
  // expect: shape [a[0], 3*a[2]]
  %1 = torch.prims.collapse %a, %c3, %c4 : !torch.vtensor<[?,3,?],f32>, !torch.int, !torch.int -> !torch.vtensor<[?,?],f32>
  %c5 = torch.constant.int -1
  // expect: shape [a[0], 3, a[2], 1]
  %2 = torch.aten.unsqueeze %a, %c5 : !torch.vtensor<[?,3,?],f32>, !torch.int -> !torch.vtensor<[?,3,?,1],f32>
  return
}

func.func @parts(%a: !torch.vtensor<[?,?],f32>, %n: !torch.int) {
  %c1 = torch.constant.int 1
  %c3 = torch.constant.int 4
  %c4 = torch.constant.int -1
  %c2 = torch.prim.ListConstruct %c3, %c4 : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C2
  // expect: shape [a[0], 4, a[1]//4]
  %0 = torch.aten.unflatten.int %a, %c1, %c2 : !torch.vtensor<[?,?],f32>, !torch.int, !torch.list<int> -> !torch.vtensor<[?,4,?],f32>
  %c5 = torch.constant.int 0
  %c7 = torch.constant.int 2
  %c6 = torch.prim.ListConstruct %n, %c7 : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C1
  // expect: refuted C2
  %1 = torch.aten.unflatten.int %a, %c5, %c6 : !torch.vtensor<[?,?],f32>, !torch.int, !torch.list<int> -> !torch.vtensor<[?,2,?],f32>
  return
}

func.func @squeezed(%a: !torch.vtensor<[1,?,?,3],f32>) {
  %c1 = torch.constant.int 0
  // expect: shape [a[1], a[2], 3]
  %0 = torch.aten.squeeze.dim %a, %c1 : !torch.vtensor<[1,?,?,3],f32>, !torch.int -> !torch.vtensor<[?,?,3],f32>
  %c2 = torch.constant.int 1
  // expect: refuted C1
  // expect: shape [1, a[2], 3]
  %1 = torch.aten.squeeze.dim %a, %c2 : !torch.vtensor<[1,?,?,3],f32>, !torch.int -> !torch.vtensor<[1,?,3],f32>
  %c3 = torch.constant.int 2
  // expect: refuted C1 with a[2] = 1
  // expect: shape [1, a[1], a[2], 3]
  %2 = torch.aten.squeeze.dim %a, %c3 : !torch.vtensor<[1,?,?,3],f32>, !torch.int -> !torch.vtensor<[1,?,?,3],f32>
  return
}

func.func @expanded(%a: !torch.vtensor<[?,1],f32>, %n: !torch.int) {
  %c2 = torch.constant.int -1
  %c3 = torch.constant.int 5
  %c1 = torch.prim.ListConstruct %c2, %c3 : (!torch.int, !torch.int) -> !torch.list<int>
  %c4 = torch.constant.bool false
  // expect: shape [a[0], 5]
  %0 = torch.aten.expand %a, %c1, %c4 : !torch.vtensor<[?,1],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[?,5],f32>
  %c6 = torch.constant.int 2
  %c7 = torch.constant.int 4
  %c8 = torch.constant.int 5
  %c5 = torch.prim.ListConstruct %c6, %c7, %c8 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %c9 = torch.constant.bool false
  // expect: refuted C3 with a[0] = 2
  // expect: shape [2, 4, 5]
  %1 = torch.aten.expand %a, %c5, %c9 : !torch.vtensor<[?,1],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[2,4,5],f32>
  %c11 = torch.constant.int -1
  %c12 = torch.constant.int -1
  %c10 = torch.prim.ListConstruct %n, %c11, %c12 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %c13 = torch.constant.bool false
  // expect: refuted C2 with n = -1
  %2 = torch.aten.expand %a, %c10, %c13 : !torch.vtensor<[?,1],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[?,?,1],f32>
  return
}

func.func @fewer_sizes(%a: !torch.vtensor<[?,1],f32>) {
  %c2 = torch.constant.int 5
  %c1 = torch.prim.ListConstruct %c2 : (!torch.int) -> !torch.list<int>
  %c3 = torch.constant.bool false
  // expect: refuted C1
  %0 = torch.aten.expand %a, %c1, %c3 : !torch.vtensor<[?,1],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[5],f32>
  return
}

func.func @expanded_like(%a: !torch.vtensor<[?,3],f32>, %b: !torch.vtensor<[4,?,3],f32>) {
  // expect: refuted C1
  // expect: shape [4, b[1], 3]
  %0 = torch.aten.expand_as %a, %b : !torch.vtensor<[?,3],f32>, !torch.vtensor<[4,?,3],f32> -> !torch.vtensor<[4,?,3],f32>
  return
}

func.func @repeated(%a: !torch.vtensor<[?,3],f32>, %n: !torch.int) {
  %c2 = torch.constant.int 2
  %c3 = torch.constant.int 1
  %c4 = torch.constant.int 2
  %c1 = torch.prim.ListConstruct %c2, %c3, %c4 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  // expect: shape [2, a[0], 6]
  %0 = torch.aten.repeat %a, %c1 : !torch.vtensor<[?,3],f32>, !torch.list<int> -> !torch.vtensor<[2,?,6],f32>
  %c6 = torch.constant.int 1
  %c5 = torch.prim.ListConstruct %n, %c6 : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C2
  %1 = torch.aten.repeat %a, %c5 : !torch.vtensor<[?,3],f32>, !torch.list<int> -> !torch.vtensor<[?,3],f32>
  %c8 = torch.constant.int 2
  %c7 = torch.prim.ListConstruct %c8 : (!torch.int) -> !torch.list<int>
  // expect: shape [a[0], 6]
  %2 = torch.aten.tile %a, %c7 : !torch.vtensor<[?,3],f32>, !torch.list<int> -> !torch.vtensor<[?,6],f32>
  return
}

func.func @fewer_repetitions(%a: !torch.vtensor<[?,3],f32>) {
  %c2 = torch.constant.int 2
  %c1 = torch.prim.ListConstruct %c2 : (!torch.int) -> !torch.list<int>
  // expect: refuted C1
  %0 = torch.aten.repeat %a, %c1 : !torch.vtensor<[?,3],f32>, !torch.list<int> -> !torch.vtensor<[?,3],f32>
  return
}

func.func @pairs(%a: !torch.vtensor<[?,?],f32>) {
  // expect: refuted C2 with a[1] = 3
  // expect: shape [a[0]]
  %0 = torch.aten.view_as_complex %a : !torch.vtensor<[?,?],f32> -> !torch.vtensor<[?],complex<f32>>
  // expect: shape [a[0], 2]
  %1 = torch.aten.view_as_real %0 : !torch.vtensor<[?],complex<f32>> -> !torch.vtensor<[?,2],f32>
  return
}

func.func @no_pairs(%a: !torch.vtensor<[],f32>) {
  // expect: refuted C1
  %0 = torch.aten.view_as_complex %a : !torch.vtensor<[],f32> -> !torch.vtensor<[],complex<f32>>
  return
}

// What -1 stands for, as `torch.export` writes it: the number of elements divided by the other sizes.
func.func @what_is_left(%a: !torch.vtensor<[?,4,?,8],f32>) {
  %c0 = torch.constant.int 0
  %c2 = torch.constant.int 2
  %c4 = torch.constant.int 4
  %c8 = torch.constant.int 8
  %c32 = torch.constant.int 32
  %c128 = torch.constant.int 128
  %b = torch.aten.size.int %a, %c0 : !torch.vtensor<[?,4,?,8],f32>, !torch.int -> !torch.int
  %n = torch.aten.size.int %a, %c2 : !torch.vtensor<[?,4,?,8],f32>, !torch.int -> !torch.int
  %0 = torch.aten.mul.int %b, %n : !torch.int, !torch.int -> !torch.int
  %1 = torch.aten.mul.int %c32, %0 : !torch.int, !torch.int -> !torch.int
  %2 = torch.aten.mul.int %c128, %b : !torch.int, !torch.int -> !torch.int
  // expect: refuted C1 with a[0] = 0
  %3 = torch.aten.floordiv.int %1, %2 : !torch.int, !torch.int -> !torch.int
  %4 = torch.prim.ListConstruct %b, %c4, %c4, %3, %c8 : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C2 with a[2] = 2
  // expect: shape [a[0], 4, 4, a[2]//4, 8]
  %5 = torch.aten.view %a, %4 : !torch.vtensor<[?,4,?,8],f32>, !torch.list<int> -> !torch.vtensor<[?,4,4,?,8],f32>
  return
}

func.func @halves_of_a_padded_length(%a: !torch.vtensor<[?,?],f32>) {
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %c3 = torch.constant.int 3
  %c-1 = torch.constant.int -1
  %b = torch.aten.size.int %a, %c0 : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
  %0 = torch.prim.ListConstruct %b, %c-1, %c3 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C2 with a[1] = 2
  // expect: shape [a[0], a[1]//3, 3]
  %1 = torch.aten.view %a, %0 : !torch.vtensor<[?,?],f32>, !torch.list<int> -> !torch.vtensor<[?,?,3],f32>
  return
}
