func.func @copied(%n: index, %host: memref<?x4xf32>, %x: f32) {
  // expect: refuted C1 with n = -1
  // expect: shape [n, 4]
  %a = gpu.alloc (%n) : memref<?x4xf32>
  // expect: refuted C1
  gpu.memcpy %a, %host : memref<?x4xf32>, memref<?x4xf32>
  // expect: proved C1
  gpu.memcpy %host, %a : memref<?x4xf32>, memref<?x4xf32>
  gpu.memset %a, %x : memref<?x4xf32>, f32
  gpu.dealloc %a : memref<?x4xf32>
  return
}

// What is asynchronous may meet what runs at the same time.
func.func @asynchronous(%n: index, %host: memref<?xf32>, %x: f32) {
  %c1 = arith.constant 1 : index
  %start = gpu.wait async
  // expect: refuted C1 with n = -1
  // expect: shape [n]
  %a, %ready = gpu.alloc async [%start] (%n) : memref<?xf32>
  // expect: approximated asynchronous
  %set = gpu.memset async [%ready] %a, %x : memref<?xf32>, f32
  // expect: approximated asynchronous
  // expect: refuted C1
  %copied = gpu.memcpy async [%set] %a, %host : memref<?xf32>, memref<?xf32>
  // expect: approximated asynchronous
  %run = gpu.launch async [%copied] blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
                                    threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expect: proved C1
    memref.store %x, %a[%bx] : memref<?xf32>
    gpu.terminator
  }
  // expect: approximated asynchronous
  %freed = gpu.dealloc async [%run] %a : memref<?xf32>
  gpu.wait [%freed]
  return
}
