func.func @one_element(%a: !torch.vtensor<[?],si64>, %x: !torch.vtensor<[3,?],f32>) {
  // expect: refuted C1
  // expect: approximated depends on the data of %a
  %0 = torch.aten.Int.Tensor %a : !torch.vtensor<[?],si64> -> !torch.int
  return
}

func.func @no_dimensions(%a: !torch.vtensor<[1],si64>, %b: !torch.vtensor<[],si64>) {
  // expect: proved C1
  %1 = torch.aten.IntImplicit %b : !torch.vtensor<[],si64> -> !torch.int
  // expect: refuted C1
  %0 = torch.aten.IntImplicit %a : !torch.vtensor<[1],si64> -> !torch.int
  return
}

func.func @numbers(%x: !torch.vtensor<[3,?],f32>) {
  %c1 = torch.constant.int 1
  %n = torch.aten.size.int %x, %c1 : !torch.vtensor<[3,?],f32>, !torch.int -> !torch.int
  // expect: shape []
  %t = torch.prim.NumToTensor.Scalar %n : !torch.int -> !torch.vtensor<[],si64>
  // expect: value x[1]
  %0 = torch.aten.item %t : !torch.vtensor<[],si64> -> !torch.int
  // expect: shape [2]
  %1 = torch.aten._shape_as_tensor %x : !torch.vtensor<[3,?],f32> -> !torch.vtensor<[2],si64>
  %c3 = torch.constant.int 3
  %c2 = torch.prim.ListConstruct %c3, %n : (!torch.int, !torch.int) -> !torch.list<int>
  %c4 = torch.constant.none
  %c5 = torch.constant.none
  %c6 = torch.constant.none
  %c7 = torch.constant.none
  torch.aten._assert_tensor_metadata %x, %c2, %c4, %c5, %c6, %c7 : !torch.vtensor<[3,?],f32>, !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none
  %c9 = torch.constant.int 3
  %c10 = torch.constant.int 4
  %c8 = torch.prim.ListConstruct %c9, %c10 : (!torch.int, !torch.int) -> !torch.list<int>
  %c11 = torch.constant.none
  %c12 = torch.constant.none
  %c13 = torch.constant.none
  %c14 = torch.constant.none
  // expect: refuted C1
  torch.aten._assert_tensor_metadata %x, %c8, %c11, %c12, %c13, %c14 : !torch.vtensor<[3,?],f32>, !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none
  return
}

func.func @stated_strides(%a: !torch.vtensor<[?],f32>) {
  %none = torch.constant.none
  %two = torch.constant.int 2
  %strides = torch.prim.ListConstruct %two : (!torch.int) -> !torch.list<int>
  // expect: approximated strides are not followed
  torch.aten._assert_tensor_metadata %a, %none, %strides, %none, %none, %none : !torch.vtensor<[?],f32>, !torch.none, !torch.list<int>, !torch.none, !torch.none, !torch.none
  return
}

func.func @first_of_none(%a: !torch.vtensor<[?],si64>) {
  // expect: refuted C1 with a[0] = 0
  // expect: approximated depends on the data of %a
  %0 = torch.operator "torch.aten._local_scalar_dense"(%a) : (!torch.vtensor<[?],si64>) -> !torch.int
  return
}

func.func @tensors_of_lists(%x: !torch.vtensor<[?,?],f32>, %y: !torch.vtensor<[?],f32>) {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %half = torch.constant.float 5.000000e-01
  %no = torch.constant.bool false
  %none = torch.constant.none
  %n = torch.aten.size.int %x, %zero : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
  %m = torch.aten.size.int %x, %one : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
  %sizes = torch.prim.ListConstruct %n, %m : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: shape [2]
  %0 = torch.aten.tensor %sizes, %none, %none, %no : !torch.list<int>, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[2],si64>
  %last = torch.aten.select.int %0, %zero, %one : !torch.vtensor<[2],si64>, !torch.int, !torch.int -> !torch.vtensor<[],si64>
  // expect: value x[1]
  %1 = torch.aten.Int.Tensor %last : !torch.vtensor<[],si64> -> !torch.int
  %nested = torch.prim.ListConstruct %sizes, %sizes, %sizes : (!torch.list<int>, !torch.list<int>, !torch.list<int>) -> !torch.list<list<int>>
  // expect: shape [3, 2]
  %2 = torch.aten.tensor %nested, %none, %none, %no : !torch.list<list<int>>, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[3,2],si64>
  %floats = torch.prim.ListConstruct %half : (!torch.float) -> !torch.list<float>
  // expect: shape [1]
  %3 = torch.aten.tensor %floats, %none, %none, %no : !torch.list<float>, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[1],f32>
  %empty = torch.prim.ListConstruct : () -> !torch.list<int>
  // expect: shape [0]
  %4 = torch.aten.tensor %empty, %none, %none, %no : !torch.list<int>, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[0],si64>
  return
}

func.func @tensor_of_uneven_lists(%n: !torch.int) {
  %no = torch.constant.bool false
  %none = torch.constant.none
  %two = torch.prim.ListConstruct %n, %n : (!torch.int, !torch.int) -> !torch.list<int>
  %one = torch.prim.ListConstruct %n : (!torch.int) -> !torch.list<int>
  %nested = torch.prim.ListConstruct %two, %one : (!torch.list<int>, !torch.list<int>) -> !torch.list<list<int>>
  // expect: refuted C1
  %0 = torch.aten.tensor %nested, %none, %none, %no : !torch.list<list<int>>, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[2,?],si64>
  return
}

// The types of the elements say what a number taken out of them can be.
func.func @ranges_of_types(%narrow: !torch.vtensor<[?],si16>) {
  %low = torch.constant.int -32768
  // expect: refuted C1 with narrow[0] = 0
  // expect: approximated depends on the data of %narrow
  %1 = torch.operator "torch.aten._local_scalar_dense"(%narrow) : (!torch.vtensor<[?],si16>) -> !torch.int
  %enough = torch.aten.ge.int %1, %low : !torch.int, !torch.int -> !torch.bool
  // expect: proved C1
  torch.runtime.assert %enough, "from the lowest on"
  %most = torch.constant.int 32766
  %less = torch.aten.le.int %1, %most : !torch.int, !torch.int -> !torch.bool
  // expect: undecided C1
  torch.runtime.assert %less, "one less than the largest"
  return
}
