func.func @one_block_an_element(%m: memref<?xf32>, %n: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %m, %c0 : memref<?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %d, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expect: proved C1
    %v = memref.load %m[%bx] : memref<?xf32>
    // expect: refuted C1 with m[0] = 3, n[0] = 2
    memref.store %v, %n[%bx] : memref<?xf32>
    gpu.terminator
  }
  return
}

// A grid that is rounded up needs a guard, and a size of 0 or less runs nothing.
func.func @rounded_up(%m: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %d = memref.dim %m, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %d, %c128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %block = gpu.block_id x
    %size = gpu.block_dim x
    %thread = gpu.thread_id x upper_bound 128
    %start = arith.muli %block, %size : index
    %i = arith.addi %start, %thread : index
    %global = gpu.global_id x
    %same = arith.cmpi eq, %i, %global : index
    // expect: proved C1
    cf.assert %same, "one number"
    %inside = arith.cmpi ult, %i, %d : index
    scf.if %inside {
      // expect: proved C1
      memref.store %x, %m[%i] : memref<?xf32>
    }
    // expect: refuted C1 with m[0] = 2
    memref.store %x, %m[%i] : memref<?xf32>
    gpu.terminator
  }
  return
}

func.func @sizes_that_may_be_negative(%n: index, %m: memref<4xf32>, %x: f32) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %n, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %n) {
    %inside = arith.cmpi sge, %gy, %c1 : index
    // expect: proved C1
    cf.assert %inside, "runs for positive sizes only"
    %rows = gpu.grid_dim y
    %same = arith.cmpi eq, %gy, %rows : index
    // expect: proved C1
    cf.assert %same, "one number"
    // expect: refuted C1 with n = 5
    memref.store %x, %m[%by] : memref<4xf32>
    gpu.terminator
  }
  return
}

func.func @a_bound_of_numbers(%n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %n, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %n) {
    // expect: refuted C1 with n = 3
    %last = gpu.thread_id z upper_bound 2
    gpu.terminator
  }
  return
}

func.func @a_bound_of_how_many(%n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %n, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %n) {
    // expect: refuted C1 with n = 3
    %most = gpu.block_dim z upper_bound 2
    gpu.terminator
  }
  return
}

func.func @a_bound_of_all_numbers(%n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %n, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %n) {
    // expect: refuted C1 with n = 3
    %last = gpu.global_id z upper_bound 2
    gpu.terminator
  }
  return
}

func.func @memory_of_the_block(%n: index, %x: f32) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1)
             workgroup(%w : memref<32xf32, #gpu.address_space<workgroup>>) {
    // expect: refuted C1 with n = 33
    memref.store %x, %w[%tx] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

func.func @memory_of_the_thread(%n: index, %x: f32) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1)
             private(%w : memref<1xf32, 5>) {
    // expect: refuted C1 with n = 2
    memref.store %x, %w[%tx] : memref<1xf32, 5>
    gpu.terminator
  }
  return
}

// A check on the device does not stop the host, which may also be refused the launch.
func.func @checked_on_the_device(%n: index, %m: index) {
  %c1 = arith.constant 1 : index
  %fits = arith.cmpi sle, %n, %m : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expect: refuted C1 with n = 0, m = -1
    cf.assert %fits, "fits"
    gpu.terminator
  }
  // expect: undecided C1 because may fail earlier
  cf.assert %fits, "fits on the host"
  return
}

func.func @clusters(%n: index) {
  %c1 = arith.constant 1 : index
  // expect: approximated clusters
  gpu.launch clusters(%cx, %cy, %cz) in (%kx = %c1, %ky = %c1, %kz = %c1)
             blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    gpu.terminator
  }
  return
}
