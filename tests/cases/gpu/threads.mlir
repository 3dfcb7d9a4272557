func.func @subgroups(%m: memref<?xf32>, %x: f32, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %m, %c0 : memref<?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %d, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %d, %sy = %c1, %sz = %c1)
             workgroup(%w : memref<128xf32, #gpu.address_space<workgroup>>) {
    // expect: approximated hangs on the launch
    %lane = gpu.lane_id
    // expect: proved C1
    memref.store %x, %w[%lane] : memref<128xf32, #gpu.address_space<workgroup>>
    // expect: approximated hangs on the launch
    %few = gpu.lane_id upper_bound 64
    // expect: approximated hangs on the launch
    %lanes = gpu.subgroup_size : index
    // expect: approximated hangs on the launch
    %subgroup = gpu.subgroup_id : index
    // expect: approximated hangs on the launch
    %subgroups = gpu.num_subgroups upper_bound 4 : index
    // expect: proved C1
    memref.store %x, %w[%subgroups] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %word = arith.index_cast %tx : index to i32
    // expect: approximated other threads
    %greatest = gpu.all_reduce %word {
    ^bb(%a: i32, %b: i32):
      %max = arith.maxsi %a, %b : i32
      "gpu.yield"(%max) : (i32) -> ()
    } : (i32) -> (i32)
    %most = arith.index_cast %greatest : i32 to index
    // expect: undecided C1
    memref.store %x, %m[%most] : memref<?xf32>
    // expect: approximated other threads
    %sum = gpu.subgroup_reduce add %v : (f32) -> f32
    %positive = arith.cmpi slt, %tx, %c1 : index
    scf.if %positive {
      // expect: approximated all threads
      gpu.barrier
    }
    gpu.terminator
  }
  return
}

// Called from a kernel that is not seen: the numbers are not known to be those asked for before.
func.func @elsewhere(%m: memref<8xf32>, %x: f32) {
  // expect: approximated hangs on the launch
  %first = gpu.thread_id x
  // expect: approximated hangs on the launch
  %again = gpu.thread_id x
  %same = arith.cmpi eq, %first, %again : index
  // expect: undecided C1
  cf.assert %same, "one thread"
  // expect: approximated hangs on the launch
  %few = gpu.thread_id y upper_bound 8
  // expect: proved C1
  memref.store %x, %m[%few] : memref<8xf32>
  // expect: approximated hangs on the launch
  %global = gpu.global_id x
  // expect: approximated hangs on the launch
  %size = gpu.block_dim x
  return
}
