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
