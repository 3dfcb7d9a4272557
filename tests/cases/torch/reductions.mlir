func.func @folds(%a: !torch.vtensor<[?,3,?],f32>) {
  %c2 = torch.constant.int 1
  %c3 = torch.constant.int -1
  %c1 = torch.prim.ListConstruct %c2, %c3 : (!torch.int, !torch.int) -> !torch.list<int>
  %c4 = torch.constant.bool true
  %c5 = torch.constant.none
  // expect: shape [a[0], 1, 1]
  %0 = torch.aten.sum.dim_IntList %a, %c1, %c4, %c5 : !torch.vtensor<[?,3,?],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[?,1,1],f32>
  %c7 = torch.constant.int 0
  %c6 = torch.prim.ListConstruct %c7 : (!torch.int) -> !torch.list<int>
  %c8 = torch.constant.bool false
  %c9 = torch.constant.none
  // expect: shape [3, a[2]]
  %1 = torch.aten.mean.dim %a, %c6, %c8, %c9 : !torch.vtensor<[?,3,?],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[3,?],f32>
  %c10 = torch.constant.none
  // expect: shape []
  %2 = torch.aten.sum %a, %c10 : !torch.vtensor<[?,3,?],f32>, !torch.none -> !torch.vtensor<[],f32>
  %c12 = torch.constant.int -1
  %c11 = torch.prim.ListConstruct %c12 : (!torch.int) -> !torch.list<int>
  %c13 = torch.constant.int 0
  %c14 = torch.constant.bool true
  // expect: shape [a[0], 3, 1]
  %3 = torch.aten.var.correction %a, %c11, %c13, %c14 : !torch.vtensor<[?,3,?],f32>, !torch.list<int>, !torch.int, !torch.bool -> !torch.vtensor<[?,3,1],f32>
  %c15 = torch.constant.int -1
  %c16 = torch.constant.bool false
  // expect: shape [a[0], 3, a[2]]
  %4 = torch.aten._softmax %a, %c15, %c16 : !torch.vtensor<[?,3,?],f32>, !torch.int, !torch.bool -> !torch.vtensor<[?,3,?],f32>
  %c17 = torch.constant.int 0
  %c18 = torch.constant.none
  // expect: shape [a[0], 3, a[2]]
  %5 = torch.aten.cumsum %a, %c17, %c18 : !torch.vtensor<[?,3,?],f32>, !torch.int, !torch.none -> !torch.vtensor<[?,3,?],f32>
  %c20 = torch.constant.int 2
  %c19 = torch.prim.ListConstruct %c20 : (!torch.int) -> !torch.list<int>
  %c21 = torch.constant.bool false
  // expect: refuted C1 with a[2] = 0
  // expect: shape [a[0], 3]
  %6 = torch.aten.amax %a, %c19, %c21 : !torch.vtensor<[?,3,?],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[?,3],f32>
  %c22 = torch.constant.int 1
  %c23 = torch.constant.bool false
  // expect: shape [a[0], a[2]]
  %7:2 = torch.aten.max.dim %a, %c22, %c23 : !torch.vtensor<[?,3,?],f32>, !torch.int, !torch.bool -> !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],si64>
  %c24 = torch.constant.none
  %c25 = torch.constant.bool false
  // expect: refuted C1 with a[0] = 0
  // expect: shape []
  %8 = torch.aten.argmax %a, %c24, %c25 : !torch.vtensor<[?,3,?],f32>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
  return
}

func.func @exponentials_along_no_dimension(%a: !torch.vtensor<[?,?],f32>) {
  %none = torch.prim.ListConstruct : () -> !torch.list<int>
  %keep = torch.constant.bool true
  %drop = torch.constant.bool false
  // expect: shape [1, 1]
  %0 = torch.aten.logsumexp %a, %none, %keep : !torch.vtensor<[?,?],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[1,1],f32>
  // expect: refuted C2 with a[0] = 2, a[1] = 2
  // expect: shape []
  %1 = torch.aten.logsumexp %a, %none, %drop : !torch.vtensor<[?,?],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[],f32>
  return
}

// Positions that are counted from a mask in narrow integers: from 1 up to, with it, how many places there are, and 1 more.
func.func @positions(%a: !torch.vtensor<[?,?],si64>, %w: !torch.vtensor<[130,4],f32>, %small: !torch.vtensor<[?,90],si64>) {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %narrow = torch.constant.int 3
  %wide = torch.constant.int 4
  %none = torch.constant.none
  %no = torch.constant.bool false
  %m = torch.aten.ne.Scalar %a, %one : !torch.vtensor<[?,?],si64>, !torch.int -> !torch.vtensor<[?,?],i1>
  %i = torch.prims.convert_element_type %m, %narrow : !torch.vtensor<[?,?],i1>, !torch.int -> !torch.vtensor<[?,?],si32>
  // expect: shape [a[0], a[1]]
  %c = torch.aten.cumsum %i, %one, %none : !torch.vtensor<[?,?],si32>, !torch.int, !torch.none -> !torch.vtensor<[?,?],si64>
  %n = torch.prims.convert_element_type %c, %narrow : !torch.vtensor<[?,?],si64>, !torch.int -> !torch.vtensor<[?,?],si32>
  %p = torch.aten.mul.Tensor %n, %i : !torch.vtensor<[?,?],si32>, !torch.vtensor<[?,?],si32> -> !torch.vtensor<[?,?],si32>
  %l = torch.prims.convert_element_type %p, %wide : !torch.vtensor<[?,?],si32>, !torch.int -> !torch.vtensor<[?,?],si64>
  %q = torch.aten.add.Scalar %l, %one, %one : !torch.vtensor<[?,?],si64>, !torch.int, !torch.int -> !torch.vtensor<[?,?],si64>
  // expect: undecided C9
  // expect: approximated depends on the data of %a, in %q
  %0 = torch.aten.embedding %w, %q, %zero, %no, %no : !torch.vtensor<[130,4],f32>, !torch.vtensor<[?,?],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?,?,4],f32>
  %t = torch.aten.gt.Scalar %small, %one : !torch.vtensor<[?,90],si64>, !torch.int -> !torch.vtensor<[?,90],i1>
  %d = torch.aten.cumsum %t, %one, %none : !torch.vtensor<[?,90],i1>, !torch.int, !torch.none -> !torch.vtensor<[?,90],si64>
  // expect: proved C9
  // expect: approximated depends on the data of %small, in %d
  %1 = torch.aten.embedding %w, %d, %zero, %no, %no : !torch.vtensor<[130,4],f32>, !torch.vtensor<[?,90],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?,90,4],f32>
  %row = torch.prim.ListConstruct %one : (!torch.int) -> !torch.list<int>
  %s = torch.aten.sum.dim_IntList %t, %row, %no, %none : !torch.vtensor<[?,90],i1>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[?],si64>
  // expect: proved C9
  // expect: approximated depends on the data of %small, in %s
  %2 = torch.aten.embedding %w, %s, %zero, %no, %no : !torch.vtensor<[130,4],f32>, !torch.vtensor<[?],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?,4],f32>
  return
}

func.func @a_scalar_along_its_dimension(%a: !torch.vtensor<[],f32>) {
  %zero = torch.constant.int 0
  %axes = torch.prim.ListConstruct %zero : (!torch.int) -> !torch.list<int>
  %no = torch.constant.bool false
  %none = torch.constant.none
  // expect: shape []
  %0 = torch.aten.sum.dim_IntList %a, %axes, %no, %none : !torch.vtensor<[],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[],f32>
  return
}
