func.func @bags(%w: !torch.vtensor<[?,8],f32>) {
  %i = torch.vtensor.literal(dense<[1, 4, 2]> : tensor<3xsi64>) : !torch.vtensor<[3],si64>
  %o = torch.vtensor.literal(dense<[0, 2]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %sum = torch.constant.int 0
  %mean = torch.constant.int 1
  %no = torch.constant.bool false
  %yes = torch.constant.bool true
  %none = torch.constant.none
  %pad = torch.constant.int -1
  // expect: proved C4
  // expect: refuted C9 with w[0] = 2
  // expect: shape [2, 8]
  // expect: approximated keeps for its gradient
  %0:4 = torch.aten._embedding_bag %w, %i, %o, %no, %sum, %no, %none, %no, %pad : !torch.vtensor<[?,8],f32>, !torch.vtensor<[3],si64>, !torch.vtensor<[2],si64>, !torch.bool, !torch.int, !torch.bool, !torch.none, !torch.bool, !torch.int -> !torch.vtensor<[2,8],f32>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>
  // expect: proved C2
  // expect: shape [1, 8]
  // expect: approximated keeps for its gradient
  %1:4 = torch.aten._embedding_bag %w, %i, %o, %no, %mean, %no, %none, %yes, %pad : !torch.vtensor<[?,8],f32>, !torch.vtensor<[3],si64>, !torch.vtensor<[2],si64>, !torch.bool, !torch.int, !torch.bool, !torch.none, !torch.bool, !torch.int -> !torch.vtensor<[1,8],f32>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>
  return
}

func.func @weighted(%w: !torch.vtensor<[5,8],f32>, %p: !torch.vtensor<[?],f32>) {
  %i = torch.vtensor.literal(dense<[1, 4, 2]> : tensor<3xsi64>) : !torch.vtensor<[3],si64>
  %o = torch.vtensor.literal(dense<[0, 2]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %sum = torch.constant.int 0
  %no = torch.constant.bool false
  %pad = torch.constant.int -1
  // expect: proved C9
  // expect: refuted C3 with p[0] = 2
  // expect: approximated keeps for its gradient
  %0:4 = torch.aten._embedding_bag %w, %i, %o, %no, %sum, %no, %p, %no, %pad : !torch.vtensor<[5,8],f32>, !torch.vtensor<[3],si64>, !torch.vtensor<[2],si64>, !torch.bool, !torch.int, !torch.bool, !torch.vtensor<[?],f32>, !torch.bool, !torch.int -> !torch.vtensor<[2,8],f32>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>
  return
}

func.func @bags_without_end(%w: !torch.vtensor<[5,8],f32>) {
  %i = torch.vtensor.literal(dense<[1, 4, 2]> : tensor<3xsi64>) : !torch.vtensor<[3],si64>
  %o = torch.vtensor.literal(dense<> : tensor<0xsi64>) : !torch.vtensor<[0],si64>
  %sum = torch.constant.int 0
  %no = torch.constant.bool false
  %yes = torch.constant.bool true
  %none = torch.constant.none
  %pad = torch.constant.int -1
  // expect: refuted C2
  // expect: unreachable C5
  // expect: unreachable C4
  // expect: unreachable C9
  // expect: approximated keeps for its gradient
  %0:4 = torch.aten._embedding_bag %w, %i, %o, %no, %sum, %no, %none, %yes, %pad : !torch.vtensor<[5,8],f32>, !torch.vtensor<[3],si64>, !torch.vtensor<[0],si64>, !torch.bool, !torch.int, !torch.bool, !torch.none, !torch.bool, !torch.int -> !torch.vtensor<[?,8],f32>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>
  return
}

func.func @offsets_that_fall(%w: !torch.vtensor<[5,8],f32>) {
  %i = torch.vtensor.literal(dense<[1, 4, 2]> : tensor<3xsi64>) : !torch.vtensor<[3],si64>
  %o = torch.vtensor.literal(dense<[0, 2, 1]> : tensor<3xsi64>) : !torch.vtensor<[3],si64>
  %sum = torch.constant.int 0
  %no = torch.constant.bool false
  %none = torch.constant.none
  %pad = torch.constant.int -1
  // expect: proved C2
  // expect: proved C5
  // expect: refuted C4
  // expect: unreachable C9
  // expect: approximated keeps for its gradient
  %0:4 = torch.aten._embedding_bag %w, %i, %o, %no, %sum, %no, %none, %no, %pad : !torch.vtensor<[5,8],f32>, !torch.vtensor<[3],si64>, !torch.vtensor<[3],si64>, !torch.bool, !torch.int, !torch.bool, !torch.none, !torch.bool, !torch.int -> !torch.vtensor<[3,8],f32>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>
  return
}

func.func @no_table(%w: !torch.vtensor<[5],f32>, %i: !torch.vtensor<[3],si64>, %o: !torch.vtensor<[2],si64>) {
  %sum = torch.constant.int 0
  %no = torch.constant.bool false
  %none = torch.constant.none
  %pad = torch.constant.int -1
  // expect: refuted C1
  %0:4 = torch.aten._embedding_bag %w, %i, %o, %no, %sum, %no, %none, %no, %pad : !torch.vtensor<[5],f32>, !torch.vtensor<[3],si64>, !torch.vtensor<[2],si64>, !torch.bool, !torch.int, !torch.bool, !torch.none, !torch.bool, !torch.int -> !torch.vtensor<[?,?],f32>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>
  return
}

func.func @a_row_that_is_not_there(%w: !torch.vtensor<[?,8],f32>) {
  %i = torch.vtensor.literal(dense<[0, 0]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %o = torch.vtensor.literal(dense<[0, 1]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %sum = torch.constant.int 0
  %no = torch.constant.bool false
  %none = torch.constant.none
  %pad = torch.constant.int -3
  // expect: refuted C5 with w[0] = 2
  // expect: proved C9
  // expect: approximated keeps for its gradient
  %0:4 = torch.aten.embedding_bag.padding_idx %w, %i, %o, %no, %sum, %no, %none, %no, %pad : !torch.vtensor<[?,8],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>, !torch.bool, !torch.int, !torch.bool, !torch.none, !torch.bool, !torch.int -> !torch.vtensor<[2,8],f32>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>
  return
}

func.func @offsets_that_are_data(%w: !torch.vtensor<[5,8],f32>, %i: !torch.vtensor<[?],si64>, %o: !torch.vtensor<[?],si64>, %x: !torch.vtensor<[?,8],f32>) {
  %sum = torch.constant.int 0
  %no = torch.constant.bool false
  %none = torch.constant.none
  %pad = torch.constant.int -1
  // expect: undecided C9
  // expect: undecided C4
  // expect: refuted C2 with i[0] = 2, o[0] = 0
  // expect: proved C5
  // expect: approximated keeps for its gradient
  %0:4 = torch.aten._embedding_bag %w, %i, %o, %no, %sum, %no, %none, %no, %pad : !torch.vtensor<[5,8],f32>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>, !torch.bool, !torch.int, !torch.bool, !torch.none, !torch.bool, !torch.int -> !torch.vtensor<[?,8],f32>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>
  %one = torch.constant.int 1
  // expect: undecided because depends on the data
  %1 = torch.aten.add.Tensor %0#0, %x, %one : !torch.vtensor<[?,8],f32>, !torch.vtensor<[?,8],f32>, !torch.int -> !torch.vtensor<[?,8],f32>
  return
}

func.func @greatest_of_bags_that_fall(%w: !torch.vtensor<[5,8],f32>) {
  %i = torch.vtensor.literal(dense<[1, 4, 2]> : tensor<3xsi64>) : !torch.vtensor<[3],si64>
  %o = torch.vtensor.literal(dense<[0, 3, 1]> : tensor<3xsi64>) : !torch.vtensor<[3],si64>
  %max = torch.constant.int 2
  %no = torch.constant.bool false
  %none = torch.constant.none
  %pad = torch.constant.int -1
  // expect: proved C9
  // expect: proved C4
  // expect: proved C2
  // expect: proved C5
  // expect: approximated keeps for its gradient
  %0:4 = torch.aten._embedding_bag %w, %i, %o, %no, %max, %no, %none, %no, %pad : !torch.vtensor<[5,8],f32>, !torch.vtensor<[3],si64>, !torch.vtensor<[3],si64>, !torch.bool, !torch.int, !torch.bool, !torch.none, !torch.bool, !torch.int -> !torch.vtensor<[3,8],f32>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>
  return
}

func.func @offsets_of_one_number(%w: !torch.vtensor<[5,8],f32>, %x: !torch.vtensor<[?],f32>) {
  %i = torch.vtensor.literal(dense<[1, 4, 2]> : tensor<3xsi64>) : !torch.vtensor<[3],si64>
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %no = torch.constant.bool false
  %none = torch.constant.none
  %pad = torch.constant.int -1
  %n = torch.aten.size.int %x, %zero : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %l = torch.prim.ListConstruct %n : (!torch.int) -> !torch.list<int>
  %type = torch.constant.int 4
  %o = torch.aten.full %l, %zero, %type, %none, %none, %none : !torch.list<int>, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],si64>
  %p = torch.aten.full %l, %one, %type, %none, %none, %none : !torch.list<int>, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],si64>
  // expect: proved C4
  // expect: proved C9
  // expect: refuted C2 with x[0] = 0
  // expect: approximated keeps for its gradient
  %0:4 = torch.aten._embedding_bag %w, %i, %o, %no, %zero, %no, %none, %no, %pad : !torch.vtensor<[5,8],f32>, !torch.vtensor<[3],si64>, !torch.vtensor<[?],si64>, !torch.bool, !torch.int, !torch.bool, !torch.none, !torch.bool, !torch.int -> !torch.vtensor<[?,8],f32>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>
  // expect: refuted C4 with x[0] = 2
  // expect: unreachable C9
  // expect: approximated keeps for its gradient
  %1:4 = torch.aten._embedding_bag %w, %i, %p, %no, %zero, %no, %none, %no, %pad : !torch.vtensor<[5,8],f32>, !torch.vtensor<[3],si64>, !torch.vtensor<[?],si64>, !torch.bool, !torch.int, !torch.bool, !torch.none, !torch.bool, !torch.int -> !torch.vtensor<[?,8],f32>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>
  return
}

func.func @bags_of_one_size(%w: !torch.vtensor<[?,8],f32>, %i: !torch.vtensor<[?,?],si64>) {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %no = torch.constant.bool false
  %none = torch.constant.none
  %pad = torch.constant.int -1
  %b = torch.aten.size.int %i, %zero : !torch.vtensor<[?,?],si64>, !torch.int -> !torch.int
  %s = torch.aten.size.int %i, %one : !torch.vtensor<[?,?],si64>, !torch.int -> !torch.int
  %n = torch.aten.mul.int %b, %s : !torch.int, !torch.int -> !torch.int
  %l = torch.prim.ListConstruct %n : (!torch.int) -> !torch.list<int>
  %f = torch.aten.view %i, %l : !torch.vtensor<[?,?],si64>, !torch.list<int> -> !torch.vtensor<[?],si64>
  // expect: refuted C1 with i[1] = 0
  %o = torch.aten.arange.start_step %zero, %n, %s, %none, %none, %none, %none : !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],si64>
  // expect: proved C2
  // expect: proved C4
  // expect: undecided C9
  // expect: approximated keeps for its gradient
  // expect: approximated depends on the data
  %0:4 = torch.aten._embedding_bag %w, %f, %o, %no, %zero, %no, %none, %no, %pad : !torch.vtensor<[?,8],f32>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>, !torch.bool, !torch.int, !torch.bool, !torch.none, !torch.bool, !torch.int -> !torch.vtensor<[?,8],f32>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>
  return
}

func.func @offsets_beyond_the_integers(%w: !torch.vtensor<[5,8],f32>, %x: !torch.vtensor<[?],f32>) {
  %i = torch.vtensor.literal(dense<[1, 4, 2]> : tensor<3xsi64>) : !torch.vtensor<[3],si64>
  %zero = torch.constant.int 0
  %two = torch.constant.int 2
  %no = torch.constant.bool false
  %none = torch.constant.none
  %pad = torch.constant.int -1
  %n = torch.aten.size.int %x, %zero : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %o = torch.aten.arange.start_step %zero, %n, %two, %none, %none, %none, %none : !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],si64>
  // expect: refuted C2 with x[0] = 0
  // expect: refuted C4 with x[0] = 5
  // expect: approximated keeps for its gradient
  %0:4 = torch.aten._embedding_bag %w, %i, %o, %no, %zero, %no, %none, %no, %pad : !torch.vtensor<[5,8],f32>, !torch.vtensor<[3],si64>, !torch.vtensor<[?],si64>, !torch.bool, !torch.int, !torch.bool, !torch.none, !torch.bool, !torch.int -> !torch.vtensor<[?,8],f32>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>
  return
}
