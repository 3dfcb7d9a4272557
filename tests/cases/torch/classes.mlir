func.func @likelihoods(%a: !torch.vtensor<[?,?],f32>, %w: !torch.vtensor<[?],f32>) {
  %t = torch.vtensor.literal(dense<[1, 4]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %mean = torch.constant.int 1
  %each = torch.constant.int 0
  %out = torch.constant.int 4
  %none = torch.constant.none
  // expect: refuted C2
  // expect: refuted C3
  // expect: refuted C9
  // expect: shape []
  %0:2 = torch.aten.nll_loss_forward %a, %t, %w, %mean, %out : !torch.vtensor<[?,?],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[?],f32>, !torch.int, !torch.int -> !torch.vtensor<[],f32>, !torch.vtensor<[],f32>
  // expect: shape [2]
  %1:2 = torch.aten.nll_loss_forward %a, %t, %none, %each, %out : !torch.vtensor<[?,?],f32>, !torch.vtensor<[2],si64>, !torch.none, !torch.int, !torch.int -> !torch.vtensor<[2],f32>, !torch.vtensor<[],f32>
  // expect: refuted C1
  %2:2 = torch.aten.nll_loss2d_forward %a, %t, %none, %each, %out : !torch.vtensor<[?,?],f32>, !torch.vtensor<[2],si64>, !torch.none, !torch.int, !torch.int -> !torch.vtensor<[?,?,?],f32>, !torch.vtensor<[],f32>
  return
}

func.func @of_integers(%a: !torch.vtensor<[?,10,?],f32>, %t: !torch.vtensor<[?,?],si64>, %w: !torch.vtensor<[?],f32>) {
  %each = torch.constant.int 0
  %out = torch.constant.int -100
  %some = torch.constant.float 0.5
  %none = torch.constant.none
  // expect: refuted C2
  // expect: refuted C3
  // expect: undecided C9 because not modeled
  // expect: approximated depends on the data of %t
  // expect: shape [a[0], a[2]]
  %0 = torch.aten.cross_entropy_loss %a, %t, %w, %each, %out, %some : !torch.vtensor<[?,10,?],f32>, !torch.vtensor<[?,?],si64>, !torch.vtensor<[?],f32>, !torch.int, !torch.int, !torch.float -> !torch.vtensor<[?,?],f32>
  return
}

func.func @too_much_is_spread(%a: !torch.vtensor<[?,10,?],f32>) {
  %each = torch.constant.int 0
  %out = torch.constant.int -100
  %much = torch.constant.float 2.0
  %none = torch.constant.none
  // expect: refuted C4
  %1 = torch.aten.cross_entropy_loss %a, %a, %none, %each, %out, %much : !torch.vtensor<[?,10,?],f32>, !torch.vtensor<[?,10,?],f32>, !torch.none, !torch.int, !torch.int, !torch.float -> !torch.vtensor<[?,?],f32>
  return
}

func.func @of_a_scalar(%s: !torch.vtensor<[],f32>) {
  %each = torch.constant.int 0
  %some = torch.constant.float 0.5
  %none = torch.constant.none
  // expect: refuted C1
  %0 = torch.aten.cross_entropy_loss %s, %s, %none, %each, %each, %some : !torch.vtensor<[],f32>, !torch.vtensor<[],f32>, !torch.none, !torch.int, !torch.int, !torch.float -> !torch.vtensor<[],f32>
  return
}

func.func @of_floats(%a: !torch.vtensor<[?,10],f32>, %b: !torch.vtensor<[?,10],f32>) {
  %each = torch.constant.int 0
  %some = torch.constant.float 0.5
  %none = torch.constant.none
  // expect: unreachable C4
  // expect: refuted C5
  // expect: refuted C2 with a[0] = 2, b[0] = 3
  %0 = torch.aten.cross_entropy_loss %a, %b, %none, %each, %each, %some : !torch.vtensor<[?,10],f32>, !torch.vtensor<[?,10],f32>, !torch.none, !torch.int, !torch.int, !torch.float -> !torch.vtensor<[?],f32>
  return
}

func.func @no_such_class(%a: !torch.vtensor<[2,?],f32>) {
  %t = torch.vtensor.literal(dense<[1, 4]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %each = torch.constant.int 0
  %out = torch.constant.int -100
  %some = torch.constant.float 0.5
  %none = torch.constant.none
  // expect: refuted C9
  // expect: shape [2]
  %0 = torch.aten.cross_entropy_loss %a, %t, %none, %each, %out, %some : !torch.vtensor<[2,?],f32>, !torch.vtensor<[2],si64>, !torch.none, !torch.int, !torch.int, !torch.float -> !torch.vtensor<[2],f32>
  return
}
