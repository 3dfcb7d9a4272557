func.func @sum(%a: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  // expect: proved
  %0 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f32 {
    // expect: proved
    %e = tensor.extract %a[%i] : tensor<?xf32>
    scf.reduce(%e : f32) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      scf.reduce.return %s : f32
    }
  }
  return %0 : f32
}
