func.func @sizes(%a: !torch.vtensor<[?,4,?],f32>) {
  %c1 = torch.constant.int -1
  // expect: value a[2]
  %n = torch.aten.size.int %a, %c1 : !torch.vtensor<[?,4,?],f32>, !torch.int -> !torch.int
  %c2 = torch.constant.int 0
  %m = torch.aten.size.int %a, %c2 : !torch.vtensor<[?,4,?],f32>, !torch.int -> !torch.int
  // expect: value 3
  %0 = torch.aten.dim %a : !torch.vtensor<[?,4,?],f32> -> !torch.int
  // expect: value 4*a[0]*a[2]
  %1 = torch.aten.numel %a : !torch.vtensor<[?,4,?],f32> -> !torch.int
  // expect: value a[0]
  %2 = torch.aten.len.Tensor %a : !torch.vtensor<[?,4,?],f32> -> !torch.int
  %l = torch.aten.size %a : !torch.vtensor<[?,4,?],f32> -> !torch.list<int>
  // expect: value max(4, a[0], a[2])
  %3 = torch.prim.max.self_int %l : !torch.list<int> -> !torch.int
  return
}

func.func @scalar(%a: !torch.vtensor<[],f32>) {
  // expect: refuted C1
  %0 = torch.aten.len.Tensor %a : !torch.vtensor<[],f32> -> !torch.int
  return
}

func.func @arithmetic(%a: !torch.int, %b: !torch.int) {
  // expect: value a + b
  %0 = torch.aten.add.int %a, %b : !torch.int, !torch.int -> !torch.int
  // expect: value a - b
  %1 = torch.aten.sub.int %a, %b : !torch.int, !torch.int -> !torch.int
  // expect: value a*b
  %2 = torch.aten.mul.int %a, %b : !torch.int, !torch.int -> !torch.int
  // expect: value max(a, b)
  %3 = torch.prim.max.int %a, %b : !torch.int, !torch.int -> !torch.int
  // expect: value -a
  %4 = torch.aten.neg.int %a : !torch.int -> !torch.int
  return
}

func.func @division(%a: !torch.int, %b: !torch.int) {
  // expect: refuted C1 with b = 0
  // expect: value a//b
  %0 = torch.aten.floordiv.int %a, %b : !torch.int, !torch.int -> !torch.int
  // expect: value a % b
  %1 = torch.aten.remainder.int %a, %b : !torch.int, !torch.int -> !torch.int
  return
}

func.func @comparisons(%a: !torch.int, %b: !torch.int) {
  // expect: value b >= a + 1
  %l = torch.aten.lt.int %a, %b : !torch.int, !torch.int -> !torch.bool
  %c1 = torch.constant.int 3
  // expect: value a != 3
  %n = torch.aten.ne.int %a, %c1 : !torch.int, !torch.int -> !torch.bool
  // expect: value b >= a + 1 and a != 3
  %0 = torch.aten.__and__.bool %l, %n : !torch.bool, !torch.bool -> !torch.bool
  // expect: value a >= b
  %1 = torch.aten.__not__ %l : !torch.bool -> !torch.bool
  // expect: value select(b >= a + 1, 1, 0)
  %2 = torch.aten.Int.bool %l : !torch.bool -> !torch.int
  // expect: value a != 0
  %3 = torch.aten.Bool.int %a : !torch.int -> !torch.bool
  return
}

func.func @assertions(%a: !torch.vtensor<[?],f32>) {
  %c1 = torch.constant.int 0
  %n = torch.aten.size.int %a, %c1 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %c2 = torch.constant.int 2
  %g = torch.aten.ge.int %n, %c2 : !torch.int, !torch.int -> !torch.bool
  // expect: refuted C1
  torch.runtime.assert %g, "two at least"
  %c3 = torch.constant.int 1
  %h = torch.aten.ge.int %n, %c3 : !torch.int, !torch.int -> !torch.bool
  %i = torch.aten.Int.bool %h : !torch.bool -> !torch.int
  %c4 = torch.constant.str "one at least"
  torch.aten._assert_scalar %i, %c4 : !torch.int, !torch.str
  return
}

// What a model states by torch._check is declared: it holds from there on.
func.func @declared(%a: !torch.vtensor<[?],f32>, %k: !torch.int) {
  %zero = torch.constant.int 0
  %n = torch.aten.size.int %a, %zero : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %g = torch.aten.le.int %k, %n : !torch.int, !torch.int -> !torch.bool
  %i = torch.aten.Int.bool %g : !torch.bool -> !torch.int
  %text = torch.constant.str "at most n"
  torch.aten._assert_scalar %i, %text {shapesolve.declared} : !torch.int, !torch.str
  // expect: proved C1
  torch.runtime.assert %g, "again"
  %two = torch.constant.int 2
  %h = torch.aten.ge.int %n, %two : !torch.int, !torch.int -> !torch.bool
  // expect: refuted C1
  torch.runtime.assert %h, "two at least"
  return
}

func.func @constrained(%a: !torch.vtensor<[?],f32>) {
  %c1 = torch.constant.int 0
  %n = torch.aten.size.int %a, %c1 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %c2 = torch.constant.none
  %c3 = torch.constant.int 7
  // expect: refuted C1 with a[0] = 8
  torch.aten.sym_constrain_range %n, %c2, %c3 : !torch.int, !torch.none, !torch.int
  %c4 = torch.constant.none
  %c5 = torch.constant.none
  torch.aten.sym_constrain_range_for_size %n, %c4, %c5 : !torch.int, !torch.none, !torch.none
  %c6 = torch.constant.int 0
  %c7 = torch.constant.int 9
  torch.aten.sym_constrain_range %n, %c6, %c7 : !torch.int, !torch.int, !torch.int
  return
}

func.func @greatest_of_none() {
  %l = torch.prim.ListConstruct  : () -> !torch.list<int>
  // expect: refuted C1
  %0 = torch.prim.max.self_int %l : !torch.list<int> -> !torch.int
  return
}

func.func @as_in_c(%a: !torch.vtensor<[?],f32>, %b: !torch.int) {
  %zero = torch.constant.int 0
  %four = torch.constant.int 4
  %n = torch.aten.size.int %a, %zero : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  // expect: proved C1
  // expect: value a[0] % 4
  %0 = torch.operator "torch.aten.fmod.int"(%n, %four) : (!torch.int, !torch.int) -> !torch.int
  // expect: value a[0] % 4
  %1 = torch.operator "torch.aten.remainder.int"(%n, %four) : (!torch.int, !torch.int) -> !torch.int
  // expect: refuted C1 with b = 0
  %2 = torch.operator "torch.aten.fmod.int"(%n, %b) : (!torch.int, !torch.int) -> !torch.int
  return
}
