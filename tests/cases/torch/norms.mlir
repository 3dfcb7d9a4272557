func.func @layers(%a: !torch.vtensor<[?,?,8],f32>, %w: !torch.vtensor<[8],f32>) {
  %c2 = torch.constant.int 8
  %c1 = torch.prim.ListConstruct %c2 : (!torch.int) -> !torch.list<int>
  %c3 = torch.constant.none
  %c4 = torch.constant.float 1.000000e-05
  // expect: shape [a[0], a[1], 8]
  %0:3 = torch.aten.native_layer_norm %a, %c1, %w, %c3, %c4 : !torch.vtensor<[?,?,8],f32>, !torch.list<int>, !torch.vtensor<[8],f32>, !torch.none, !torch.float -> !torch.vtensor<[?,?,8],f32>, !torch.vtensor<[?,?,1],f32>, !torch.vtensor<[?,?,1],f32>
  %c6 = torch.constant.int 8
  %c5 = torch.prim.ListConstruct %c6 : (!torch.int) -> !torch.list<int>
  %c7 = torch.constant.float 1.000000e-05
  %c8 = torch.constant.bool false
  // expect: shape [a[0], a[1], 8]
  %1 = torch.aten.layer_norm %a, %c5, %w, %w, %c7, %c8 : !torch.vtensor<[?,?,8],f32>, !torch.list<int>, !torch.vtensor<[8],f32>, !torch.vtensor<[8],f32>, !torch.float, !torch.bool -> !torch.vtensor<[?,?,8],f32>
  return
}

func.func @other_layers(%a: !torch.vtensor<[?,?],f32>, %w: !torch.vtensor<[?],f32>) {
  %c2 = torch.constant.int 8
  %c1 = torch.prim.ListConstruct %c2 : (!torch.int) -> !torch.list<int>
  %c3 = torch.constant.none
  %c4 = torch.constant.float 1.000000e-05
  %c5 = torch.constant.bool false
  // expect: refuted C1
  // expect: refuted C2
  %0 = torch.aten.layer_norm %a, %c1, %w, %c3, %c4, %c5 : !torch.vtensor<[?,?],f32>, !torch.list<int>, !torch.vtensor<[?],f32>, !torch.none, !torch.float, !torch.bool -> !torch.vtensor<[?,?],f32>
  return
}

func.func @groups(%a: !torch.vtensor<[?,?,5],f32>, %w: !torch.vtensor<[?],f32>) {
  %c1 = torch.constant.int 4
  %c2 = torch.constant.none
  %c3 = torch.constant.float 1.000000e-05
  %c4 = torch.constant.bool false
  // expect: refuted C1
  // expect: refuted C2
  // expect: refuted C3
  // expect: shape [a[0], a[1], 5]
  %0 = torch.aten.group_norm %a, %c1, %w, %c2, %c3, %c4 : !torch.vtensor<[?,?,5],f32>, !torch.int, !torch.vtensor<[?],f32>, !torch.none, !torch.float, !torch.bool -> !torch.vtensor<[?,?,5],f32>
  return
}

func.func @counted_groups(%a: !torch.vtensor<[?,6,5],f32>, %w: !torch.vtensor<[?],f32>) {
  %c1 = torch.constant.int 0
  %n = torch.aten.size.int %a, %c1 : !torch.vtensor<[?,6,5],f32>, !torch.int -> !torch.int
  %c2 = torch.constant.none
  %c3 = torch.constant.int 6
  %c4 = torch.constant.int 5
  %c5 = torch.constant.int 3
  %c6 = torch.constant.float 1.000000e-05
  // expect: refuted C2
  // expect: shape [a[0], 6, 5]
  %0:3 = torch.aten.native_group_norm %a, %w, %c2, %n, %c3, %c4, %c5, %c6 : !torch.vtensor<[?,6,5],f32>, !torch.vtensor<[?],f32>, !torch.none, !torch.int, !torch.int, !torch.int, !torch.int, !torch.float -> !torch.vtensor<[?,6,5],f32>, !torch.vtensor<[?,3],f32>, !torch.vtensor<[?,3],f32>
  return
}

func.func @other_counts(%a: !torch.vtensor<[?,6,5],f32>) {
  %c1 = torch.constant.none
  %c2 = torch.constant.none
  %c3 = torch.constant.int 2
  %c4 = torch.constant.int 6
  %c5 = torch.constant.int 5
  %c6 = torch.constant.int 3
  %c7 = torch.constant.float 1.000000e-05
  // expect: refuted C1 with a[0] = 3
  %0:3 = torch.aten.native_group_norm %a, %c1, %c2, %c3, %c4, %c5, %c6, %c7 : !torch.vtensor<[?,6,5],f32>, !torch.none, !torch.none, !torch.int, !torch.int, !torch.int, !torch.int, !torch.float -> !torch.vtensor<[?,6,5],f32>, !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>
  return
}

func.func @no_batch(%a: !torch.vtensor<[?,6,5],f32>) {
  %c1 = torch.constant.none
  %c2 = torch.constant.none
  %c3 = torch.constant.int 0
  %c4 = torch.constant.int 6
  %c5 = torch.constant.int 5
  %c6 = torch.constant.int 3
  %c7 = torch.constant.float 1.000000e-05
  // expect: refuted C1 with a[0] = 2
  %0:3 = torch.aten.native_group_norm %a, %c1, %c2, %c3, %c4, %c5, %c6, %c7 : !torch.vtensor<[?,6,5],f32>, !torch.none, !torch.none, !torch.int, !torch.int, !torch.int, !torch.int, !torch.float -> !torch.vtensor<[?,6,5],f32>, !torch.vtensor<[0,3],f32>, !torch.vtensor<[0,3],f32>
  return
}

func.func @batches(%a: !torch.vtensor<[?,?,4],f32>, %w: !torch.vtensor<[3],f32>) {
  %c1 = torch.constant.bool false
  %c2 = torch.constant.float 1.000000e-01
  %c3 = torch.constant.float 1.000000e-05
  %c4 = torch.constant.bool false
  // expect: refuted C2
  // expect: shape [a[0], a[1], 4]
  %0 = torch.aten.batch_norm %a, %w, %w, %w, %w, %c1, %c2, %c3, %c4 : !torch.vtensor<[?,?,4],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.vtensor<[?,?,4],f32>
  return
}

func.func @no_channels(%a: !torch.vtensor<[?],f32>) {
  %c1 = torch.constant.none
  %c2 = torch.constant.none
  %c3 = torch.constant.none
  %c4 = torch.constant.none
  %c5 = torch.constant.bool true
  %c6 = torch.constant.float 1.000000e-01
  %c7 = torch.constant.float 1.000000e-05
  %c8 = torch.constant.bool false
  // expect: refuted C1
  %0 = torch.aten.batch_norm %a, %c1, %c2, %c3, %c4, %c5, %c6, %c7, %c8 : !torch.vtensor<[?],f32>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.vtensor<[?],f32>
  return
}

func.func @of_nothing(%a: !torch.vtensor<[2,6,?],f32>) {
  %c0 = torch.constant.none
  %c1 = torch.constant.int 2
  %c2 = torch.constant.int 6
  %c3 = torch.constant.int 3
  %c4 = torch.constant.float 1.000000e-05
  %n = torch.aten.size.int %a, %c1 : !torch.vtensor<[2,6,?],f32>, !torch.int -> !torch.int
  // expect: proved C1
  // expect: refuted C3 with a[2] = 0
  %0:3 = torch.aten.native_group_norm %a, %c0, %c0, %c1, %c2, %n, %c3, %c4 : !torch.vtensor<[2,6,?],f32>, !torch.none, !torch.none, !torch.int, !torch.int, !torch.int, !torch.int, !torch.float -> !torch.vtensor<[2,6,?],f32>, !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>
  return
}

func.func @decomposed(%a: !torch.vtensor<[?,3,?],f32>, %w: !torch.vtensor<[?],f32>, %m: !torch.vtensor<[3],f32>) {
  %f = torch.constant.float 1.000000e-01
  %yes = torch.constant.bool true
  %none = torch.constant.none
  // expect: refuted C2 with w[0] = 2
  // expect: shape [a[0], 3, a[2]]
  %0:3 = torch.operator "torch.aten._native_batch_norm_legit_no_training"(%a, %w, %none, %m, %m, %f, %f) : (!torch.vtensor<[?,3,?],f32>, !torch.vtensor<[?],f32>, !torch.none, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.float, !torch.float) -> (!torch.vtensor<[?,3,?],f32>, !torch.vtensor<[0],f32>, !torch.vtensor<[0],f32>)
  return
}

func.func @taken_from_nothing(%a: !torch.vtensor<[?,3],f32>, %m: !torch.vtensor<[3],f32>) {
  %f = torch.constant.float 1.000000e-01
  %yes = torch.constant.bool true
  %none = torch.constant.none
  // expect: refuted C4 with a[0] = 0
  %0:3 = torch.aten.native_batch_norm %a, %none, %none, %m, %m, %yes, %f, %f : !torch.vtensor<[?,3],f32>, !torch.none, !torch.none, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.bool, !torch.float, !torch.float -> !torch.vtensor<[?,3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>
  // expect: refuted C3
  // expect: unreachable C4
  %1:3 = torch.aten.native_batch_norm %a, %none, %none, %m, %none, %yes, %f, %f : !torch.vtensor<[?,3],f32>, !torch.none, !torch.none, !torch.vtensor<[3],f32>, !torch.none, !torch.bool, !torch.float, !torch.float -> !torch.vtensor<[?,3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>
  return
}

func.func @decomposed_vector(%a: !torch.vtensor<[?],f32>, %m: !torch.vtensor<[3],f32>) {
  %f = torch.constant.float 1.000000e-01
  %yes = torch.constant.bool true
  %none = torch.constant.none
  // expect: refuted C1
  %0:3 = torch.aten.native_batch_norm %a, %none, %none, %m, %m, %yes, %f, %f : !torch.vtensor<[?],f32>, !torch.none, !torch.none, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.bool, !torch.float, !torch.float -> !torch.vtensor<[?],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>
  return
}
