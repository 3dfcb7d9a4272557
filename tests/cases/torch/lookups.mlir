// assume: x[1] <= 128
func.func @positions(%x: !torch.vtensor<[?,?],f32>, %w: !torch.vtensor<[128,8],f32>) {
  %c1 = torch.constant.int 1
  %n = torch.aten.size.int %x, %c1 : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
  %c2 = torch.constant.int 4
  %c3 = torch.constant.none
  %c4 = torch.constant.none
  %c5 = torch.constant.bool false
  %p = torch.aten.arange %n, %c2, %c3, %c4, %c5 : !torch.int, !torch.int, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[?],si64>
  %c6 = torch.constant.int 0
  %c7 = torch.constant.int 1
  %q = torch.aten.add.Scalar %p, %c6, %c7 : !torch.vtensor<[?],si64>, !torch.int, !torch.int -> !torch.vtensor<[?],si64>
  %c8 = torch.constant.int 0
  %u = torch.aten.unsqueeze %q, %c8 : !torch.vtensor<[?],si64>, !torch.int -> !torch.vtensor<[1,?],si64>
  %c9 = torch.constant.int -1
  %c10 = torch.constant.bool false
  %c11 = torch.constant.bool false
  // expect: shape [1, x[1], 8]
  %0 = torch.aten.embedding %w, %u, %c9, %c10, %c11 : !torch.vtensor<[128,8],f32>, !torch.vtensor<[1,?],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[1,?,8],f32>
  return
}

func.func @more_positions_than_rows(%x: !torch.vtensor<[?,?],f32>, %w: !torch.vtensor<[128,8],f32>) {
  %c1 = torch.constant.int 1
  %n = torch.aten.size.int %x, %c1 : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
  %c2 = torch.constant.int 4
  %c3 = torch.constant.none
  %c4 = torch.constant.none
  %c5 = torch.constant.bool false
  %p = torch.aten.arange %n, %c2, %c3, %c4, %c5 : !torch.int, !torch.int, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[?],si64>
  %c6 = torch.constant.int -1
  %c7 = torch.constant.bool false
  %c8 = torch.constant.bool false
  // expect: refuted C9 with x[1] = 129
  // expect: shape [x[1], 8]
  %0 = torch.aten.embedding %w, %p, %c6, %c7, %c8 : !torch.vtensor<[128,8],f32>, !torch.vtensor<[?],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?,8],f32>
  return
}

func.func @table(%w: !torch.vtensor<[?,8],f32>, %i: !torch.vtensor<[?,?],si64>) {
  %c1 = torch.constant.int -1
  %c2 = torch.constant.bool false
  %c3 = torch.constant.bool false
  // expect: undecided C9 because not modeled
  // expect: approximated depends on the data of %i
  // expect: shape [i[0], i[1], 8]
  %0 = torch.aten.embedding %w, %i, %c1, %c2, %c3 : !torch.vtensor<[?,8],f32>, !torch.vtensor<[?,?],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?,?,8],f32>
  return
}

func.func @known_numbers(%w: !torch.vtensor<[?,8],f32>) {
  %l = torch.vtensor.literal(dense<[1, 4]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %c1 = torch.constant.int -1
  %c2 = torch.constant.bool false
  %c3 = torch.constant.bool false
  // expect: refuted C9
  // expect: shape [2, 8]
  %0 = torch.aten.embedding %w, %l, %c1, %c2, %c3 : !torch.vtensor<[?,8],f32>, !torch.vtensor<[2],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[2,8],f32>
  return
}

func.func @no_table(%w: !torch.vtensor<[?],f32>, %i: !torch.vtensor<[?],si64>) {
  %c1 = torch.constant.int -1
  %c2 = torch.constant.bool false
  %c3 = torch.constant.bool false
  // expect: refuted C1
  %0 = torch.aten.embedding %w, %i, %c1, %c2, %c3 : !torch.vtensor<[?],f32>, !torch.vtensor<[?],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?],f32>
  return
}

func.func @rows(%a: !torch.vtensor<[?,?],f32>) {
  %l = torch.vtensor.literal(dense<[0, -1]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %c1 = torch.constant.int 1
  // expect: refuted C9
  // expect: shape [a[0], 2]
  %0 = torch.aten.index_select %a, %c1, %l : !torch.vtensor<[?,?],f32>, !torch.int, !torch.vtensor<[2],si64> -> !torch.vtensor<[?,2],f32>
  return
}

func.func @rows_by_a_matrix(%a: !torch.vtensor<[?,?],f32>, %l: !torch.vtensor<[?,?],si64>) {
  %c1 = torch.constant.int 1
  // expect: refuted C1
  %0 = torch.aten.index_select %a, %c1, %l : !torch.vtensor<[?,?],f32>, !torch.int, !torch.vtensor<[?,?],si64> -> !torch.vtensor<[?,?],f32>
  return
}

func.func @gathered(%a: !torch.vtensor<[?,?],f32>, %i: !torch.vtensor<[2,1],si64>) {
  %c1 = torch.constant.int 1
  %c2 = torch.constant.bool false
  // expect: refuted C2
  // expect: refuted C9
  // expect: shape [2, 1]
  %0 = torch.aten.gather %a, %c1, %i, %c2 : !torch.vtensor<[?,?],f32>, !torch.int, !torch.vtensor<[2,1],si64>, !torch.bool -> !torch.vtensor<[2,1],f32>
  return
}

func.func @gathered_by_other_rank(%a: !torch.vtensor<[?,?],f32>, %i: !torch.vtensor<[?],si64>) {
  %c1 = torch.constant.int 1
  %c2 = torch.constant.bool false
  // expect: refuted C1
  %0 = torch.aten.gather %a, %c1, %i, %c2 : !torch.vtensor<[?,?],f32>, !torch.int, !torch.vtensor<[?],si64>, !torch.bool -> !torch.vtensor<[?],f32>
  return
}

func.func @scattered(%a: !torch.vtensor<[?,?],f32>, %i: !torch.vtensor<[2,1],si64>, %s: !torch.vtensor<[?,?],f32>) {
  %c1 = torch.constant.int 1
  // expect: refuted C2
  // expect: refuted C3
  // expect: refuted C9
  // expect: shape [a[0], a[1]]
  %0 = torch.aten.scatter.src %a, %c1, %i, %s : !torch.vtensor<[?,?],f32>, !torch.int, !torch.vtensor<[2,1],si64>, !torch.vtensor<[?,?],f32> -> !torch.vtensor<[?,?],f32>
  return
}

func.func @scattered_by_other_rank(%a: !torch.vtensor<[?,?],f32>, %i: !torch.vtensor<[?],si64>) {
  %c1 = torch.constant.int 1
  %c2 = torch.constant.float 1.000000e+00
  // expect: refuted C1
  %0 = torch.aten.scatter.value %a, %c1, %i, %c2 : !torch.vtensor<[?,?],f32>, !torch.int, !torch.vtensor<[?],si64>, !torch.float -> !torch.vtensor<[?,?],f32>
  return
}

func.func @found(%a: !torch.vtensor<[?,?],f32>) {
  // expect: approximated how many elements are not 0
  // expect: shape [%0 rows, 2]
  %0 = torch.aten.nonzero %a : !torch.vtensor<[?,?],f32> -> !torch.vtensor<[?,2],si64>
  return
}

func.func @classes(%a: !torch.vtensor<[?,?],si64>) {
  %four = torch.constant.int 4
  %minus = torch.constant.int -1
  // expect: shape [a[0], a[1], 4]
  // expect: proved C1
  // expect: undecided C9
  // expect: approximated depends on the data
  %0 = torch.aten.one_hot %a, %four : !torch.vtensor<[?,?],si64>, !torch.int -> !torch.vtensor<[?,?,4],si64>
  // expect: approximated left to what %a holds
  %1 = torch.aten.one_hot %a, %minus : !torch.vtensor<[?,?],si64>, !torch.int -> !torch.vtensor<[?,?,?],si64>
  return
}

func.func @no_classes(%a: !torch.vtensor<[?,?],si64>) {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %empty = torch.aten.slice.Tensor %a, %zero, %zero, %zero, %one : !torch.vtensor<[?,?],si64>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[0,?],si64>
  // expect: refuted C1
  // expect: unreachable C9
  %2 = torch.aten.one_hot %empty, %zero : !torch.vtensor<[0,?],si64>, !torch.int -> !torch.vtensor<[0,?,0],si64>
  return
}

func.func @known_classes(%n: !torch.int) {
  %four = torch.constant.int 4
  %numbers = torch.vtensor.literal(dense<[1, 4]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  // expect: refuted C9
  %0 = torch.aten.one_hot %numbers, %four : !torch.vtensor<[2],si64>, !torch.int -> !torch.vtensor<[2,4],si64>
  return
}

// Padding that mirrors, as PyTorch writes it: places are counted from both ends. What is added is less than there is.
// assume: x[0] >= 33
func.func @mirrored(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %one = torch.constant.int 1
  %zero = torch.constant.int 0
  %before = torch.constant.int -32
  %more = torch.constant.int 32
  %none = torch.constant.none
  %n = torch.aten.size.int %x, %zero : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %end = torch.aten.add.int %n, %more : !torch.int, !torch.int -> !torch.int
  %last = torch.aten.sub.int %n, %one : !torch.int, !torch.int -> !torch.int
  %i = torch.aten.arange.start_step %before, %end, %one, %none, %none, %none, %none : !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],si64>
  %from_first = torch.aten.abs %i : !torch.vtensor<[?],si64> -> !torch.vtensor<[?],si64>
  %from_last = torch.aten.rsub.Scalar %from_first, %last, %one : !torch.vtensor<[?],si64>, !torch.int, !torch.int -> !torch.vtensor<[?],si64>
  %back = torch.aten.abs %from_last : !torch.vtensor<[?],si64> -> !torch.vtensor<[?],si64>
  %place = torch.aten.rsub.Scalar %back, %last, %one : !torch.vtensor<[?],si64>, !torch.int, !torch.int -> !torch.vtensor<[?],si64>
  %places = torch.prim.ListConstruct %place : (!torch.vtensor<[?],si64>) -> !torch.list<optional<vtensor>>
  // expect: approximated what %place holds
  // expect: shape [x[0] + 64]
  %r = torch.aten.index.Tensor %x, %places : !torch.vtensor<[?],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// assume: x[0] >= 9
func.func @mirrored_too_far(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %one = torch.constant.int 1
  %zero = torch.constant.int 0
  %before = torch.constant.int -32
  %more = torch.constant.int 32
  %none = torch.constant.none
  %n = torch.aten.size.int %x, %zero : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %end = torch.aten.add.int %n, %more : !torch.int, !torch.int -> !torch.int
  %last = torch.aten.sub.int %n, %one : !torch.int, !torch.int -> !torch.int
  %i = torch.aten.arange.start_step %before, %end, %one, %none, %none, %none, %none : !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],si64>
  %from_first = torch.aten.abs %i : !torch.vtensor<[?],si64> -> !torch.vtensor<[?],si64>
  %from_last = torch.aten.rsub.Scalar %from_first, %last, %one : !torch.vtensor<[?],si64>, !torch.int, !torch.int -> !torch.vtensor<[?],si64>
  %back = torch.aten.abs %from_last : !torch.vtensor<[?],si64> -> !torch.vtensor<[?],si64>
  %place = torch.aten.rsub.Scalar %back, %last, %one : !torch.vtensor<[?],si64>, !torch.int, !torch.int -> !torch.vtensor<[?],si64>
  %places = torch.prim.ListConstruct %place : (!torch.vtensor<[?],si64>) -> !torch.list<optional<vtensor>>
  // expect: undecided C9
  // expect: approximated what %place holds
  // expect: shape [x[0] + 64]
  %r = torch.aten.index.Tensor %x, %places : !torch.vtensor<[?],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// Places that an operator gives are never negative, so that those from the end are not meant.
func.func @places_from_the_end(%x: !torch.vtensor<[?,?],f32>) {
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %zero = torch.constant.int 0
  %yes = torch.constant.bool true
  %no = torch.constant.bool false
  %m = torch.aten.size.int %x, %one : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
  %half = torch.aten.floordiv.int %m, %two : !torch.int, !torch.int -> !torch.int
  %v, %i = torch.aten.topk %x, %half, %one, %yes, %yes : !torch.vtensor<[?,?],f32>, !torch.int, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],si64>
  %later = torch.aten.add.Scalar %i, %m, %one : !torch.vtensor<[?,?],si64>, !torch.int, !torch.int -> !torch.vtensor<[?,?],si64>
  %from_end = torch.aten.lt.Scalar %i, %zero : !torch.vtensor<[?,?],si64>, !torch.int -> !torch.vtensor<[?,?],i1>
  %place = torch.aten.where.self %from_end, %later, %i : !torch.vtensor<[?,?],i1>, !torch.vtensor<[?,?],si64>, !torch.vtensor<[?,?],si64> -> !torch.vtensor<[?,?],si64>
  // expect: proved
  // expect: approximated in %place
  %0 = torch.aten.gather %x, %one, %place, %no : !torch.vtensor<[?,?],f32>, !torch.int, !torch.vtensor<[?,?],si64>, !torch.bool -> !torch.vtensor<[?,?],f32>
  %not_first = torch.aten.gt.Scalar %i, %zero : !torch.vtensor<[?,?],si64>, !torch.int -> !torch.vtensor<[?,?],i1>
  %other = torch.aten.where.self %not_first, %later, %i : !torch.vtensor<[?,?],i1>, !torch.vtensor<[?,?],si64>, !torch.vtensor<[?,?],si64> -> !torch.vtensor<[?,?],si64>
  // expect: undecided C9
  // expect: approximated in %other
  %1 = torch.aten.gather %x, %one, %other, %no : !torch.vtensor<[?,?],f32>, !torch.int, !torch.vtensor<[?,?],si64>, !torch.bool -> !torch.vtensor<[?,?],f32>
  return
}

// What is looked up in a table of kinds is a kind, as language models have it for the kinds of their tokens.
func.func @kinds_of_places(%ids: !torch.vtensor<[?],si64>, %names: !torch.vtensor<[2,8],f32>) {
  %zero = torch.constant.int 0
  %minus = torch.constant.int -1
  %no = torch.constant.bool false
  %kinds = torch.vtensor.literal(dense<[0, 1, 1, 0]> : tensor<4xsi64>) : !torch.vtensor<[4],si64>
  %some = torch.vtensor.literal(dense<[3, 0]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %a = torch.aten.gather %kinds, %zero, %some, %no : !torch.vtensor<[4],si64>, !torch.int, !torch.vtensor<[2],si64>, !torch.bool -> !torch.vtensor<[2],si64>
  // expect: proved
  // expect: approximated what %a holds is not followed
  %0 = torch.aten.embedding %names, %a, %minus, %no, %no : !torch.vtensor<[2,8],f32>, !torch.vtensor<[2],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[2,8],f32>
  %b = torch.aten.index_select %kinds, %zero, %some : !torch.vtensor<[4],si64>, !torch.int, !torch.vtensor<[2],si64> -> !torch.vtensor<[2],si64>
  // expect: proved
  // expect: approximated what %b holds is not followed
  %1 = torch.aten.embedding %names, %b, %minus, %no, %no : !torch.vtensor<[2,8],f32>, !torch.vtensor<[2],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[2,8],f32>
  %l = torch.prim.ListConstruct %some : (!torch.vtensor<[2],si64>) -> !torch.list<optional<vtensor>>
  %c = torch.aten.index.Tensor %kinds, %l : !torch.vtensor<[4],si64>, !torch.list<optional<vtensor>> -> !torch.vtensor<[2],si64>
  // expect: proved
  // expect: approximated what %c holds is not followed
  %2 = torch.aten.embedding %names, %c, %minus, %no, %no : !torch.vtensor<[2,8],f32>, !torch.vtensor<[2],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[2,8],f32>
  // An element of one is also a place in a table of 2 only where the table of kinds says no more than 1.
  %far = torch.vtensor.literal(dense<[0, 1, 2, 0]> : tensor<4xsi64>) : !torch.vtensor<[4],si64>
  %d = torch.aten.gather %far, %zero, %some, %no : !torch.vtensor<[4],si64>, !torch.int, !torch.vtensor<[2],si64>, !torch.bool -> !torch.vtensor<[2],si64>
  // expect: undecided C9
  // expect: approximated what %d holds is not followed
  %3 = torch.aten.embedding %names, %d, %minus, %no, %no : !torch.vtensor<[2,8],f32>, !torch.vtensor<[2],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[2,8],f32>
  return
}

func.func @repeated_places(%x: !torch.vtensor<[3],f32>, %r: !torch.vtensor<[?],si64>, %size: !torch.int) {
  %none = torch.constant.none
  %0 = torch.constant.int 0
  %two = torch.vtensor.literal(dense<[2, 0, 1]> : tensor<3xsi64>) : !torch.vtensor<[3],si64>
  // expect: proved C9
  // expect: shape [3]
  %a = torch.aten.repeat_interleave.Tensor %two, %none : !torch.vtensor<[3],si64>, !torch.none -> !torch.vtensor<[?],si64>
  // expect: refuted C2 with size = 0
  %b = torch.aten.repeat_interleave.Tensor %two, %size : !torch.vtensor<[3],si64>, !torch.int -> !torch.vtensor<[?],si64>
  // expect: proved C9
  // expect: approximated what %a holds
  %c = torch.aten.index_select %x, %0, %a : !torch.vtensor<[3],f32>, !torch.int, !torch.vtensor<[?],si64> -> !torch.vtensor<[?],f32>
  // expect: undecided C9
  // expect: approximated depends on the data of %r
  %d = torch.aten.repeat_interleave.Tensor %r, %none : !torch.vtensor<[?],si64>, !torch.none -> !torch.vtensor<[?],si64>
  return
}

func.func @repeated_matrix(%m: !torch.vtensor<[3,1],si64>) {
  %none = torch.constant.none
  // expect: refuted C1
  %e = torch.aten.repeat_interleave.Tensor %m, %none : !torch.vtensor<[3,1],si64>, !torch.none -> !torch.vtensor<[?],si64>
  return
}

func.func @repeated_less_than_never() {
  %none = torch.constant.none
  %two = torch.vtensor.literal(dense<[2, -1]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  // expect: refuted C9
  %a = torch.aten.repeat_interleave.Tensor %two, %none : !torch.vtensor<[2],si64>, !torch.none -> !torch.vtensor<[?],si64>
  return
}

func.func @as_many_as_asked_for(%a: !torch.vtensor<[?,?,3],f32>, %n: !torch.int) {
  %five = torch.constant.int 5
  %fill = torch.constant.int -1
  // expect: proved C1
  // expect: shape [5, 3]
  %0 = torch.aten.nonzero_static %a, %five, %fill : !torch.vtensor<[?,?,3],f32>, !torch.int, !torch.int -> !torch.vtensor<[5,3],si64>
  // expect: refuted C1
  // expect: shape [n, 3]
  %1 = torch.aten.nonzero_static %a, %n, %fill : !torch.vtensor<[?,?,3],f32>, !torch.int, !torch.int -> !torch.vtensor<[?,3],si64>
  return
}

func.func @selected_by_a_mask(%a: !torch.vtensor<[?,3],f32>, %m: !torch.vtensor<[?],i1>) {
  // expect: refuted C1 with m[0] = 2
  // expect: approximated how many elements are selected
  %0 = torch.aten.masked_select %a, %m : !torch.vtensor<[?,3],f32>, !torch.vtensor<[?],i1> -> !torch.vtensor<[?],f32>
  return
}
