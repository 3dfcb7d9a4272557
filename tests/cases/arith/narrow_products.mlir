// Products of numbers of narrow types fit 64 bits: their bounds are those of the whole product, not of its terms.

func.func @square(%n: i32) {
  %c0 = arith.constant 0 : i64
  %wide = arith.extsi %n : i32 to i64
  %square = arith.muli %wide, %wide : i64
  %positive = arith.cmpi sge, %square, %c0 : i64
  // expect: proved
  cf.assert %positive, "2^62 at most"
  return
}

func.func @truncated_first(%n: index, %m: index) {
  %limit = arith.constant 4611686018427387904 : i64
  %a = arith.index_cast %n : index to i32
  %b = arith.index_cast %m : index to i32
  %x = arith.extsi %a : i32 to i64
  %y = arith.extsi %b : i32 to i64
  %product = arith.muli %x, %y : i64
  %few = arith.cmpi sle, %product, %limit : i64
  // expect: proved
  cf.assert %few, "2^62 at most"
  %fewer = arith.cmpi slt, %product, %limit : i64
  // expect: refuted C1
  cf.assert %fewer, "2^62 is reached"
  return
}

func.func @back_again(%n: i16, %m: i16) {
  %x = arith.extsi %n : i16 to i32
  %y = arith.extsi %m : i16 to i32
  %product = arith.muli %x, %y : i32
  %wide = arith.extsi %product : i32 to i64
  %p = arith.extsi %n : i16 to i64
  %q = arith.extsi %m : i16 to i64
  %whole = arith.muli %p, %q : i64
  %same = arith.cmpi eq, %wide, %whole : i64
  // expect: proved
  cf.assert %same, "nothing wraps in 32 bits"
  return
}
