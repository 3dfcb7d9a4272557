// source: sum loop
func.func @f(%a: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f32) {
    %x = tensor.extract %a[%i] : tensor<?xf32>
    %y = arith.addf %s, %x : f32
    scf.yield %y : f32
  }
  return %r : f32
}
// -----
// proved
func.func @f(%a: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %n1 = arith.addi %n, %c1 : index
  %r = scf.for %i = %c1 to %n1 step %c1 iter_args(%s = %z) -> (f32) {
    %im = arith.subi %i, %c1 : index
    %x = tensor.extract %a[%im] : tensor<?xf32>
    %y = arith.addf %s, %x : f32
    scf.yield %y : f32
  }
  return %r : f32
}
// -----
// proved
func.func @f(%a: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %n2 = arith.muli %n, %c2 : index
  %r = scf.for %i = %c0 to %n2 step %c2 iter_args(%s = %z) -> (f32) {
    %im = arith.divui %i, %c2 : index
    %x = tensor.extract %a[%im] : tensor<?xf32>
    %y = arith.addf %s, %x : f32
    scf.yield %y : f32
  }
  return %r : f32
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%s = %z) -> (f32) {
    %x = tensor.extract %a[%i] : tensor<?xf32>
    %y = arith.addf %s, %x : f32
    scf.yield %y : f32
  }
  return %r : f32
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %n1 = arith.subi %n, %c1 : index
  %r = scf.for %i = %c0 to %n1 step %c1 iter_args(%s = %z) -> (f32) {
    %x = tensor.extract %a[%i] : tensor<?xf32>
    %y = arith.addf %s, %x : f32
    scf.yield %y : f32
  }
  return %r : f32
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c2 iter_args(%s = %z) -> (f32) {
    %x = tensor.extract %a[%i] : tensor<?xf32>
    %y = arith.addf %s, %x : f32
    scf.yield %y : f32
  }
  return %r : f32
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %one) -> (f32) {
    %x = tensor.extract %a[%i] : tensor<?xf32>
    %y = arith.addf %s, %x : f32
    scf.yield %y : f32
  }
  return %r : f32
}
// -----
// open
func.func @f(%a: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %h = arith.minui %n, %c2 : index
  %r0 = scf.for %i = %c0 to %h step %c1 iter_args(%s = %z) -> (f32) {
    %x = tensor.extract %a[%i] : tensor<?xf32>
    %y = arith.addf %s, %x : f32
    scf.yield %y : f32
  }
  %r = scf.for %i = %h to %n step %c1 iter_args(%s = %r0) -> (f32) {
    %x = tensor.extract %a[%i] : tensor<?xf32>
    %y = arith.addf %s, %x : f32
    scf.yield %y : f32
  }
  return %r : f32
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f32) {
    %x = tensor.extract %a[%i] : tensor<?xf32>
    %y = arith.addf %s, %x : f32
    scf.yield %y : f32
  }
  %r = arith.addf %r0, %one : f32
  return %r : f32
}
// -----
// source: fill loop
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (tensor<?xf32>) {
    %y = tensor.insert %z into %s[%i] : tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// open
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (tensor<?xf32>) {
    %q = arith.subi %n, %i : index
    %j = arith.subi %q, %c1 : index
    %y = tensor.insert %z into %s[%j] : tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// proved
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = linalg.fill ins(%z : f32) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%s = %a) -> (tensor<?xf32>) {
    %y = tensor.insert %z into %s[%i] : tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c2 iter_args(%s = %a) -> (tensor<?xf32>) {
    %y = tensor.insert %z into %s[%i] : tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (tensor<?xf32>) {
    %y = tensor.insert %z into %s[%c0] : tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (tensor<?xf32>) {
    %y = tensor.insert %one into %s[%i] : tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// source: prefix loop
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%s = %a) -> (tensor<?xf32>) {
    %p = arith.subi %i, %c1 : index
    %x = tensor.extract %s[%p] : tensor<?xf32>
    %y = tensor.insert %x into %s[%i] : tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// wrong
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%s = %a) -> (tensor<?xf32>) {
    %p = arith.subi %i, %c1 : index
    %x = tensor.extract %a[%p] : tensor<?xf32>
    %y = tensor.insert %x into %s[%i] : tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
