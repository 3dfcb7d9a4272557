// f32 holds integers exactly up to 2^24, so that places computed in it are known up to as many elements.
func.func @resized(%x: !torch.vtensor<[?],f32>, %y: !torch.vtensor<[?],f32>) {
  %c0 = torch.constant.int 0
  %n = torch.aten.size.int %x, %c0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %m = torch.aten.size.int %y, %c0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %none = torch.constant.none
  %false = torch.constant.bool false
  %f32 = torch.constant.int 6
  %i64 = torch.constant.int 4
  %c1 = torch.constant.int 1
  %i = torch.aten.arange.start_step %c0, %n, %c1, %none, %none, %none, %false : !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[?],si64>
  %f = torch.prims.convert_element_type %i, %f32 : !torch.vtensor<[?],si64>, !torch.int -> !torch.vtensor<[?],f32>
  %place = torch.prims.convert_element_type %f, %i64 : !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?],si64>
  %list = torch.prim.ListConstruct %place : (!torch.vtensor<[?],si64>) -> !torch.list<optional<vtensor>>
  // expect: undecided C9
  // expect: approximated what %place holds
  %r = torch.aten.index.Tensor %x, %list : !torch.vtensor<[?],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  %half = torch.constant.float 5.000000e-01
  %g = torch.aten.mul.Scalar %f, %half : !torch.vtensor<[?],f32>, !torch.float -> !torch.vtensor<[?],f32>
  %place2 = torch.prims.convert_element_type %g, %i64 : !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?],si64>
  %list2 = torch.prim.ListConstruct %place2 : (!torch.vtensor<[?],si64>) -> !torch.list<optional<vtensor>>
  // expect: undecided C9
  // expect: approximated what %place2 holds
  %r2 = torch.aten.index.Tensor %x, %list2 : !torch.vtensor<[?],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  return
}

// With no more of them nothing is open.
func.func @limited(%x: !torch.vtensor<[?],f32>, %y: !torch.vtensor<[?],f32>) attributes {
    shapesolve.assume = ["x[0] <= 16777216"]} {
  %c0 = torch.constant.int 0
  %n = torch.aten.size.int %x, %c0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %m = torch.aten.size.int %y, %c0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %none = torch.constant.none
  %false = torch.constant.bool false
  %f32 = torch.constant.int 6
  %i64 = torch.constant.int 4
  %c1 = torch.constant.int 1
  %i = torch.aten.arange.start_step %c0, %n, %c1, %none, %none, %none, %false : !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[?],si64>
  %f = torch.prims.convert_element_type %i, %f32 : !torch.vtensor<[?],si64>, !torch.int -> !torch.vtensor<[?],f32>
  %place = torch.prims.convert_element_type %f, %i64 : !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?],si64>
  %list = torch.prim.ListConstruct %place : (!torch.vtensor<[?],si64>) -> !torch.list<optional<vtensor>>
  // expect: proved
  // expect: approximated what %place holds
  %r = torch.aten.index.Tensor %x, %list : !torch.vtensor<[?],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  %half = torch.constant.float 5.000000e-01
  %g = torch.aten.mul.Scalar %f, %half : !torch.vtensor<[?],f32>, !torch.float -> !torch.vtensor<[?],f32>
  %place2 = torch.prims.convert_element_type %g, %i64 : !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?],si64>
  %list2 = torch.prim.ListConstruct %place2 : (!torch.vtensor<[?],si64>) -> !torch.list<optional<vtensor>>
  // expect: proved
  // expect: approximated what %place2 holds
  %r2 = torch.aten.index.Tensor %x, %list2 : !torch.vtensor<[?],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  return
}
