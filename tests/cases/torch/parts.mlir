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

func.func @nearly_even(%a: !torch.vtensor<[?,2],f32>) {
  %zero = torch.constant.int 0
  %two = torch.constant.int 2
  %0 = torch.aten.tensor_split.sections %a, %two, %zero : !torch.vtensor<[?,2],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  // expect: shape [(a[0] + 1)//2, 2]
  %1:2 = torch.prim.ListUnpack %0 : !torch.list<vtensor> -> !torch.vtensor<[?,2],f32>, !torch.vtensor<[?,2],f32>
  // expect: refuted C1
  %2 = torch.aten.tensor_split.sections %a, %zero, %zero : !torch.vtensor<[?,2],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  return
}

func.func @no_dimension(%s: !torch.vtensor<[],f32>) {
  %zero = torch.constant.int 0
  %two = torch.constant.int 2
  // expect: refuted C2
  %3 = torch.aten.tensor_split.sections %s, %two, %zero : !torch.vtensor<[],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  return
}

func.func @grid(%a: !torch.vtensor<[?],f32>, %b: !torch.vtensor<[?],f32>, %c: !torch.vtensor<[?,?],f32>) {
  %xy = torch.constant.str "xy"
  %l = torch.prim.ListConstruct %a, %b : (!torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>) -> !torch.list<vtensor>
  %m = torch.prim.ListConstruct %a, %c : (!torch.vtensor<[?],f32>, !torch.vtensor<[?,?],f32>) -> !torch.list<vtensor>
  %0 = torch.aten.meshgrid.indexing %l, %xy : !torch.list<vtensor>, !torch.str -> !torch.list<vtensor>
  // expect: shape [b[0], a[0]]
  %1:2 = torch.prim.ListUnpack %0 : !torch.list<vtensor> -> !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>
  // expect: refuted C2
  %2 = torch.aten.meshgrid %m : !torch.list<vtensor> -> !torch.list<vtensor>
  return
}

func.func @no_grid() {
  %n = torch.prim.ListConstruct : () -> !torch.list<vtensor>
  // expect: refuted C1
  %3 = torch.aten.meshgrid %n : !torch.list<vtensor> -> !torch.list<vtensor>
  return
}

func.func @spread_out(%a: !torch.vtensor<[?],f32>, %c: !torch.vtensor<[?,?],f32>) {
  %m = torch.prim.ListConstruct %a, %c : (!torch.vtensor<[?],f32>, !torch.vtensor<[?,?],f32>) -> !torch.list<vtensor>
  // expect: refuted C1
  %0 = torch.aten.broadcast_tensors %m : !torch.list<vtensor> -> !torch.list<vtensor>
  // expect: shape [c[0], broadcast(a[0], c[1])]
  %1:2 = torch.prim.ListUnpack %0 : !torch.list<vtensor> -> !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>
  return
}
