// -2^63 divided by 2 is -2^62. canonicalize negates the least integer, which it stays, and returns 2^62.
func.func @f() -> index {
  %x = index.constant -9223372036854775808
  %y = index.constant 2
  %r = index.ceildivs %x, %y
  return %r : index
}
