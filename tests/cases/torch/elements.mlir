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
