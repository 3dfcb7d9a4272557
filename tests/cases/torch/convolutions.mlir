func.func @images(%a: !torch.vtensor<[?,3,?,?],f32>, %w: !torch.vtensor<[8,3,3,3],f32>, %b: !torch.vtensor<[8],f32>) {
  %c2 = torch.constant.int 1
  %c3 = torch.constant.int 1
  %c1 = torch.prim.ListConstruct %c2, %c3 : (!torch.int, !torch.int) -> !torch.list<int>
  %c5 = torch.constant.int 1
  %c6 = torch.constant.int 1
  %c4 = torch.prim.ListConstruct %c5, %c6 : (!torch.int, !torch.int) -> !torch.list<int>
  %c8 = torch.constant.int 1
  %c9 = torch.constant.int 1
  %c7 = torch.prim.ListConstruct %c8, %c9 : (!torch.int, !torch.int) -> !torch.list<int>
  %c10 = torch.constant.bool false
  %c12 = torch.constant.int 0
  %c13 = torch.constant.int 0
  %c11 = torch.prim.ListConstruct %c12, %c13 : (!torch.int, !torch.int) -> !torch.list<int>
  %c14 = torch.constant.int 1
  // expect: refuted C4
  // expect: shape [a[0], 8, a[2], a[3]]
  %0 = torch.aten.convolution %a, %w, %b, %c1, %c4, %c7, %c10, %c11, %c14 : !torch.vtensor<[?,3,?,?],f32>, !torch.vtensor<[8,3,3,3],f32>, !torch.vtensor<[8],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[?,8,?,?],f32>
  return
}

func.func @empty(%a: !torch.vtensor<[?,3,?],f32>, %w: !torch.vtensor<[8,3,1],f32>) {
  %c1 = torch.constant.none
  %c3 = torch.constant.int 1
  %c2 = torch.prim.ListConstruct %c3 : (!torch.int) -> !torch.list<int>
  %c5 = torch.constant.int 1
  %c4 = torch.prim.ListConstruct %c5 : (!torch.int) -> !torch.list<int>
  %c7 = torch.constant.int 1
  %c6 = torch.prim.ListConstruct %c7 : (!torch.int) -> !torch.list<int>
  %c8 = torch.constant.int 1
  // expect: refuted C5
  // expect: shape [a[0], 8, a[2] + 2]
  %0 = torch.aten.conv1d %a, %w, %c1, %c2, %c4, %c6, %c8 : !torch.vtensor<[?,3,?],f32>, !torch.vtensor<[8,3,1],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[?,8,?],f32>
  return
}

// assume: a[2] >= 1 and a[3] >= 1
func.func @without_padding(%a: !torch.vtensor<[?,3,?,?],f32>, %w: !torch.vtensor<[8,3,3,3],f32>) {
  %c1 = torch.constant.none
  %c3 = torch.constant.int 2
  %c4 = torch.constant.int 2
  %c2 = torch.prim.ListConstruct %c3, %c4 : (!torch.int, !torch.int) -> !torch.list<int>
  %c6 = torch.constant.int 0
  %c7 = torch.constant.int 0
  %c5 = torch.prim.ListConstruct %c6, %c7 : (!torch.int, !torch.int) -> !torch.list<int>
  %c9 = torch.constant.int 1
  %c10 = torch.constant.int 1
  %c8 = torch.prim.ListConstruct %c9, %c10 : (!torch.int, !torch.int) -> !torch.list<int>
  %c11 = torch.constant.int 1
  // expect: refuted C4 with a[2] = 2
  // expect: shape [a[0], 8, (a[2] - 1)//2, (a[3] - 1)//2]
  %0 = torch.aten.conv2d %a, %w, %c1, %c2, %c5, %c8, %c11 : !torch.vtensor<[?,3,?,?],f32>, !torch.vtensor<[8,3,3,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[?,8,?,?],f32>
  return
}

// assume: a[2] >= 1
func.func @grouped(%a: !torch.vtensor<[?,?,?],f32>, %w: !torch.vtensor<[8,2,1],f32>, %b: !torch.vtensor<[?],f32>) {
  %c2 = torch.constant.int 1
  %c1 = torch.prim.ListConstruct %c2 : (!torch.int) -> !torch.list<int>
  %c4 = torch.constant.int 0
  %c3 = torch.prim.ListConstruct %c4 : (!torch.int) -> !torch.list<int>
  %c6 = torch.constant.int 1
  %c5 = torch.prim.ListConstruct %c6 : (!torch.int) -> !torch.list<int>
  %c7 = torch.constant.int 4
  // expect: refuted C2
  // expect: refuted C3
  // expect: shape [a[0], 8, a[2]]
  %0 = torch.aten.conv1d %a, %w, %b, %c1, %c3, %c5, %c7 : !torch.vtensor<[?,?,?],f32>, !torch.vtensor<[8,2,1],f32>, !torch.vtensor<[?],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[?,8,?],f32>
  return
}

// assume: a[2] >= 1
func.func @transposed(%a: !torch.vtensor<[?,3,?],f32>, %w: !torch.vtensor<[3,4,5],f32>) {
  %c1 = torch.constant.none
  %c3 = torch.constant.int 2
  %c2 = torch.prim.ListConstruct %c3 : (!torch.int) -> !torch.list<int>
  %c5 = torch.constant.int 1
  %c4 = torch.prim.ListConstruct %c5 : (!torch.int) -> !torch.list<int>
  %c7 = torch.constant.int 1
  %c6 = torch.prim.ListConstruct %c7 : (!torch.int) -> !torch.list<int>
  %c8 = torch.constant.int 1
  %c10 = torch.constant.int 1
  %c9 = torch.prim.ListConstruct %c10 : (!torch.int) -> !torch.list<int>
  // expect: shape [a[0], 4, 2*a[2] + 2]
  %0 = torch.aten.conv_transpose1d %a, %w, %c1, %c2, %c4, %c6, %c8, %c9 : !torch.vtensor<[?,3,?],f32>, !torch.vtensor<[3,4,5],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int, !torch.list<int> -> !torch.vtensor<[?,4,?],f32>
  return
}

// assume: a[1] >= 1
func.func @one_image(%a: !torch.vtensor<[3,?],f32>, %w: !torch.vtensor<[8,3,1],f32>) {
  %c1 = torch.constant.none
  %c3 = torch.constant.int 1
  %c2 = torch.prim.ListConstruct %c3 : (!torch.int) -> !torch.list<int>
  %c5 = torch.constant.int 0
  %c4 = torch.prim.ListConstruct %c5 : (!torch.int) -> !torch.list<int>
  %c7 = torch.constant.int 1
  %c6 = torch.prim.ListConstruct %c7 : (!torch.int) -> !torch.list<int>
  %c8 = torch.constant.int 1
  // expect: shape [8, a[1]]
  %0 = torch.aten.conv1d %a, %w, %c1, %c2, %c4, %c6, %c8 : !torch.vtensor<[3,?],f32>, !torch.vtensor<[8,3,1],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[8,?],f32>
  return
}

func.func @other_rank(%a: !torch.vtensor<[?,3],f32>, %w: !torch.vtensor<[8,3,1,1],f32>) {
  %c1 = torch.constant.none
  %c3 = torch.constant.int 1
  %c4 = torch.constant.int 1
  %c2 = torch.prim.ListConstruct %c3, %c4 : (!torch.int, !torch.int) -> !torch.list<int>
  %c6 = torch.constant.int 0
  %c7 = torch.constant.int 0
  %c5 = torch.prim.ListConstruct %c6, %c7 : (!torch.int, !torch.int) -> !torch.list<int>
  %c9 = torch.constant.int 1
  %c10 = torch.constant.int 1
  %c8 = torch.prim.ListConstruct %c9, %c10 : (!torch.int, !torch.int) -> !torch.list<int>
  %c11 = torch.constant.int 1
  // expect: refuted C1
  %0 = torch.aten.conv2d %a, %w, %c1, %c2, %c5, %c8, %c11 : !torch.vtensor<[?,3],f32>, !torch.vtensor<[8,3,1,1],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[?,8],f32>
  return
}

func.func @padded_to_the_same_extents(%a: !torch.vtensor<[?,3,?],f32>, %w: !torch.vtensor<[5,3,4],f32>) {
  %one = torch.constant.int 1
  %none = torch.constant.none
  %ones = torch.prim.ListConstruct %one : (!torch.int) -> !torch.list<int>
  %same = torch.constant.str "same"
  %valid = torch.constant.str "valid"
  // expect: refuted C4 with a[2] = 0
  // expect: shape [a[0], 5, a[2]]
  %0 = torch.aten.conv1d.padding %a, %w, %none, %ones, %same, %ones, %one : !torch.vtensor<[?,3,?],f32>, !torch.vtensor<[5,3,4],f32>, !torch.none, !torch.list<int>, !torch.str, !torch.list<int>, !torch.int -> !torch.vtensor<[?,5,?],f32>
  // expect: refuted C4 with a[2] = 2
  // expect: shape [a[0], 5, a[2] - 3]
  %1 = torch.aten.conv1d.padding %a, %w, %none, %ones, %valid, %ones, %one : !torch.vtensor<[?,3,?],f32>, !torch.vtensor<[5,3,4],f32>, !torch.none, !torch.list<int>, !torch.str, !torch.list<int>, !torch.int -> !torch.vtensor<[?,5,?],f32>
  return
}

// Without input channels PyTorch reads no window, and gives no channels.
func.func @without_channels(%a: !torch.vtensor<[?,0,?],f32>, %w: !torch.vtensor<[3,0,?],f32>) -> !torch.vtensor<[?,?,?],f32> {
  %none = torch.constant.none
  %one = torch.constant.int 1
  %zero = torch.constant.int 0
  %no = torch.constant.bool false
  %ones = torch.prim.ListConstruct %one : (!torch.int) -> !torch.list<int>
  %zeros = torch.prim.ListConstruct %zero : (!torch.int) -> !torch.list<int>
  // expect: refuted C4
  // expect: proved C5
  // expect: shape [a[0], 0, a[2] - w[2] + 1]
  %0 = torch.aten.convolution %a, %w, %none, %ones, %zeros, %ones, %no, %zeros, %one : !torch.vtensor<[?,0,?],f32>, !torch.vtensor<[3,0,?],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[?,?,?],f32>
  return %0 : !torch.vtensor<[?,?,?],f32>
}

// assume: x[2] >= 1
func.func @nothing_is_left(%x: !torch.vtensor<[?,2,?],f32>, %w: !torch.vtensor<[2,3,2],f32>) {
  %none = torch.constant.none
  %c1 = torch.constant.int 1
  %c0 = torch.constant.int 0
  %ones = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  %zeros = torch.prim.ListConstruct %c0 : (!torch.int) -> !torch.list<int>
  // with one element padded away at both ends nothing is left of two, which only some libraries refuse
  // expect: shape [x[0], 3, x[2] - 1]
  // expect: undecided C6 because whether an empty image is refused depends on the library that PyTorch calls
  // expect: approximated whether an empty image is refused
  %0 = torch.aten.conv_transpose1d %x, %w, %none, %ones, %ones, %zeros, %c1, %ones : !torch.vtensor<[?,2,?],f32>, !torch.vtensor<[2,3,2],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int, !torch.list<int> -> !torch.vtensor<[?,3,?],f32>
  return
}

func.func @more_is_padded_than_there(%x: !torch.vtensor<[?,2,?],f32>, %w: !torch.vtensor<[2,3,2],f32>) {
  %none = torch.constant.none
  %c1 = torch.constant.int 1
  %c0 = torch.constant.int 0
  %ones = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  %zeros = torch.prim.ListConstruct %c0 : (!torch.int) -> !torch.list<int>
  // expect: refuted C4 with x[2] = 0
  // expect: undecided C6
  // expect: approximated whether an empty image is refused
  %0 = torch.aten.conv_transpose1d %x, %w, %none, %ones, %ones, %zeros, %c1, %ones : !torch.vtensor<[?,2,?],f32>, !torch.vtensor<[2,3,2],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int, !torch.list<int> -> !torch.vtensor<[?,3,?],f32>
  return
}

// assume: x[2] >= 1
func.func @as_long_as_the_image(%x: !torch.vtensor<[?,2,?],f32>, %w: !torch.vtensor<[2,3,3],f32>, %y: !torch.vtensor<[?],f32>) {
  %none = torch.constant.none
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %c2 = torch.constant.int 2
  %ones = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  %twos = torch.prim.ListConstruct %c2 : (!torch.int) -> !torch.list<int>
  %size = torch.aten.size.int %y, %c0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %rest = torch.aten.remainder.int %size, %c2 : !torch.int, !torch.int -> !torch.int
  %more = torch.prim.ListConstruct %rest : (!torch.int) -> !torch.list<int>
  // expect: proved C6
  // expect: approximated whether an empty image is refused
  // expect: shape [x[0], 3, 2*x[2] + y[0] % 2 - 1]
  %0 = torch.aten.conv_transpose1d %x, %w, %none, %twos, %ones, %more, %c1, %ones : !torch.vtensor<[?,2,?],f32>, !torch.vtensor<[2,3,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int, !torch.list<int> -> !torch.vtensor<[?,3,?],f32>
  return
}

// assume: x[2] >= 1
// assume: y[0] <= 4
func.func @less_than_nothing_is_added(%x: !torch.vtensor<[?,2,?],f32>, %w: !torch.vtensor<[2,3,9],f32>, %y: !torch.vtensor<[?],f32>) {
  %none = torch.constant.none
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %c2 = torch.constant.int 2
  %c3 = torch.constant.int 3
  %ones = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  %twos = torch.prim.ListConstruct %c2 : (!torch.int) -> !torch.list<int>
  %size = torch.aten.size.int %y, %c0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %added = torch.aten.sub.int %size, %c3 : !torch.int, !torch.int -> !torch.int
  %more = torch.prim.ListConstruct %added : (!torch.int) -> !torch.list<int>
  // expect: refuted C7 with y[0] = 2
  // expect: proved C8
  // expect: approximated whether as much is added
  %0 = torch.aten.conv_transpose1d %x, %w, %none, %twos, %ones, %more, %c1, %ones : !torch.vtensor<[?,2,?],f32>, !torch.vtensor<[2,3,9],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int, !torch.list<int> -> !torch.vtensor<[?,3,?],f32>
  return
}

// assume: x[2] >= 1
// assume: y[0] >= 3
func.func @a_step_is_added(%x: !torch.vtensor<[?,2,?],f32>, %w: !torch.vtensor<[2,3,9],f32>, %y: !torch.vtensor<[?],f32>) {
  %none = torch.constant.none
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %c2 = torch.constant.int 2
  %c3 = torch.constant.int 3
  %ones = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  %twos = torch.prim.ListConstruct %c2 : (!torch.int) -> !torch.list<int>
  %size = torch.aten.size.int %y, %c0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %added = torch.aten.sub.int %size, %c3 : !torch.int, !torch.int -> !torch.int
  %more = torch.prim.ListConstruct %added : (!torch.int) -> !torch.list<int>
  // expect: proved C7
  // expect: undecided C8 because whether as much is added as a step or more is refused depends on the library
  // expect: approximated whether as much is added
  %0 = torch.aten.conv_transpose1d %x, %w, %none, %twos, %ones, %more, %c1, %ones : !torch.vtensor<[?,2,?],f32>, !torch.vtensor<[2,3,9],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int, !torch.list<int> -> !torch.vtensor<[?,3,?],f32>
  return
}

// A convolution of weights of its own for each image has the batch as groups.
func.func @as_many_groups_as_images(%x: !torch.vtensor<[1,?,?],f32>, %w: !torch.vtensor<[?,4,3],f32>, %y: !torch.vtensor<[?],f32>) {
  %none = torch.constant.none
  %no = torch.constant.bool false
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %zeros = torch.prim.ListConstruct %c0 : (!torch.int) -> !torch.list<int>
  %ones = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  %groups = torch.aten.size.int %y, %c0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  // expect: refuted C2
  // expect: refuted C4
  // expect: shape [1, w[0], x[2]]
  %0 = torch.aten.convolution %x, %w, %none, %ones, %ones, %ones, %no, %zeros, %groups : !torch.vtensor<[1,?,?],f32>, !torch.vtensor<[?,4,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,?,?],f32>
  return
}
