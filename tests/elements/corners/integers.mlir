// source: ext
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi32> {
  %x = arith.extsi %a : tensor<4xi8> to tensor<4xi32>
  %y = arith.extsi %b : tensor<4xi8> to tensor<4xi32>
  %r = arith.addi %x, %y : tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
// proved
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi32> {
  %x = arith.extsi %a : tensor<4xi8> to tensor<4xi16>
  %y = arith.extsi %b : tensor<4xi8> to tensor<4xi16>
  %s = arith.addi %x, %y : tensor<4xi16>
  %r = arith.extsi %s : tensor<4xi16> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
// wrong
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi32> {
  %s = arith.addi %a, %b : tensor<4xi8>
  %r = arith.extsi %s : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
// wrong
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi32> {
  %x = arith.extsi %a : tensor<4xi8> to tensor<4xi16>
  %y = arith.extsi %b : tensor<4xi8> to tensor<4xi16>
  %s = arith.addi %x, %y : tensor<4xi16>
  %r = arith.extui %s : tensor<4xi16> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
// source: minmax
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi8> {
  %r = arith.maxsi %a, %b : tensor<4xi8>
  return %r : tensor<4xi8>
}
// -----
// proved
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi8> {
  %p = arith.cmpi slt, %a, %b : tensor<4xi8>
  %r = arith.select %p, %b, %a : tensor<4xi1>, tensor<4xi8>
  return %r : tensor<4xi8>
}
// -----
// wrong
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi8> {
  %r = arith.maxui %a, %b : tensor<4xi8>
  return %r : tensor<4xi8>
}
// -----
// wrong
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi8> {
  %p = arith.cmpi ult, %a, %b : tensor<4xi8>
  %r = arith.select %p, %b, %a : tensor<4xi1>, tensor<4xi8>
  return %r : tensor<4xi8>
}
// -----
// source: shift
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi8> {
  %k = arith.constant dense<4> : tensor<4xi8>
  %r = arith.divui %a, %k : tensor<4xi8>
  return %r : tensor<4xi8>
}
// -----
// proved
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi8> {
  %k = arith.constant dense<2> : tensor<4xi8>
  %r = arith.shrui %a, %k : tensor<4xi8>
  return %r : tensor<4xi8>
}
// -----
// wrong
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi8> {
  %k = arith.constant dense<2> : tensor<4xi8>
  %r = arith.shrsi %a, %k : tensor<4xi8>
  return %r : tensor<4xi8>
}
// -----
// source: sdiv
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi8> {
  %k = arith.constant dense<4> : tensor<4xi8>
  %r = arith.floordivsi %a, %k : tensor<4xi8>
  return %r : tensor<4xi8>
}
// -----
// open
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi8> {
  %k = arith.constant dense<2> : tensor<4xi8>
  %r = arith.shrsi %a, %k : tensor<4xi8>
  return %r : tensor<4xi8>
}
// -----
// wrong
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi8> {
  %k = arith.constant dense<4> : tensor<4xi8>
  %r = arith.divsi %a, %k : tensor<4xi8>
  return %r : tensor<4xi8>
}
// -----
// source: const wrap
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi8> {
  %k = arith.constant dense<200> : tensor<4xi8>
  %r = arith.addi %a, %k : tensor<4xi8>
  return %r : tensor<4xi8>
}
// -----
// proved
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi8> {
  %k = arith.constant dense<56> : tensor<4xi8>
  %r = arith.subi %a, %k : tensor<4xi8>
  return %r : tensor<4xi8>
}
// -----
// wrong
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi8> {
  %k = arith.constant dense<56> : tensor<4xi8>
  %r = arith.addi %a, %k : tensor<4xi8>
  return %r : tensor<4xi8>
}
// -----
// source: bool add
func.func @f(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi1> {
  %r = arith.addi %a, %b : tensor<4xi1>
  return %r : tensor<4xi1>
}
// -----
// proved
func.func @f(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi1> {
  %r = arith.xori %a, %b : tensor<4xi1>
  return %r : tensor<4xi1>
}
// -----
// wrong
func.func @f(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi1> {
  %r = arith.ori %a, %b : tensor<4xi1>
  return %r : tensor<4xi1>
}
// -----
// source: i1 signed max
func.func @f(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi1> {
  %r = arith.maxsi %a, %b : tensor<4xi1>
  return %r : tensor<4xi1>
}
// -----
// proved
func.func @f(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi1> {
  %r = arith.andi %a, %b : tensor<4xi1>
  return %r : tensor<4xi1>
}
// -----
// wrong
func.func @f(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi1> {
  %r = arith.ori %a, %b : tensor<4xi1>
  return %r : tensor<4xi1>
}
// -----
// source: i1 sext
func.func @f(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi8> {
  %r = arith.extsi %a : tensor<4xi1> to tensor<4xi8>
  return %r : tensor<4xi8>
}
// -----
// proved
func.func @f(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi8> {
  %k = arith.constant dense<-1> : tensor<4xi8>
  %o = arith.constant dense<0> : tensor<4xi8>
  %r = arith.select %a, %k, %o : tensor<4xi1>, tensor<4xi8>
  return %r : tensor<4xi8>
}
// -----
// wrong
func.func @f(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi8> {
  %r = arith.extui %a : tensor<4xi1> to tensor<4xi8>
  return %r : tensor<4xi8>
}
// -----
// source: index trunc
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi32> {
  %x = arith.extsi %a : tensor<4xi8> to tensor<4xi64>
  %y = arith.index_cast %x : tensor<4xi64> to tensor<4xindex>
  %r = arith.index_cast %y : tensor<4xindex> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
// proved
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi32> {
  %r = arith.extsi %a : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
// wrong
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi32> {
  %y = arith.index_castui %a : tensor<4xi8> to tensor<4xindex>
  %r = arith.index_cast %y : tensor<4xindex> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
// source: iota wraps
func.func @f() -> tensor<300xi32> {
  %e = tensor.empty() : tensor<300xi32>
  %r = linalg.generic {indexing_maps=[affine_map<(i)->(i)>], iterator_types=["parallel"]} outs(%e : tensor<300xi32>) {
  ^bb0(%o: i32):
    %j = linalg.index 0 : index
    %x = arith.index_cast %j : index to i32
    %y = arith.bitcast %x : i32 to i32
    linalg.yield %y : i32
  } -> tensor<300xi32>
  return %r : tensor<300xi32>
}
// -----
// open
func.func @f() -> tensor<300xi32> {
  %e = tensor.empty() : tensor<300xi32>
  %r = linalg.generic {indexing_maps=[affine_map<(i)->(i)>], iterator_types=["parallel"]} outs(%e : tensor<300xi32>) {
  ^bb0(%o: i32):
    %j = linalg.index 0 : index
    %x = arith.index_cast %j : index to i16
    %y = arith.extsi %x : i16 to i32
    linalg.yield %y : i32
  } -> tensor<300xi32>
  return %r : tensor<300xi32>
}
// -----
// wrong
func.func @f() -> tensor<300xi32> {
  %e = tensor.empty() : tensor<300xi32>
  %r = linalg.generic {indexing_maps=[affine_map<(i)->(i)>], iterator_types=["parallel"]} outs(%e : tensor<300xi32>) {
  ^bb0(%o: i32):
    %j = linalg.index 0 : index
    %x = arith.index_cast %j : index to i8
    %y = arith.extsi %x : i8 to i32
    linalg.yield %y : i32
  } -> tensor<300xi32>
  return %r : tensor<300xi32>
}
// -----
// source: iota fits
func.func @f() -> tensor<100xi32> {
  %e = tensor.empty() : tensor<100xi32>
  %r = linalg.generic {indexing_maps=[affine_map<(i)->(i)>], iterator_types=["parallel"]} outs(%e : tensor<100xi32>) {
  ^bb0(%o: i32):
    %j = linalg.index 0 : index
    %x = arith.index_cast %j : index to i32
    %y = arith.bitcast %x : i32 to i32
    linalg.yield %y : i32
  } -> tensor<100xi32>
  return %r : tensor<100xi32>
}
// -----
// open
func.func @f() -> tensor<100xi32> {
  %e = tensor.empty() : tensor<100xi32>
  %r = linalg.generic {indexing_maps=[affine_map<(i)->(i)>], iterator_types=["parallel"]} outs(%e : tensor<100xi32>) {
  ^bb0(%o: i32):
    %j = linalg.index 0 : index
    %x = arith.index_cast %j : index to i8
    %y = arith.extsi %x : i8 to i32
    linalg.yield %y : i32
  } -> tensor<100xi32>
  return %r : tensor<100xi32>
}
