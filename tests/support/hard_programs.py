"""Programs whose claims keep the solver busy."""

CUBES = """\
func.func @f(%a: index, %b: index, %c: index) {
  %aa = arith.muli %a, %a : index
  %aaa = arith.muli %aa, %a : index
  %bb = arith.muli %b, %b : index
  %bbb = arith.muli %bb, %b : index
  %cc = arith.muli %c, %c : index
  %ccc = arith.muli %cc, %c : index
  %s = arith.addi %aaa, %bbb : index
  %t = arith.addi %s, %ccc : index
"""
"""The beginning of a function whose `%t` is the sum of three cubes of its arguments."""
