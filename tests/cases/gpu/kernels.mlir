gpu.module @kernels {
  gpu.func @same_length(%src: memref<?xf32>, %dst: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %s = memref.dim %src, %c0 : memref<?xf32>
    %d = memref.dim %dst, %c0 : memref<?xf32>
    %same = arith.cmpi eq, %s, %d : index
    // expect: refuted C1 with src[0] = 2, dst[0] = 3
    cf.assert %same, "src and dst have one length"
    // expect: approximated hangs on the launch
    %i = gpu.thread_id x
    %in = arith.cmpi slt, %i, %s : index
    scf.if %in {
      // expect: proved
      %v = memref.load %src[%i] : memref<?xf32>
      // expect: proved
      memref.store %v, %dst[%i] : memref<?xf32>
    }
    gpu.return
  }

  gpu.func @tile(%src: memref<?xf32>) workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) {
    %c64 = arith.constant 64 : index
    // expect: approximated hangs on the launch
    %i = gpu.thread_id x
    %in = arith.cmpi slt, %i, %c64 : index
    scf.if %in {
      // expect: undecided C1
      %v = memref.load %src[%i] : memref<?xf32>
      // expect: proved
      memref.store %v, %tile[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.return
  }
}
