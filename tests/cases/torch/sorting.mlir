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

// What is looked up at the places of the greatest elements is there.
func.func @experts(%scores: !torch.vtensor<[?,4],f32>, %experts: !torch.vtensor<[4,8],f32>) {
  %true = torch.constant.bool true
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %c2 = torch.constant.int 2
  %none = torch.constant.none
  // expect: proved C1
  %values, %places = torch.aten.topk %scores, %c2, %c1, %true, %true : !torch.vtensor<[?,4],f32>, !torch.int, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?,2],f32>, !torch.vtensor<[?,2],si64>
  %listed = torch.prim.ListConstruct %places : (!torch.vtensor<[?,2],si64>) -> !torch.list<optional<vtensor>>
  // expect: proved C9
  // expect: approximated
  %0 = torch.aten.index.Tensor %experts, %listed : !torch.vtensor<[4,8],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?,2,8],f32>
  // expect: proved C1
  %best, %best_places = torch.aten.max.dim %scores, %c1, %true : !torch.vtensor<[?,4],f32>, !torch.int, !torch.bool -> !torch.vtensor<[?,1],f32>, !torch.vtensor<[?,1],si64>
  // expect: proved
  // expect: approximated
  %1 = torch.aten.gather %scores, %c1, %best_places, %true : !torch.vtensor<[?,4],f32>, !torch.int, !torch.vtensor<[?,1],si64>, !torch.bool -> !torch.vtensor<[?,1],f32>
  return
}
