// IREE's statements on the integers that a program is launched with, in the generic form.
func.func @bounds_and_multiples(%m: index, %n: index) {
  %0:2 = "util.assume.int"(%m, %n) {assumptions = [
    [#util.int.assumption<umin = 16, umax = 4080, udiv = 16>],
    [#util.int.assumption<umin = 0, umax = 0>, #util.int.assumption<umin = 4096, umax = 4096, udiv = 4096>]
  ]} : (index, index) -> (index, index)
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c64 = arith.constant 64 : index
  %rest = arith.remui %0#0, %c16 : index
  %even = arith.cmpi eq, %rest, %c0 : index
  // expect: proved C1
  cf.assert %even, "a multiple of 16"
  %enough = arith.cmpi sge, %m, %c17 : index
  // expect: refuted C1
  cf.assert %enough, "16 is allowed"
  %blocks = arith.remui %0#1, %c64 : index
  %whole = arith.cmpi eq, %blocks, %c0 : index
  // expect: proved C1
  cf.assert %whole, "0 and 4096 are multiples of 64"
  %some = arith.cmpi ne, %0#1, %c0 : index
  // expect: refuted C1
  cf.assert %some, "0 is allowed"
  return
}

func.func @unsigned(%n: i32) {
  %0 = "util.assume.int"(%n) {assumptions = [[#util.int.assumption<umin = 5, umax = 4294967292, udiv = 3>]]} : (i32) -> i32
  %c0 = arith.constant 0 : i32
  %c5 = arith.constant 5 : i32
  %above = arith.cmpi uge, %0, %c5 : i32
  // expect: proved C1
  cf.assert %above, "as an unsigned number"
  %c3 = arith.constant 3 : i32
  %rest = arith.remui %0, %c3 : i32
  %third = arith.cmpi eq, %rest, %c0 : i32
  // expect: proved C1
  cf.assert %third, "a multiple as an unsigned number, also where 2^32 is none"
  %signed = arith.cmpi sge, %0, %c5 : i32
  // expect: refuted C1
  cf.assert %signed, "which may be negative as a signed one"
  return
}

func.func @nothing_stated(%n: index) -> index {
  %0 = "util.assume.int"(%n) {assumptions = [[]]} : (index) -> index
  %c1 = arith.constant 1 : index
  %some = arith.cmpi sge, %0, %c1 : index
  // expect: refuted C1
  cf.assert %some, "any number"
  return %0 : index
}
