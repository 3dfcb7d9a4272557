func.func @best(%a: !torch.vtensor<[?,?],f32>) {
  %c1 = torch.constant.int 5
  %c2 = torch.constant.int -1
  %c3 = torch.constant.bool true
  %c4 = torch.constant.bool true
  // expect: refuted C1
  // expect: shape [a[0], 5]
  %0:2 = torch.aten.topk %a, %c1, %c2, %c3, %c4 : !torch.vtensor<[?,?],f32>, !torch.int, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?,5],f32>, !torch.vtensor<[?,5],si64>
  %c5 = torch.constant.int 0
  %c6 = torch.constant.bool false
  // expect: shape [a[0], a[1]]
  %1:2 = torch.aten.sort %a, %c5, %c6 : !torch.vtensor<[?,?],f32>, !torch.int, !torch.bool -> !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],si64>
  return
}

func.func @one_of_the_order(%a: !torch.vtensor<[?,?],f32>) {
  %c1 = torch.constant.int 3
  %c2 = torch.constant.int 0
  %c3 = torch.constant.bool true
  // expect: refuted C1 with a[0] = 2
  // expect: shape [1, a[1]]
  %0:2 = torch.aten.kthvalue %a, %c1, %c2, %c3 : !torch.vtensor<[?,?],f32>, !torch.int, !torch.int, !torch.bool -> !torch.vtensor<[1,?],f32>, !torch.vtensor<[1,?],si64>
  return
}
