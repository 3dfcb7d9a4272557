func.func @parts(%a: !torch.vtensor<[?,6],f32>) {
  %c2 = torch.constant.int 2
  %c3 = torch.constant.int 4
  %c1 = torch.prim.ListConstruct %c2, %c3 : (!torch.int, !torch.int) -> !torch.list<int>
  %c4 = torch.constant.int 1
  %l = torch.aten.split_with_sizes %a, %c1, %c4 : !torch.vtensor<[?,6],f32>, !torch.list<int>, !torch.int -> !torch.list<vtensor>
  // expect: shape [a[0], 2]
  %0:2 = torch.prim.ListUnpack %l : !torch.list<vtensor> -> !torch.vtensor<[?,2],f32>, !torch.vtensor<[?,4],f32>
  return
}

func.func @other_sizes(%a: !torch.vtensor<[?,6],f32>) {
  %c2 = torch.constant.int 2
  %c3 = torch.constant.int 4
  %c1 = torch.prim.ListConstruct %c2, %c3 : (!torch.int, !torch.int) -> !torch.list<int>
  %c4 = torch.constant.int 0
  // expect: refuted C1 with a[0] = 2
  %l = torch.aten.split_with_sizes %a, %c1, %c4 : !torch.vtensor<[?,6],f32>, !torch.list<int>, !torch.int -> !torch.list<vtensor>
  // expect: shape [2, 6]
  %0:2 = torch.prim.ListUnpack %l : !torch.list<vtensor> -> !torch.vtensor<[2,6],f32>, !torch.vtensor<[4,6],f32>
  return
}

func.func @one_size(%a: !torch.vtensor<[?,7],f32>) {
  %c1 = torch.constant.int 4
  %c2 = torch.constant.int 1
  %l = torch.aten.split.Tensor %a, %c1, %c2 : !torch.vtensor<[?,7],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  // expect: shape [a[0], 4]
  %0:2 = torch.prim.ListUnpack %l : !torch.list<vtensor> -> !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,3],f32>
  return
}

func.func @no_size(%a: !torch.vtensor<[?,7],f32>) {
  %c1 = torch.constant.int 0
  %c2 = torch.constant.int 1
  // expect: refuted C1
  %0 = torch.aten.split.Tensor %a, %c1, %c2 : !torch.vtensor<[?,7],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  return
}

func.func @chunks(%a: !torch.vtensor<[?,7],f32>) {
  %c1 = torch.constant.int 3
  %c2 = torch.constant.int 1
  %l = torch.aten.chunk %a, %c1, %c2 : !torch.vtensor<[?,7],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  // expect: shape [a[0], 3]
  %0:3 = torch.prim.ListUnpack %l : !torch.list<vtensor> -> !torch.vtensor<[?,3],f32>, !torch.vtensor<[?,3],f32>, !torch.vtensor<[?,1],f32>
  return
}

func.func @no_chunk(%a: !torch.vtensor<[?,7],f32>) {
  %c1 = torch.constant.int 0
  %c2 = torch.constant.int 1
  // expect: refuted C1
  %0 = torch.aten.chunk %a, %c1, %c2 : !torch.vtensor<[?,7],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  return
}

func.func @rows(%a: !torch.vtensor<[2,?],f32>) {
  %c1 = torch.constant.int 0
  %l = torch.aten.unbind.int %a, %c1 : !torch.vtensor<[2,?],f32>, !torch.int -> !torch.list<vtensor>
  // expect: shape [a[1]]
  %0:2 = torch.prim.ListUnpack %l : !torch.list<vtensor> -> !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>
  return
}
