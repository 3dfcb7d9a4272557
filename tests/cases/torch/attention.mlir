func.func @attention(%q: !torch.vtensor<[?,4,?,8],f32>, %k: !torch.vtensor<[?,4,?,8],f32>, %v: !torch.vtensor<[?,4,?,8],f32>, %m: !torch.vtensor<[?,?],f32>) {
  %c1 = torch.constant.float 0.000000e+00
  %c2 = torch.constant.bool false
  %c3 = torch.constant.none
  %c4 = torch.constant.bool false
  // expect: refuted C2
  // expect: refuted C3
  // expect: refuted C4
  %0 = torch.aten.scaled_dot_product_attention %q, %k, %v, %m, %c1, %c2, %c3, %c4 : !torch.vtensor<[?,4,?,8],f32>, !torch.vtensor<[?,4,?,8],f32>, !torch.vtensor<[?,4,?,8],f32>, !torch.vtensor<[?,?],f32>, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[?,4,?,8],f32>
  return
}

// assume: k[2] == q[2] and v[2] == q[2] and k[0] == q[0] and v[0] == q[0]
func.func @one_length(%q: !torch.vtensor<[?,4,?,8],f32>, %k: !torch.vtensor<[?,4,?,8],f32>, %v: !torch.vtensor<[?,4,?,8],f32>) {
  %c1 = torch.constant.none
  %c2 = torch.constant.float 0.000000e+00
  %c3 = torch.constant.bool true
  %c4 = torch.constant.none
  %c5 = torch.constant.bool false
  %0 = torch.aten.scaled_dot_product_attention %q, %k, %v, %c1, %c2, %c3, %c4, %c5 : !torch.vtensor<[?,4,?,8],f32>, !torch.vtensor<[?,4,?,8],f32>, !torch.vtensor<[?,4,?,8],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[?,4,?,8],f32>
  return
}

func.func @grouped(%q: !torch.vtensor<[2,8,?,8],f32>, %k: !torch.vtensor<[2,2,5,8],f32>, %v: !torch.vtensor<[2,2,5,8],f32>) {
  %c1 = torch.constant.none
  %c2 = torch.constant.float 0.000000e+00
  %c3 = torch.constant.bool true
  %c4 = torch.constant.none
  %c5 = torch.constant.bool true
  // expect: shape [2, 8, q[2], 8]
  %0 = torch.aten.scaled_dot_product_attention %q, %k, %v, %c1, %c2, %c3, %c4, %c5 : !torch.vtensor<[2,8,?,8],f32>, !torch.vtensor<[2,2,5,8],f32>, !torch.vtensor<[2,2,5,8],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[2,8,?,8],f32>
  return
}

func.func @no_matrices(%q: !torch.vtensor<[?],f32>, %k: !torch.vtensor<[?],f32>, %v: !torch.vtensor<[?],f32>) {
  %c1 = torch.constant.none
  %c2 = torch.constant.float 0.000000e+00
  %c3 = torch.constant.bool true
  %c4 = torch.constant.none
  %c5 = torch.constant.bool false
  // expect: refuted C1
  %0 = torch.aten.scaled_dot_product_attention %q, %k, %v, %c1, %c2, %c3, %c4, %c5 : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[?],f32>
  return
}

func.func @mask_of_more_keys_than_one(%q: !torch.vtensor<[2,?,8],f32>, %k: !torch.vtensor<[2,1,8],f32>, %m: !torch.vtensor<[?,?],f32>) {
  %c2 = torch.constant.float 0.000000e+00
  %c3 = torch.constant.bool false
  %c4 = torch.constant.none
  %c5 = torch.constant.bool false
  // expect: refuted C4 with m[1] = 2
  // expect: shape [2, q[1], 8]
  %0 = torch.aten.scaled_dot_product_attention %q, %k, %k, %m, %c2, %c3, %c4, %c5 : !torch.vtensor<[2,?,8],f32>, !torch.vtensor<[2,1,8],f32>, !torch.vtensor<[2,1,8],f32>, !torch.vtensor<[?,?],f32>, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[2,?,8],f32>
  return
}

func.func @mask_of_a_batch(%q: !torch.vtensor<[4,?,8],f32>, %k: !torch.vtensor<[4,?,8],f32>, %m: !torch.vtensor<[1,4,1,1],f32>) {
  %c2 = torch.constant.float 0.000000e+00
  %c3 = torch.constant.bool false
  %c4 = torch.constant.none
  %c5 = torch.constant.bool false
  // expect: shape [4, q[1], 8]
  %0 = torch.aten.scaled_dot_product_attention %q, %k, %k, %m, %c2, %c3, %c4, %c5 : !torch.vtensor<[4,?,8],f32>, !torch.vtensor<[4,?,8],f32>, !torch.vtensor<[4,?,8],f32>, !torch.vtensor<[1,4,1,1],f32>, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[4,?,8],f32>
  return
}

// Without queries, PyTorch returns before it looks at the mask.
// assume: k[2] == q[2] and v[2] == q[2] and k[0] == q[0] and v[0] == q[0] and m[0] == q[2] and m[1] == q[2]
func.func @two_masks(%q: !torch.vtensor<[?,4,?,8],f32>, %k: !torch.vtensor<[?,4,?,8],f32>, %v: !torch.vtensor<[?,4,?,8],f32>, %m: !torch.vtensor<[?,?],f32>) {
  %none = torch.constant.none
  %zero = torch.constant.float 0.000000e+00
  %yes = torch.constant.bool true
  %no = torch.constant.bool false
  // expect: refuted C5 with q[2] = 2
  %0 = torch.aten.scaled_dot_product_attention %q, %k, %v, %m, %zero, %yes, %none, %no : !torch.vtensor<[?,4,?,8],f32>, !torch.vtensor<[?,4,?,8],f32>, !torch.vtensor<[?,4,?,8],f32>, !torch.vtensor<[?,?],f32>, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[?,4,?,8],f32>
  return
}

// assume: k[2] == v[2] and v[2] == 3 and k[0] == q[0] and v[0] == q[0] and m[1] == 3 and q[2] == 0 and m[0] == 0
func.func @two_masks_of_no_queries(%q: !torch.vtensor<[?,4,?,8],f32>, %k: !torch.vtensor<[?,4,?,8],f32>, %v: !torch.vtensor<[?,4,?,8],f32>, %m: !torch.vtensor<[?,?],f32>) {
  %none = torch.constant.none
  %zero = torch.constant.float 0.000000e+00
  %yes = torch.constant.bool true
  %no = torch.constant.bool false
  // expect: proved C5
  %0 = torch.aten.scaled_dot_product_attention %q, %k, %v, %m, %zero, %yes, %none, %no : !torch.vtensor<[?,4,?,8],f32>, !torch.vtensor<[?,4,?,8],f32>, !torch.vtensor<[?,4,?,8],f32>, !torch.vtensor<[?,?],f32>, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[?,4,?,8],f32>
  return
}
