func.func @orders(%a: !torch.vtensor<[2,?,4],f32>, %b: !torch.vtensor<[?,3],f32>) {
  %c2 = torch.constant.int 2
  %c3 = torch.constant.int 0
  %c4 = torch.constant.int -2
  %c1 = torch.prim.ListConstruct %c2, %c3, %c4 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  // expect: shape [4, 2, a[1]]
  %0 = torch.aten.permute %a, %c1 : !torch.vtensor<[2,?,4],f32>, !torch.list<int> -> !torch.vtensor<[4,2,?],f32>
  %c5 = torch.constant.int 0
  %c6 = torch.constant.int -1
  // expect: shape [4, a[1], 2]
  %1 = torch.aten.transpose.int %a, %c5, %c6 : !torch.vtensor<[2,?,4],f32>, !torch.int, !torch.int -> !torch.vtensor<[4,?,2],f32>
  // expect: shape [3, b[0]]
  %2 = torch.aten.t %b : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[3,?],f32>
  %c7 = torch.constant.int 0
  %c8 = torch.constant.int 2
  // expect: shape [a[1], 4, 2]
  %3 = torch.aten.movedim.int %a, %c7, %c8 : !torch.vtensor<[2,?,4],f32>, !torch.int, !torch.int -> !torch.vtensor<[?,4,2],f32>
  %c10 = torch.constant.int 0
  %c9 = torch.prim.ListConstruct %c10 : (!torch.int) -> !torch.list<int>
  // expect: shape [2, a[1], 4]
  %4 = torch.aten.flip %a, %c9 : !torch.vtensor<[2,?,4],f32>, !torch.list<int> -> !torch.vtensor<[2,?,4],f32>
  %c11 = torch.constant.int 0
  // expect: shape [b[0], 3]
  %5 = torch.aten.tril %b, %c11 : !torch.vtensor<[?,3],f32>, !torch.int -> !torch.vtensor<[?,3],f32>
  return
}

func.func @no_matrix(%a: !torch.vtensor<[?],f32>) {
  %c1 = torch.constant.int 0
  // expect: refuted C1
  %0 = torch.aten.triu %a, %c1 : !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?],f32>
  return
}
