func.func @losses(%a: !torch.vtensor<[?,3],f32>, %b: !torch.vtensor<[?,3],f32>) {
  %none = torch.constant.int 0
  %mean = torch.constant.int 1
  // expect: refuted C1 with a[0] = 2, b[0] = 3
  // expect: shape [broadcast(a[0], b[0]), 3]
  %0 = torch.aten.mse_loss %a, %b, %none : !torch.vtensor<[?,3],f32>, !torch.vtensor<[?,3],f32>, !torch.int -> !torch.vtensor<[?,3],f32>
  // expect: shape []
  %1 = torch.aten.l1_loss %a, %a, %mean : !torch.vtensor<[?,3],f32>, !torch.vtensor<[?,3],f32>, !torch.int -> !torch.vtensor<[],f32>
  return
}

func.func @no_width(%a: !torch.vtensor<[?,3],f32>) {
  %mean = torch.constant.int 1
  %zero = torch.constant.float 0.0
  // expect: proved C1
  // expect: refuted C2
  %0 = torch.operator "torch.aten.huber_loss"(%a, %a, %mean, %zero) : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[?,3],f32>, !torch.int, !torch.float) -> !torch.vtensor<[],f32>
  return
}

func.func @of_scores(%a: !torch.vtensor<[?,3],f32>, %b: !torch.vtensor<[?,3],f32>, %w: !torch.vtensor<[?],f32>) {
  %none = torch.constant.none
  %each = torch.constant.int 0
  %mean = torch.constant.int 1
  // expect: refuted C1 with a[0] = 2, b[0] = 3
  // expect: shape [b[0], 3]
  %0 = torch.aten.binary_cross_entropy_with_logits %a, %b, %none, %none, %each : !torch.vtensor<[?,3],f32>, !torch.vtensor<[?,3],f32>, !torch.none, !torch.none, !torch.int -> !torch.vtensor<[?,3],f32>
  // expect: refuted C1 with w[0] = 2
  // expect: shape []
  %1 = torch.aten.binary_cross_entropy_with_logits %b, %b, %w, %none, %mean : !torch.vtensor<[?,3],f32>, !torch.vtensor<[?,3],f32>, !torch.vtensor<[?],f32>, !torch.none, !torch.int -> !torch.vtensor<[],f32>
  return
}

// Probabilities are not repeated for more scores, scores are for more probabilities.
func.func @one_way(%one: !torch.vtensor<[1,3],f32>, %two: !torch.vtensor<[2,3],f32>) {
  %none = torch.constant.none
  %each = torch.constant.int 0
  // expect: proved C1
  // expect: shape [2, 3]
  %0 = torch.aten.binary_cross_entropy_with_logits %one, %two, %none, %none, %each : !torch.vtensor<[1,3],f32>, !torch.vtensor<[2,3],f32>, !torch.none, !torch.none, !torch.int -> !torch.vtensor<[2,3],f32>
  // expect: refuted C1
  %1 = torch.aten.binary_cross_entropy_with_logits %two, %one, %none, %none, %each : !torch.vtensor<[2,3],f32>, !torch.vtensor<[1,3],f32>, !torch.none, !torch.none, !torch.int -> !torch.vtensor<[1,3],f32>
  return
}
