func.func @looked_up(%a: !torch.vtensor<[?,5,?],f32>) {
  %i = torch.vtensor.literal(dense<[0, -2]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %j = torch.vtensor.literal(dense<[1, 4]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %c1 = torch.prim.ListConstruct %i : (!torch.vtensor<[2],si64>) -> !torch.list<vtensor>
  // expect: refuted C9 with a[0] = 1
  // expect: shape [2, 5, a[2]]
  %0 = torch.aten.index.Tensor %a, %c1 : !torch.vtensor<[?,5,?],f32>, !torch.list<vtensor> -> !torch.vtensor<[2,5,?],f32>
  %c3 = torch.constant.none
  %c2 = torch.prim.ListConstruct %c3, %j : (!torch.none, !torch.vtensor<[2],si64>) -> !torch.list<optional<vtensor>>
  // expect: shape [a[0], 2, a[2]]
  %1 = torch.aten.index.Tensor %a, %c2 : !torch.vtensor<[?,5,?],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?,2,?],f32>
  %c5 = torch.constant.none
  %c4 = torch.prim.ListConstruct %i, %c5, %i : (!torch.vtensor<[2],si64>, !torch.none, !torch.vtensor<[2],si64>) -> !torch.list<optional<vtensor>>
  // expect: refuted C9
  // expect: shape [2, 5]
  %2 = torch.aten.index.Tensor %a, %c4 : !torch.vtensor<[?,5,?],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[2,5],f32>
  return
}

func.func @places_that_do_not_broadcast(%a: !torch.vtensor<[5,5],f32>, %i: !torch.vtensor<[?],si64>) {
  %j = torch.vtensor.literal(dense<[1, 4]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %c1 = torch.prim.ListConstruct %i, %j : (!torch.vtensor<[?],si64>, !torch.vtensor<[2],si64>) -> !torch.list<vtensor>
  // expect: refuted C2
  // expect: undecided C9
  // expect: approximated depends on the data of %i
  %0 = torch.aten.index.Tensor %a, %c1 : !torch.vtensor<[5,5],f32>, !torch.list<vtensor> -> !torch.vtensor<[?],f32>
  return
}

func.func @too_many_places(%a: !torch.vtensor<[5],f32>) {
  %j = torch.vtensor.literal(dense<[1, 4]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %c1 = torch.prim.ListConstruct %j, %j : (!torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.list<vtensor>
  // expect: refuted C1
  %0 = torch.aten.index.Tensor %a, %c1 : !torch.vtensor<[5],f32>, !torch.list<vtensor> -> !torch.vtensor<[2],f32>
  return
}

func.func @put(%a: !torch.vtensor<[?,5],f32>, %v: !torch.vtensor<[?,5],f32>) {
  %i = torch.vtensor.literal(dense<[0, -2]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %c1 = torch.prim.ListConstruct %i : (!torch.vtensor<[2],si64>) -> !torch.list<vtensor>
  %c2 = torch.constant.bool false
  // expect: refuted C3
  // expect: refuted C9
  // expect: shape [a[0], 5]
  %0 = torch.aten.index_put %a, %c1, %v, %c2 : !torch.vtensor<[?,5],f32>, !torch.list<vtensor>, !torch.vtensor<[?,5],f32>, !torch.bool -> !torch.vtensor<[?,5],f32>
  return
}

func.func @put_at_too_many_places(%a: !torch.vtensor<[5],f32>, %v: !torch.vtensor<[2],f32>) {
  %j = torch.vtensor.literal(dense<[1, 4]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %c1 = torch.prim.ListConstruct %j, %j : (!torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.list<vtensor>
  %c2 = torch.constant.bool false
  // expect: refuted C1
  %0 = torch.aten.index_put %a, %c1, %v, %c2 : !torch.vtensor<[5],f32>, !torch.list<vtensor>, !torch.vtensor<[2],f32>, !torch.bool -> !torch.vtensor<[5],f32>
  return
}

func.func @put_at_places_that_do_not_broadcast(%a: !torch.vtensor<[5,5],f32>, %v: !torch.vtensor<[2],f32>, %i: !torch.vtensor<[?],si64>) {
  %j = torch.vtensor.literal(dense<[1, 4]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %c1 = torch.prim.ListConstruct %i, %j : (!torch.vtensor<[?],si64>, !torch.vtensor<[2],si64>) -> !torch.list<vtensor>
  %c2 = torch.constant.bool false
  // expect: refuted C2
  // expect: undecided C9
  // expect: approximated depends on the data of %i
  %0 = torch.aten.index_put %a, %c1, %v, %c2 : !torch.vtensor<[5,5],f32>, !torch.list<vtensor>, !torch.vtensor<[2],f32>, !torch.bool -> !torch.vtensor<[5,5],f32>
  return
}

func.func @add_rows(%a: !torch.vtensor<[?,5],f32>, %v: !torch.vtensor<[1,5],f32>) {
  %i = torch.vtensor.literal(dense<[0, 1]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %c1 = torch.prim.ListConstruct %i : (!torch.vtensor<[2],si64>) -> !torch.list<vtensor>
  %c2 = torch.constant.bool false
  // expect: refuted C3
  // expect: unreachable C9
  %0 = torch.aten.index_put %a, %c1, %v, %c2 : !torch.vtensor<[?,5],f32>, !torch.list<vtensor>, !torch.vtensor<[1,5],f32>, !torch.bool -> !torch.vtensor<[?,5],f32> loc("operation index_add"("model.py":3:0))
  return
}

func.func @add_rows_at_a_negative_place(%a: !torch.vtensor<[?,5],f32>, %v: !torch.vtensor<[2,5],f32>) {
  %i = torch.vtensor.literal(dense<[0, -2]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %c1 = torch.prim.ListConstruct %i : (!torch.vtensor<[2],si64>) -> !torch.list<vtensor>
  %c2 = torch.constant.bool false
  // expect: refuted C9 with a[0]=2
  // expect: shape [a[0], 5]
  %0 = torch.aten.index_put %a, %c1, %v, %c2 : !torch.vtensor<[?,5],f32>, !torch.list<vtensor>, !torch.vtensor<[2,5],f32>, !torch.bool -> !torch.vtensor<[?,5],f32> loc("operation index_add"("model.py":3:0))
  return
}
