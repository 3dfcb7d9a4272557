// Complex numbers have no shape, so nothing is demanded of one; what is compared or reinterpreted is not followed.

#id = affine_map<(d0) -> (d0)>

func.func @magnitudes(%re: tensor<?xf32>, %im: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %re, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  // expect: refuted C1 with re[0] = 2, im[0] = 3
  // expect: shape [re[0]]
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%re, %im : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %z = complex.create %a, %b : complex<f32>
    %k = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
    %p = complex.mul %z, %k : complex<f32>
    %q = complex.div %p, %k : complex<f32>
    %m = complex.abs %q : complex<f32>
    %x = complex.re %p : complex<f32>
    %y = complex.im %p : complex<f32>
    %s = arith.addf %x, %y : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @compared(%a: complex<f32>, %b: complex<f32>, %x: tensor<?xf32>) {
  // expect: approximated depends on the data of %a and %b
  %same = complex.eq %a, %b : complex<f32>
  // expect: undecided C1
  cf.assert %same, "the same"
  // expect: approximated depends on the data of %a
  %bits = complex.bitcast %a : complex<f32> to i64
  %place = arith.index_cast %bits : i64 to index
  // expect: undecided C1
  %0 = tensor.extract %x[%place] : tensor<?xf32>
  return
}
