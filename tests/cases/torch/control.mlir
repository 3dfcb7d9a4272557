func.func @branched(%a: !torch.vtensor<[?],f32>, %b: !torch.vtensor<[?],f32>) {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %n = torch.aten.size.int %a, %zero : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %m = torch.aten.size.int %b, %zero : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %same = torch.aten.eq.int %n, %m : !torch.int, !torch.int -> !torch.bool
  // expect: shape [select(a[0] == b[0], broadcast(a[0], b[0]), a[0])]
  %0 = torch.prim.If %same -> (!torch.vtensor<[?],f32>) {
    // expect: proved C1
    %sum = torch.aten.add.Tensor %a, %b, %one : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?],f32>
    torch.prim.If.yield %sum : !torch.vtensor<[?],f32>
  } else {
    // expect: refuted C1
    %sum = torch.aten.add.Tensor %b, %a, %one : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?],f32>
    torch.prim.If.yield %a : !torch.vtensor<[?],f32>
  }
  return
}

func.func @counted(%a: !torch.vtensor<[?,?],f32>, %n: !torch.int, %p: !torch.bool) {
  %true = torch.constant.bool true
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %rows = torch.aten.size.int %a, %zero : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
  // expect: shape [a[0], a[1]]
  %0 = torch.prim.Loop %rows, %true, init(%a) {
  ^bb0(%i: !torch.int, %x: !torch.vtensor<[?,?],f32>):
    // expect: proved C1
    %row = torch.aten.select.int %x, %zero, %i : !torch.vtensor<[?,?],f32>, !torch.int, !torch.int -> !torch.vtensor<[?],f32>
    // expect: proved C1
    %sum = torch.aten.add.Tensor %x, %row, %one : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?,?],f32>
    torch.prim.Loop.condition %true, iter(%sum : !torch.vtensor<[?,?],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32>
  // expect: value max(0, n)
  %1 = torch.prim.Loop %n, %true, init(%zero) {
  ^bb0(%i: !torch.int, %x: !torch.int):
    %more = torch.aten.add.int %x, %one : !torch.int, !torch.int -> !torch.int
    %on = torch.constant.bool true
    torch.prim.Loop.condition %on, iter(%more : !torch.int)
  } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
  // expect: value 3
  %three = torch.constant.int 3
  // expect: value 4
  %2 = torch.prim.Loop %three, %true, init(%one) {
  ^bb0(%i: !torch.int, %x: !torch.int):
    %more = torch.aten.add.int %x, %one : !torch.int, !torch.int -> !torch.int
    torch.prim.Loop.condition %true, iter(%more : !torch.int)
  } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
  // expect: approximated how often a loop runs is not followed
  %3 = torch.prim.Loop %three, %true, init(%one) {
  ^bb0(%i: !torch.int, %x: !torch.int):
    %more = torch.aten.add.int %x, %one : !torch.int, !torch.int -> !torch.int
    torch.prim.Loop.condition %p, iter(%more : !torch.int)
  } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
  %4 = torch.prim.Loop %n, %p, init(%one) {
  ^bb0(%i: !torch.int, %x: !torch.int):
    // expect: undecided C1
    %row = torch.aten.select.int %a, %zero, %i : !torch.vtensor<[?,?],f32>, !torch.int, !torch.int -> !torch.vtensor<[?],f32>
    %off = torch.constant.bool false
    torch.prim.Loop.condition %off, iter(%x : !torch.int)
  } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
  torch.prim.Loop %n, %true, init() {
  ^bb0(%i: !torch.int):
    // expect: undecided C1
    %row = torch.aten.select.int %a, %zero, %i : !torch.vtensor<[?,?],f32>, !torch.int, !torch.int -> !torch.vtensor<[?],f32>
    torch.prim.Loop.condition %p, iter()
  } : (!torch.int, !torch.bool) -> ()
  %last = torch.aten.sub.int %n, %one : !torch.int, !torch.int -> !torch.int
  // expect: undecided C1
  %row = torch.aten.select.int %a, %zero, %last : !torch.vtensor<[?,?],f32>, !torch.int, !torch.int -> !torch.vtensor<[?],f32>
  return
}

func.func @all(%a: !torch.vtensor<[?,?],f32>, %n: !torch.int) {
  %true = torch.constant.bool true
  %zero = torch.constant.int 0
  torch.prim.Loop %n, %true, init() {
  ^bb0(%i: !torch.int):
    // expect: refuted C1 with a[0] = 2, n = 3
    %row = torch.aten.select.int %a, %zero, %i : !torch.vtensor<[?,?],f32>, !torch.int, !torch.int -> !torch.vtensor<[?],f32>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return
}
