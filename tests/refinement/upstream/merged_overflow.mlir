// Adding 100 twice to -100 is 100, without signed overflow. After canonicalize -56 is added, which overflows.
func.func @f(%x: i8) -> i1 {
  %hundred = arith.constant 100 : i8
  %first = arith.addi %x, %hundred overflow<nsw> : i8
  %second = arith.addi %first, %hundred overflow<nsw> : i8
  %grew = arith.cmpi sgt, %second, %x : i8
  return %grew : i1
}
