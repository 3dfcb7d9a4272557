// passes: func.func(scf-forall-to-for)
// shown: sizes, checks and elements
// wrong (refuted): off by one
//   %arg2 = %c0_0 to => %arg2 = %c1 to
// wrong (refuted): wrong element
//   load %arg0[%arg2] => load %arg1[%arg2]
// wrong (refuted): dropped store
//   drop memref.store %0, %arg1[%arg2] : memref<?xf32>

func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  scf.forall (%i) in (%n) {
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %b[%i] : memref<?xf32>
  }
  return
}
