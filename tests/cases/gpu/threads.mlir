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

func.func @exchanged(%m: memref<?xf32>, %v: f32, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %width = arith.constant 32 : i32
  %d = memref.dim %m, %c0 : memref<?xf32>
  // expect: approximated other threads
  %0, %valid = gpu.shuffle xor %v, %c1, %width : f32
  // expect: approximated other threads
  %1, %valid1 = gpu.shuffle up %c1, %c1, %width : i32
  // expect: approximated other threads
  %2, %valid2 = gpu.shuffle down %v, %c1, %width : f32
  // expect: approximated other threads
  %3, %valid3 = gpu.shuffle idx %v, %c1, %width : f32
  // expect: approximated other threads
  %4, %valid4 = gpu.rotate %v, 1, 32 : f32
  // expect: approximated other threads
  %5 = gpu.subgroup_broadcast %c1, first_active_lane : i32
  // expect: approximated other threads
  %6 = gpu.subgroup_broadcast %v, specific_lane %c1 : f32
  // expect: approximated other threads
  %7 = gpu.ballot %p : i32
  gpu.printf "lane %d", %1 : i32
  %place = arith.index_cast %1 : i32 to index
  // expect: undecided C1
  memref.store %v, %m[%place] : memref<?xf32>
  // expect: undecided C1
  cf.assert %valid, "the other lane takes part"
  return
}

func.func @clusters(%m: memref<16xf32>, %v: f32) {
  // expect: approximated hangs on the launch
  %block = gpu.cluster_block_id x
  // expect: proved C1
  memref.store %v, %m[%block] : memref<16xf32>
  // expect: approximated hangs on the launch
  %blocks = gpu.cluster_dim_blocks y
  // expect: undecided C1
  memref.store %v, %m[%blocks] : memref<16xf32>
  // expect: approximated hangs on the launch
  %cluster = gpu.cluster_id z upper_bound 16
  // expect: proved C1
  memref.store %v, %m[%cluster] : memref<16xf32>
  // expect: approximated hangs on the launch
  %clusters = gpu.cluster_dim x
  // expect: undecided C1
  memref.store %v, %m[%clusters] : memref<16xf32>
  return
}
