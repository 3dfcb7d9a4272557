// Numbers that say nothing of sizes, and operands that are left out: what PyTorch demands of them holds at any sizes.

func.func @clamped_by_nothing(%a: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %none = torch.constant.none
  // expect: refuted C2
  %0 = torch.aten.clamp %a, %none, %none : !torch.vtensor<[?],f32>, !torch.none, !torch.none -> !torch.vtensor<[?],f32>
  return %0 : !torch.vtensor<[?],f32>
}

func.func @tolerances(%a: !torch.vtensor<[?],f32>, %b: !torch.vtensor<[1],f32>) {
  %less = torch.constant.float -1.0
  %more = torch.constant.float 1.0
  %no = torch.constant.bool false
  // expect: proved C1
  // expect: proved C2
  %0 = torch.aten.isclose %a, %b, %more, %more, %no : !torch.vtensor<[?],f32>, !torch.vtensor<[1],f32>, !torch.float, !torch.float, !torch.bool -> !torch.vtensor<[?],i1>
  // expect: refuted C2
  %1 = torch.aten.isclose %a, %b, %more, %less, %no : !torch.vtensor<[?],f32>, !torch.vtensor<[1],f32>, !torch.float, !torch.float, !torch.bool -> !torch.vtensor<[?],i1>
  return
}

func.func @drops(%a: !torch.vtensor<[?],f32>) {
  %half = torch.constant.float 5.0e-01
  %more = torch.constant.float 1.5
  %yes = torch.constant.bool true
  %no = torch.constant.bool false
  // expect: proved C1
  %0 = torch.aten.dropout %a, %half, %yes : !torch.vtensor<[?],f32>, !torch.float, !torch.bool -> !torch.vtensor<[?],f32>
  // expect: refuted C1
  %1 = torch.aten.dropout %a, %more, %no : !torch.vtensor<[?],f32>, !torch.float, !torch.bool -> !torch.vtensor<[?],f32>
  %2:2 = torch.aten.native_dropout %a, %more, %no : !torch.vtensor<[?],f32>, !torch.float, !torch.bool -> !torch.vtensor<[?],f32>, !torch.vtensor<[?],i1>
  return
}

func.func @drops_of_elements(%a: !torch.vtensor<[?],f32>) {
  %more = torch.constant.float 1.5
  %yes = torch.constant.bool true
  // expect: refuted C1 with a[0] = 2
  %0:2 = torch.aten.native_dropout %a, %more, %yes : !torch.vtensor<[?],f32>, !torch.float, !torch.bool -> !torch.vtensor<[?],f32>, !torch.vtensor<[?],i1>
  return
}

func.func @random_below_nothing(%n: !torch.int) {
  %none = torch.constant.none
  %two = torch.constant.int 2
  %sizes = torch.prim.ListConstruct %two : (!torch.int) -> !torch.list<int>
  // expect: proved C1
  // expect: refuted C2
  %0 = torch.aten.randint.low %two, %two, %sizes, %none, %none, %none, %none : !torch.int, !torch.int, !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[2],si64>
  return
}

func.func @one_stride_for_two_sizes(%n: !torch.int) {
  %none = torch.constant.none
  %two = torch.constant.int 2
  %sizes = torch.prim.ListConstruct %two, %two : (!torch.int, !torch.int) -> !torch.list<int>
  %strides = torch.prim.ListConstruct %two : (!torch.int) -> !torch.list<int>
  // expect: refuted C3
  %0 = torch.aten.empty_strided %sizes, %strides, %none, %none, %none, %none : !torch.list<int>, !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[2,2],f32>
  return
}

func.func @slopes_of_a_matrix(%a: !torch.vtensor<[?,?],f32>, %b: !torch.vtensor<[1,1],f32>) {
  // expect: refuted C2
  %0 = torch.aten.prelu %a, %b : !torch.vtensor<[?,?],f32>, !torch.vtensor<[1,1],f32> -> !torch.vtensor<[?,?],f32>
  return
}

func.func @no_variance(%a: !torch.vtensor<[?,3],f32>, %m: !torch.vtensor<[3],f32>) {
  %none = torch.constant.none
  %no = torch.constant.bool false
  %yes = torch.constant.bool true
  %f = torch.constant.float 1.000000e-01
  // expect: proved C2
  // expect: refuted C3 with a[0] = 2
  %0 = torch.aten.batch_norm %a, %none, %none, %m, %none, %yes, %f, %f, %no : !torch.vtensor<[?,3],f32>, !torch.none, !torch.none, !torch.vtensor<[3],f32>, !torch.none, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.vtensor<[?,3],f32>
  return
}

func.func @neither_mean_nor_variance(%a: !torch.vtensor<[?,3],f32>) {
  %none = torch.constant.none
  %no = torch.constant.bool false
  %yes = torch.constant.bool true
  %f = torch.constant.float 1.000000e-01
  %0 = torch.aten.batch_norm %a, %none, %none, %none, %none, %yes, %f, %f, %no : !torch.vtensor<[?,3],f32>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.vtensor<[?,3],f32>
  // expect: refuted C3 with a[0] = 2
  %1 = torch.aten.batch_norm %a, %none, %none, %none, %none, %no, %f, %f, %no : !torch.vtensor<[?,3],f32>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.vtensor<[?,3],f32>
  return
}

func.func @divided_by_nothing(%a: !torch.vtensor<[1,1,4,4],f32>) {
  %zero = torch.constant.int 0
  %two = torch.constant.int 2
  %no = torch.constant.bool false
  %window = torch.prim.ListConstruct %two, %two : (!torch.int, !torch.int) -> !torch.list<int>
  %padding = torch.prim.ListConstruct %zero, %zero : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C4
  %0 = torch.aten.avg_pool2d %a, %window, %window, %padding, %no, %no, %zero : !torch.vtensor<[1,1,4,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.int -> !torch.vtensor<[1,1,2,2],f32>
  return
}

func.func @no_such_distance(%a: !torch.vtensor<[?,3],f32>) {
  %none = torch.constant.none
  %less = torch.constant.float -2.0
  // expect: proved C3
  // expect: refuted C4
  %0 = torch.operator "torch.aten.cdist"(%a, %a, %less, %none) : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[?,3],f32>, !torch.float, !torch.none) -> !torch.vtensor<[?,?],f32>
  return
}

func.func @two_masks(%q: !torch.vtensor<[2,4,?,8],f32>, %m: !torch.vtensor<[1,1],f32>) {
  %p = torch.constant.float 0.000000e+00
  %no = torch.constant.bool false
  %yes = torch.constant.bool true
  %none = torch.constant.none
  // expect: refuted C5
  %0 = torch.aten.scaled_dot_product_attention %q, %q, %q, %m, %p, %yes, %none, %no : !torch.vtensor<[2,4,?,8],f32>, !torch.vtensor<[2,4,?,8],f32>, !torch.vtensor<[2,4,?,8],f32>, !torch.vtensor<[1,1],f32>, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[2,4,?,8],f32>
  return
}

func.func @rolled_once_in_two_dimensions(%a: !torch.vtensor<[?,?],f32>) {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %shifts = torch.prim.ListConstruct %one : (!torch.int) -> !torch.list<int>
  %axes = torch.prim.ListConstruct %zero, %one : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: refuted C1
  %0 = torch.aten.roll %a, %shifts, %axes : !torch.vtensor<[?,?],f32>, !torch.list<int>, !torch.list<int> -> !torch.vtensor<[?,?],f32>
  return
}

func.func @repeated_to_a_size(%a: !torch.vtensor<[?],f32>) {
  %zero = torch.constant.int 0
  %two = torch.constant.int 2
  %six = torch.constant.int 6
  // expect: refuted C2 with a[0] = 2
  %0 = torch.aten.repeat_interleave.self_int %a, %two, %zero, %six : !torch.vtensor<[?],f32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?],f32>
  return
}

func.func @unflattened_to_nothing(%a: !torch.vtensor<[1],f32>) {
  %zero = torch.constant.int 0
  %sizes = torch.prim.ListConstruct : () -> !torch.list<int>
  // expect: refuted C3
  %0 = torch.aten.unflatten.int %a, %zero, %sizes : !torch.vtensor<[1],f32>, !torch.int, !torch.list<int> -> !torch.vtensor<[],f32>
  return
}

func.func @the_greatest_of_none(%a: !torch.vtensor<[?,3],f32>) {
  %zero = torch.constant.int 0
  %no = torch.constant.bool false
  %none = torch.constant.none
  %two = torch.constant.float 2.0
  %infinite = torch.constant.float 0x7FF0000000000000
  %rows = torch.prim.ListConstruct %zero : (!torch.int) -> !torch.list<int>
  // expect: shape [3]
  %0 = torch.aten.linalg_vector_norm %a, %two, %rows, %no, %none : !torch.vtensor<[?,3],f32>, !torch.float, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[3],f32>
  // expect: refuted C1 with a[0] = 0
  %1 = torch.aten.linalg_vector_norm %a, %infinite, %rows, %no, %none : !torch.vtensor<[?,3],f32>, !torch.float, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[3],f32>
  return
}

func.func @counted_in_each_row(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?],si64> {
  %one = torch.constant.int 1
  // expect: shape [a[0]]
  %0 = torch.aten.count_nonzero %a, %one : !torch.vtensor<[?,3],f32>, !torch.int -> !torch.vtensor<[?],si64>
  return %0 : !torch.vtensor<[?],si64>
}

// Of an infinite and of a large exponent it is not known which of them there is.
func.func @perhaps_the_greatest(%c: !torch.bool, %a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[3],f32> {
  %exponent = torch.prim.If %c -> (!torch.float) {
    %infinity = torch.constant.float 0x7FF0000000000000
    torch.prim.If.yield %infinity : !torch.float
  } else {
    %large = torch.constant.float 1.000000e+300
    torch.prim.If.yield %large : !torch.float
  }
  %zero = torch.constant.int 0
  %false = torch.constant.bool false
  %along = torch.prim.ListConstruct %zero : (!torch.int) -> !torch.list<int>
  // expect: approximated the number %exponent is not known
  %0 = torch.aten.norm.ScalarOpt_dim %a, %exponent, %along, %false : !torch.vtensor<[?,3],f32>, !torch.float, !torch.list<int>, !torch.bool -> !torch.vtensor<[3],f32>
  return %0 : !torch.vtensor<[3],f32>
}
