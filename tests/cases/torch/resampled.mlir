// The corners of an image of x[0]//2 rows are those of one of twice as many: row i is looked up at i * (h - 1) / (n - 1),
// which is rounded, and rounded down. With one row there is nothing to be divided.
// assume: x[0] >= 4 and x[0] <= 100000 and y[0] == x[0]//2
func.func @corners_of_halves(%x: !torch.vtensor<[?],f32>, %y: !torch.vtensor<[?],f32>) {
  %none = torch.constant.none
  %no = torch.constant.bool false
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %four = torch.constant.int 4
  %six = torch.constant.int 6
  %unit = torch.constant.float 1.0
  %size = torch.aten.size.int %x, %zero : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %half = torch.aten.floordiv.int %size, %two : !torch.int, !torch.int -> !torch.int
  %n = torch.aten.mul.int %half, %two : !torch.int, !torch.int -> !torch.int
  %h_as_float = torch.aten.Float.Scalar %half : !torch.int -> !torch.float
  %h_less = torch.aten.sub.float %h_as_float, %unit : !torch.float, !torch.float -> !torch.float
  %n_as_float = torch.aten.Float.Scalar %n : !torch.int -> !torch.float
  %n_less = torch.aten.sub.float %n_as_float, %unit : !torch.float, !torch.float -> !torch.float
  %scale = torch.aten.div.float %h_less, %n_less : !torch.float, !torch.float -> !torch.float
  %rows = torch.aten.arange.start_step %zero, %n, %one, %none, %none, %none, %no : !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[?],si64>
  %floats = torch.prims.convert_element_type %rows, %six : !torch.vtensor<[?],si64>, !torch.int -> !torch.vtensor<[?],f32>
  %scaled = torch.aten.mul.Scalar %floats, %scale : !torch.vtensor<[?],f32>, !torch.float -> !torch.vtensor<[?],f32>
  %places = torch.prims.convert_element_type %scaled, %four : !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?],si64>
  // expect: proved C9
  // expect: approximated what %places holds is not followed
  // expect: shape [x[0] - x[0] % 2]
  %looked_up = torch.aten.index_select %y, %zero, %places : !torch.vtensor<[?],f32>, !torch.int, !torch.vtensor<[?],si64> -> !torch.vtensor<[?],f32>
  return
}
