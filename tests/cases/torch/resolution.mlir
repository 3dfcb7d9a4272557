func.func @larger(%a: !torch.vtensor<[?,3,?,?],f32>) {
  %c1 = torch.constant.int 2
  %h = torch.aten.size.int %a, %c1 : !torch.vtensor<[?,3,?,?],f32>, !torch.int -> !torch.int
  %c2 = torch.constant.int 2
  %m = torch.aten.mul.int %h, %c2 : !torch.int, !torch.int -> !torch.int
  %c4 = torch.constant.int 8
  %c3 = torch.prim.ListConstruct %m, %c4 : (!torch.int, !torch.int) -> !torch.list<int>
  %c5 = torch.constant.none
  %c6 = torch.constant.none
  // expect: refuted C2
  // expect: shape [a[0], 3, 2*a[2], 8]
  %0 = torch.aten.upsample_nearest2d %a, %c3, %c5, %c6 : !torch.vtensor<[?,3,?,?],f32>, !torch.list<int>, !torch.none, !torch.none -> !torch.vtensor<[?,3,?,8],f32>
  return
}

func.func @without_channels(%a: !torch.vtensor<[?,?],f32>) {
  %c2 = torch.constant.int 8
  %c3 = torch.constant.int 8
  %c1 = torch.prim.ListConstruct %c2, %c3 : (!torch.int, !torch.int) -> !torch.list<int>
  %c4 = torch.constant.none
  %c5 = torch.constant.none
  // expect: refuted C1
  %0 = torch.aten.upsample_nearest2d %a, %c1, %c4, %c5 : !torch.vtensor<[?,?],f32>, !torch.list<int>, !torch.none, !torch.none -> !torch.vtensor<[?,?],f32>
  return
}

func.func @shuffled(%a: !torch.vtensor<[?,?,4,4],f32>) {
  %c1 = torch.constant.int 2
  // expect: refuted C2 with a[1] = 2
  // expect: shape [a[0], a[1]//4, 8, 8]
  %0 = torch.aten.pixel_shuffle %a, %c1 : !torch.vtensor<[?,?,4,4],f32>, !torch.int -> !torch.vtensor<[?,?,8,8],f32>
  return
}

func.func @no_image(%a: !torch.vtensor<[?,4],f32>) {
  %c1 = torch.constant.int 2
  // expect: refuted C1
  %0 = torch.aten.pixel_shuffle %a, %c1 : !torch.vtensor<[?,4],f32>, !torch.int -> !torch.vtensor<[?,4],f32>
  return
}

// assume: a[2] >= 1 and a[3] >= 2
func.func @by_factors(%a: !torch.vtensor<[?,3,?,?],f32>) {
  %c1 = torch.constant.none
  %c3 = torch.constant.float 2.000000e+00
  %c4 = torch.constant.float 5.000000e-01
  %c2 = torch.prim.ListConstruct %c3, %c4 : (!torch.float, !torch.float) -> !torch.list<float>
  // expect: shape [a[0], 3, 2*a[2], a[3]//2]
  %0 = torch.aten.upsample_nearest2d.vec %a, %c1, %c2 : !torch.vtensor<[?,3,?,?],f32>, !torch.none, !torch.list<float> -> !torch.vtensor<[?,3,?,?],f32>
  return
}

func.func @any_image(%a: !torch.vtensor<[?,3,?],f32>) {
  %none = torch.constant.none
  %no = torch.constant.bool false
  %mode = torch.constant.str "nearest"
  %two = torch.constant.float 2.0
  %factors = torch.prim.ListConstruct %two : (!torch.float) -> !torch.list<float>
  // expect: refuted C2 with a[2] = 0
  // expect: shape [a[0], 3, 2*a[2]]
  %0 = torch.aten.__interpolate.size_list_scale_list %a, %none, %factors, %mode, %none, %none, %no : !torch.vtensor<[?,3,?],f32>, !torch.none, !torch.list<float>, !torch.str, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[?,3,?],f32>
  // expect: refuted C1
  %1 = torch.aten.__interpolate.size_list_scale_list %a, %none, %none, %mode, %none, %none, %no : !torch.vtensor<[?,3,?],f32>, !torch.none, !torch.none, !torch.str, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[?,3,?],f32>
  return
}

func.func @means(%a: !torch.vtensor<[?,?,?],f32>, %n: !torch.int) {
  %mode = torch.constant.str "area"
  %two = torch.constant.int 2
  %none = torch.constant.none
  %no = torch.constant.bool false
  %sizes = torch.prim.ListConstruct %n : (!torch.int) -> !torch.list<int>
  // expect: refuted C2 with a[2] = 0
  // expect: refuted C3 with n = -1
  // expect: shape [a[0], a[1], n]
  %0 = torch.aten.__interpolate.size_list_scale_list %a, %sizes, %none, %mode, %none, %none, %no : !torch.vtensor<[?,?,?],f32>, !torch.list<int>, !torch.none, !torch.str, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[?,?,?],f32>
  return
}

func.func @no_such_image(%a: !torch.vtensor<[?,3,?],f32>) {
  %mode = torch.constant.str "bilinear"
  %two = torch.constant.int 2
  %none = torch.constant.none
  %no = torch.constant.bool false
  %sizes = torch.prim.ListConstruct %two : (!torch.int) -> !torch.list<int>
  // expect: refuted C1
  %0 = torch.aten.__interpolate.size_list_scale_list %a, %sizes, %none, %mode, %none, %none, %no : !torch.vtensor<[?,3,?],f32>, !torch.list<int>, !torch.none, !torch.str, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[?,3,?],f32>
  return
}

func.func @nothing_between(%a: !torch.vtensor<[?,3,?],f32>) {
  %plain = torch.constant.str "nearest"
  %two = torch.constant.int 2
  %none = torch.constant.none
  %no = torch.constant.bool false
  %sizes = torch.prim.ListConstruct %two : (!torch.int) -> !torch.list<int>
  // expect: refuted C4
  %1 = torch.aten.__interpolate.size_list_scale_list %a, %sizes, %none, %plain, %no, %none, %no : !torch.vtensor<[?,3,?],f32>, !torch.list<int>, !torch.none, !torch.str, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[?,3,?],f32>
  return
}

func.func @looked_up(%a: !torch.vtensor<[?,?,?,4],f32>, %g: !torch.vtensor<[?,?,5,?],f32>, %h: !torch.vtensor<[?,?,2],f32>) {
  %zero = torch.constant.int 0
  %no = torch.constant.bool false
  // expect: refuted C2
  // expect: refuted C3 with g[3] = 3
  // expect: refuted C4 with a[2] = 0
  // expect: shape [a[0], a[1], g[1], 5]
  %0 = torch.aten.grid_sampler %a, %g, %zero, %zero, %no : !torch.vtensor<[?,?,?,4],f32>, !torch.vtensor<[?,?,5,?],f32>, !torch.int, !torch.int, !torch.bool -> !torch.vtensor<[?,?,?,5],f32>
  // expect: refuted C1
  %1 = torch.aten.grid_sampler %a, %h, %zero, %zero, %no : !torch.vtensor<[?,?,?,4],f32>, !torch.vtensor<[?,?,2],f32>, !torch.int, !torch.int, !torch.bool -> !torch.vtensor<[?,?,?,5],f32>
  return
}

// What torch-mlir writes for ONNX: which places are meant follows the way, and nothing is said of corners.
func.func @places_of_onnx(%a: !torch.vtensor<[?,3,?,?],f32>) {
  %none = torch.constant.none
  %no = torch.constant.bool false
  %two = torch.constant.float 2.000000e+00
  %factors = torch.prim.ListConstruct %two, %two : (!torch.float, !torch.float) -> !torch.list<float>
  %nearest = torch.constant.str "nearest_half_pixel,round_prefer_floor"
  // expect: refuted C2 with a[2] = 0, a[3] = 2
  // expect: shape [a[0], 3, 2*a[2], 2*a[3]]
  %0 = torch.aten.__interpolate.size_list_scale_list %a, %none, %factors, %nearest, %no, %none, %no : !torch.vtensor<[?,3,?,?],f32>, !torch.none, !torch.list<float>, !torch.str, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[?,3,?,?],f32>
  %linear = torch.constant.str "bilinear_pytorch_half_pixel"
  // expect: shape [a[0], 3, 2*a[2], 2*a[3]]
  %1 = torch.aten.__interpolate.size_list_scale_list %a, %none, %factors, %linear, %no, %none, %no : !torch.vtensor<[?,3,?,?],f32>, !torch.none, !torch.list<float>, !torch.str, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[?,3,?,?],f32>
  %cubic = torch.constant.str "cubic"
  // expect: shape [a[0], 3, 2*a[2], 2*a[3]]
  %2 = torch.aten.__interpolate.size_list_scale_list %a, %none, %factors, %cubic, %no, %none, %no : !torch.vtensor<[?,3,?,?],f32>, !torch.none, !torch.list<float>, !torch.str, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[?,3,?,?],f32>
  return
}
