func.func @matrices(%a: !torch.vtensor<[?,?],f32>, %b: !torch.vtensor<[?,5],f32>) {
  // expect: refuted C3 with a[1] = 2, b[0] = 3
  // expect: shape [a[0], 5]
  %0 = torch.aten.mm %a, %b : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,5],f32> -> !torch.vtensor<[?,5],f32>
  return
}

func.func @batches(%a: !torch.vtensor<[?,2,3],f32>, %b: !torch.vtensor<[?,3,4],f32>) {
  // expect: refuted C2
  // expect: shape [a[0], 2, 4]
  %0 = torch.aten.bmm %a, %b : !torch.vtensor<[?,2,3],f32>, !torch.vtensor<[?,3,4],f32> -> !torch.vtensor<[?,2,4],f32>
  return
}

func.func @vectors(%a: !torch.vtensor<[?],f32>, %b: !torch.vtensor<[3],f32>, %m: !torch.vtensor<[?,3],f32>) {
  // expect: refuted C3
  // expect: shape []
  %0 = torch.aten.dot %a, %b : !torch.vtensor<[?],f32>, !torch.vtensor<[3],f32> -> !torch.vtensor<[],f32>
  // expect: shape [m[0]]
  %1 = torch.aten.mv %m, %b : !torch.vtensor<[?,3],f32>, !torch.vtensor<[3],f32> -> !torch.vtensor<[?],f32>
  // expect: shape [a[0], 3]
  %2 = torch.aten.outer %a, %b : !torch.vtensor<[?],f32>, !torch.vtensor<[3],f32> -> !torch.vtensor<[?,3],f32>
  return
}

func.func @other_ranks(%a: !torch.vtensor<[?,2,3],f32>, %b: !torch.vtensor<[3,4],f32>, %c: !torch.vtensor<[?],f32>) {
  // expect: refuted C1
  %0 = torch.aten.mm %a, %b : !torch.vtensor<[?,2,3],f32>, !torch.vtensor<[3,4],f32> -> !torch.vtensor<[?,4],f32>
  return
}

func.func @no_vectors(%a: !torch.vtensor<[?,2],f32>, %c: !torch.vtensor<[?],f32>) {
  // expect: refuted C1
  %0 = torch.aten.outer %a, %c : !torch.vtensor<[?,2],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor<[?,?],f32>
  return
}

func.func @added(%c: !torch.vtensor<[?],f32>, %a: !torch.vtensor<[?,3],f32>, %b: !torch.vtensor<[?,5],f32>) {
  %c1 = torch.constant.int 1
  %c2 = torch.constant.int 1
  // expect: refuted C3
  // expect: refuted C4
  // expect: shape [a[0], 5]
  %0 = torch.aten.addmm %c, %a, %b, %c1, %c2 : !torch.vtensor<[?],f32>, !torch.vtensor<[?,3],f32>, !torch.vtensor<[?,5],f32>, !torch.int, !torch.int -> !torch.vtensor<[?,5],f32>
  return
}

func.func @added_batches(%c: !torch.vtensor<[1,2,5],f32>, %a: !torch.vtensor<[?,2,3],f32>, %b: !torch.vtensor<[?,3,5],f32>) {
  %c1 = torch.constant.int 1
  %c2 = torch.constant.int 1
  // expect: refuted C2
  // expect: shape [a[0], 2, 5]
  %0 = torch.aten.baddbmm %c, %a, %b, %c1, %c2 : !torch.vtensor<[1,2,5],f32>, !torch.vtensor<[?,2,3],f32>, !torch.vtensor<[?,3,5],f32>, !torch.int, !torch.int -> !torch.vtensor<[?,2,5],f32>
  return
}

func.func @added_to_vectors(%c: !torch.vtensor<[5],f32>, %a: !torch.vtensor<[?],f32>, %b: !torch.vtensor<[?,5],f32>) {
  %c1 = torch.constant.int 1
  %c2 = torch.constant.int 1
  // expect: refuted C1
  %0 = torch.aten.addmm %c, %a, %b, %c1, %c2 : !torch.vtensor<[5],f32>, !torch.vtensor<[?],f32>, !torch.vtensor<[?,5],f32>, !torch.int, !torch.int -> !torch.vtensor<[?,5],f32>
  return
}

func.func @any_ranks(%a: !torch.vtensor<[?,1,?,3],f32>, %b: !torch.vtensor<[?,3,4],f32>, %v: !torch.vtensor<[3],f32>) {
  // expect: shape [a[0], b[0], a[2], 4]
  %0 = torch.aten.matmul %a, %b : !torch.vtensor<[?,1,?,3],f32>, !torch.vtensor<[?,3,4],f32> -> !torch.vtensor<[?,?,?,4],f32>
  // expect: shape [a[0], 1, a[2]]
  %1 = torch.aten.matmul %a, %v : !torch.vtensor<[?,1,?,3],f32>, !torch.vtensor<[3],f32> -> !torch.vtensor<[?,1,?],f32>
  return
}

func.func @batches_that_do_not_broadcast(%a: !torch.vtensor<[?,2,3],f32>, %b: !torch.vtensor<[?,?,4],f32>) {
  // expect: refuted C2
  // expect: refuted C3
  %0 = torch.aten.matmul %a, %b : !torch.vtensor<[?,2,3],f32>, !torch.vtensor<[?,?,4],f32> -> !torch.vtensor<[?,2,4],f32>
  return
}

func.func @scalars(%a: !torch.vtensor<[],f32>, %b: !torch.vtensor<[?],f32>) {
  // expect: refuted C1
  %0 = torch.aten.matmul %a, %b : !torch.vtensor<[],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor<[],f32>
  return
}

func.func @rows(%a: !torch.vtensor<[?,?,8],f32>, %w: !torch.vtensor<[5,8],f32>, %b: !torch.vtensor<[5],f32>) {
  // expect: shape [a[0], a[1], 5]
  %0 = torch.aten.linear %a, %w, %b : !torch.vtensor<[?,?,8],f32>, !torch.vtensor<[5,8],f32>, !torch.vtensor<[5],f32> -> !torch.vtensor<[?,?,5],f32>
  return
}

func.func @other_weights(%a: !torch.vtensor<[?,?],f32>, %w: !torch.vtensor<[5,8],f32>, %b: !torch.vtensor<[?],f32>) {
  // expect: refuted C3
  // expect: refuted C4
  %0 = torch.aten.linear %a, %w, %b : !torch.vtensor<[?,?],f32>, !torch.vtensor<[5,8],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor<[?,5],f32>
  return
}

func.func @no_weights(%a: !torch.vtensor<[?,?],f32>, %w: !torch.vtensor<[5,8,1],f32>) {
  %c1 = torch.constant.none
  // expect: refuted C1
  %0 = torch.aten.linear %a, %w, %c1 : !torch.vtensor<[?,?],f32>, !torch.vtensor<[5,8,1],f32>, !torch.none -> !torch.vtensor<[?,5],f32>
  return
}

func.func @distances(%a: !torch.vtensor<[?,?,?],f32>, %b: !torch.vtensor<[?,?,?],f32>) {
  %p = torch.constant.float 2.0
  %none = torch.constant.none
  // expect: refuted C2
  // expect: refuted C3
  // expect: shape [broadcast(a[0], b[0]), a[1], b[1]]
  %0 = torch.operator "torch.aten._cdist_forward"(%a, %b, %p, %none) : (!torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,?,?],f32>, !torch.float, !torch.none) -> !torch.vtensor<[?,?,?],f32>
  return
}

func.func @distances_of_vectors(%a: !torch.vtensor<[?],f32>, %b: !torch.vtensor<[?,?],f32>) {
  %p = torch.constant.float 2.0
  %none = torch.constant.none
  // expect: refuted C1
  %0 = torch.operator "torch.aten.cdist"(%a, %b, %p, %none) : (!torch.vtensor<[?],f32>, !torch.vtensor<[?,?],f32>, !torch.float, !torch.none) -> !torch.vtensor<[?],f32>
  return
}

func.func @grouped(%x: !torch.vtensor<[?,4],f32>, %w: !torch.vtensor<[8,?,6],f32>, %e: !torch.vtensor<[?],si32>) {
  // expect: refuted C2 with e[0] = 2
  // expect: refuted C3 with w[1] = 2
  // expect: shape [x[0], 6]
  %0 = torch.operator "torch.transformers.grouped_mm_fallback"(%x, %w, %e) : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[8,?,6],f32>, !torch.vtensor<[?],si32>) -> !torch.vtensor<[?,6],f32>
  // expect: refuted C1
  %1 = torch.operator "torch.transformers.grouped_mm_fallback"(%x, %x, %e) : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>, !torch.vtensor<[?],si32>) -> !torch.vtensor<[?,6],f32>
  return
}

func.func @pairs_of_rows(%a: !torch.vtensor<[?,3],f32>, %b: !torch.vtensor<[4,?],f32>) {
  %two = torch.constant.float 2.0
  // expect: shape [(a[0]**2 + a[0])//2 - a[0]]
  %0 = torch.operator "torch.aten._pdist_forward"(%a, %two) : (!torch.vtensor<[?,3],f32>, !torch.float) -> !torch.vtensor<[?],f32>
  // expect: shape [6]
  %1 = torch.operator "torch.aten._pdist_forward"(%b, %two) : (!torch.vtensor<[4,?],f32>, !torch.float) -> !torch.vtensor<[6],f32>
  return
}

func.func @cross_products(%a: !torch.vtensor<[?,?],f32>, %b: !torch.vtensor<[?,?],f32>, %v: !torch.vtensor<[3],f32>) {
  %last = torch.constant.int -1
  %first = torch.constant.int 0
  // expect: refuted C2 with a[1] = 2
  // expect: refuted C3 with a[0] = 2, b[0] = 3
  // expect: shape [broadcast(a[0], b[0]), 3]
  %0 = torch.aten.linalg_cross %a, %b, %last : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>, !torch.int -> !torch.vtensor<[?,3],f32>
  // expect: proved C2
  // expect: proved C3
  // expect: shape [3]
  %2 = torch.aten.linalg_cross %v, %v, %first : !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.int -> !torch.vtensor<[3],f32>
  return
}

func.func @cross_product_of_ranks(%a: !torch.vtensor<[?,3],f32>, %v: !torch.vtensor<[3],f32>) {
  %last = torch.constant.int -1
  // expect: refuted C1
  %0 = torch.operator "torch.aten.linalg_cross"(%a, %v, %last) : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[3],f32>, !torch.int) -> !torch.vtensor<[?,3],f32>
  return
}
