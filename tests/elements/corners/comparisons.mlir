// source: floats oge
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf oge, %a, %b : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// proved
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf ole, %b, %a : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf ule, %b, %a : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf olt, %b, %a : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf uge, %a, %b : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// source: floats ult
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf ult, %a, %b : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// proved
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf ugt, %b, %a : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf ogt, %b, %a : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf uge, %b, %a : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf olt, %a, %b : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// source: floats ole
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf ole, %a, %b : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// proved
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf oge, %b, %a : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf uge, %b, %a : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// source: floats uge
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf uge, %a, %b : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// proved
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf ule, %b, %a : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf ole, %b, %a : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf ult, %b, %a : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// source: floats not less
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf uge, %a, %b : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf ult, %a, %b : tensor<?xf32>
  %r = arith.select %p, %c, %a : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// source: integers ult
func.func @f(%a: tensor<?xi8>, %b: tensor<?xi8>, %c: tensor<?xi8>) -> tensor<?xi8> {
  %p = arith.cmpi ult, %a, %b : tensor<?xi8>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xi8>
  return %r : tensor<?xi8>
}
// -----
// proved
func.func @f(%a: tensor<?xi8>, %b: tensor<?xi8>, %c: tensor<?xi8>) -> tensor<?xi8> {
  %p = arith.cmpi ugt, %b, %a : tensor<?xi8>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xi8>
  return %r : tensor<?xi8>
}
// -----
// wrong
func.func @f(%a: tensor<?xi8>, %b: tensor<?xi8>, %c: tensor<?xi8>) -> tensor<?xi8> {
  %p = arith.cmpi slt, %a, %b : tensor<?xi8>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xi8>
  return %r : tensor<?xi8>
}
// -----
// wrong
func.func @f(%a: tensor<?xi8>, %b: tensor<?xi8>, %c: tensor<?xi8>) -> tensor<?xi8> {
  %p = arith.cmpi sgt, %b, %a : tensor<?xi8>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xi8>
  return %r : tensor<?xi8>
}
// -----
// wrong
func.func @f(%a: tensor<?xi8>, %b: tensor<?xi8>, %c: tensor<?xi8>) -> tensor<?xi8> {
  %p = arith.cmpi uge, %b, %a : tensor<?xi8>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xi8>
  return %r : tensor<?xi8>
}
// -----
// source: integers uge
func.func @f(%a: tensor<?xi8>, %b: tensor<?xi8>, %c: tensor<?xi8>) -> tensor<?xi8> {
  %p = arith.cmpi uge, %a, %b : tensor<?xi8>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xi8>
  return %r : tensor<?xi8>
}
// -----
// proved
func.func @f(%a: tensor<?xi8>, %b: tensor<?xi8>, %c: tensor<?xi8>) -> tensor<?xi8> {
  %p = arith.cmpi ule, %b, %a : tensor<?xi8>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xi8>
  return %r : tensor<?xi8>
}
// -----
// wrong
func.func @f(%a: tensor<?xi8>, %b: tensor<?xi8>, %c: tensor<?xi8>) -> tensor<?xi8> {
  %p = arith.cmpi sle, %b, %a : tensor<?xi8>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xi8>
  return %r : tensor<?xi8>
}
// -----
// wrong
func.func @f(%a: tensor<?xi8>, %b: tensor<?xi8>, %c: tensor<?xi8>) -> tensor<?xi8> {
  %p = arith.cmpi ult, %b, %a : tensor<?xi8>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xi8>
  return %r : tensor<?xi8>
}
// -----
// source: integers sle
func.func @f(%a: tensor<?xi8>, %b: tensor<?xi8>, %c: tensor<?xi8>) -> tensor<?xi8> {
  %p = arith.cmpi sle, %a, %b : tensor<?xi8>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xi8>
  return %r : tensor<?xi8>
}
// -----
// proved
func.func @f(%a: tensor<?xi8>, %b: tensor<?xi8>, %c: tensor<?xi8>) -> tensor<?xi8> {
  %p = arith.cmpi sge, %b, %a : tensor<?xi8>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xi8>
  return %r : tensor<?xi8>
}
// -----
// wrong
func.func @f(%a: tensor<?xi8>, %b: tensor<?xi8>, %c: tensor<?xi8>) -> tensor<?xi8> {
  %p = arith.cmpi uge, %b, %a : tensor<?xi8>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xi8>
  return %r : tensor<?xi8>
}
// -----
// wrong
func.func @f(%a: tensor<?xi8>, %b: tensor<?xi8>, %c: tensor<?xi8>) -> tensor<?xi8> {
  %p = arith.cmpi sgt, %b, %a : tensor<?xi8>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xi8>
  return %r : tensor<?xi8>
}
// -----
// source: flags of comparisons
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf ogt, %a, %b : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf olt, %b, %a fastmath<nnan> : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// proved
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.cmpf olt, %b, %a : tensor<?xf32>
  %r = arith.select %p, %a, %c : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
