// 2^32 - 1 is no case, but its lower 32 bits are those of -1. After the pass they are all that is looked at.
func.func @f(%i: index, %a: i32, %b: i32) -> i32 {
  %r = scf.index_switch %i -> i32
  case -1 {
    scf.yield %a : i32
  }
  default {
    scf.yield %b : i32
  }
  return %r : i32
}
