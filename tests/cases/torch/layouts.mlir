func.func @diagonals(%m: !torch.vtensor<[?,?],f32>, %v: !torch.vtensor<[?],f32>) {
  %back = torch.constant.int -1
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  // expect: shape [max(1, min(m[0], m[1] + 1)) - 1]
  %0 = torch.aten.diag %m, %back : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.vtensor<[?],f32>
  // expect: shape [v[0] + 1, v[0] + 1]
  %1 = torch.aten.diag %v, %back : !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?,?],f32>
  // expect: shape [m[1], m[1], m[0]]
  %2 = torch.aten.diag_embed %m, %zero, %zero, %one : !torch.vtensor<[?,?],f32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,?,?],f32>
  // expect: shape [1, v[0]]
  %3 = torch.aten.atleast_2d %v : !torch.vtensor<[?],f32> -> !torch.vtensor<[1,?],f32>
  return
}

func.func @turned(%m: !torch.vtensor<[?,3],f32>, %a: !torch.vtensor<[?,?,4],f32>, %b: !torch.vtensor<[?,?],f32>) {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %small = torch.constant.float 1.0e-08
  %plane = torch.prim.ListConstruct %zero, %one : (!torch.int, !torch.int) -> !torch.list<int>
  // expect: shape [3, m[0]]
  %0 = torch.aten.rot90 %m, %one, %plane : !torch.vtensor<[?,3],f32>, !torch.int, !torch.list<int> -> !torch.vtensor<[3,?],f32>
  // expect: refuted C2
  // expect: shape [a[0], a[1], 4]
  %1 = torch.aten.channel_shuffle %a, %two : !torch.vtensor<[?,?,4],f32>, !torch.int -> !torch.vtensor<[?,?,4],f32>
  // expect: refuted C1
  // expect: shape [broadcast(b[0], m[0])]
  %2 = torch.aten.cosine_similarity %m, %b, %one, %small : !torch.vtensor<[?,3],f32>, !torch.vtensor<[?,?],f32>, !torch.int, !torch.float -> !torch.vtensor<[?],f32>
  return
}

func.func @gradient(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[?,4],f32>) {
  %one = torch.constant.int 1
  %kind = torch.constant.int 6
  // expect: refuted C1 with a[0] = 2, b[0] = 3
  // expect: shape [a[0], 4]
  %0 = torch.aten._softmax_backward_data %a, %b, %one, %kind : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>, !torch.int, !torch.int -> !torch.vtensor<[?,4],f32>
  return
}

func.func @no_matrix(%s: !torch.vtensor<[],f32>) {
  %one = torch.constant.int 1
  // expect: refuted C1
  %0 = torch.aten.trace %s : !torch.vtensor<[],f32> -> !torch.vtensor<[],f32>
  return
}

func.func @no_diagonal(%s: !torch.vtensor<[],f32>) {
  %one = torch.constant.int 1
  // expect: refuted C1
  %0 = torch.aten.diag %s, %one : !torch.vtensor<[],f32>, !torch.int -> !torch.vtensor<[?,?],f32>
  return
}

func.func @nothing_to_set(%s: !torch.vtensor<[],f32>) {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  // expect: refuted C1
  %0 = torch.aten.diag_embed %s, %zero, %zero, %one : !torch.vtensor<[],f32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,?],f32>
  return
}

func.func @no_channels(%v: !torch.vtensor<[?,?],f32>) {
  %one = torch.constant.int 1
  // expect: refuted C1
  %0 = torch.aten.channel_shuffle %v, %one : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.vtensor<[?,?],f32>
  return
}

func.func @negative_length(%a: !torch.vtensor<[?,4],f32>) {
  %one = torch.constant.int 1
  %less = torch.constant.float -1.0
  // expect: refuted C2
  %0 = torch.aten.cosine_similarity %a, %a, %one, %less : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>, !torch.int, !torch.float -> !torch.vtensor<[?],f32>
  return
}
