// The lowerings that the RFC proposes for proposed.mlir: an extent that may be a broadcasting 1 is asked at run time
// whether it is 1, and its operand copied to the largest extent if so. The largest extent is arith.maxui of all, which
// is the broadcast extent as long as no extent is 0.

#at = affine_map<(i) -> (i)>
#first = affine_map<(i) -> (0)>
#scalar = affine_map<() -> ()>
#at2 = affine_map<(i, j) -> (i, j)>
#first_row = affine_map<(i, j) -> (0, j)>
#first_column = affine_map<(i, j) -> (i, 0)>
#at3 = affine_map<(i, j, k) -> (i, j, k)>
#first_plane = affine_map<(i, j, k) -> (0, j, k)>

func.func @equal_static(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %into = tensor.empty() : tensor<3xf32>
  %sum = linalg.generic {indexing_maps = [#at, #at, #at], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<3xf32>, tensor<3xf32>) outs(%into : tensor<3xf32>) {
  ^body(%x: f32, %y: f32, %old: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<3xf32>
  return %sum : tensor<3xf32>
}

func.func @unary_dynamic(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.constant 0 : index
  %n = tensor.dim %a, %0 : tensor<?xf32>
  %into = tensor.empty(%n) : tensor<?xf32>
  %size = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
      ins(%a : tensor<?xf32>) outs(%into : tensor<?xf32>) {
  ^body(%x: f32, %old: f32):
    %z = math.absf %x : f32
    linalg.yield %z : f32
  } -> tensor<?xf32>
  return %size : tensor<?xf32>
}

func.func @result_cast(%a: tensor<5xf32>) -> tensor<?xf32> {
  %into = tensor.empty() : tensor<5xf32>
  %size = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
      ins(%a : tensor<5xf32>) outs(%into : tensor<5xf32>) {
  ^body(%x: f32, %old: f32):
    %z = math.absf %x : f32
    linalg.yield %z : f32
  } -> tensor<5xf32>
  %cast = tensor.cast %size : tensor<5xf32> to tensor<?xf32>
  return %cast : tensor<?xf32>
}

func.func @static_to_static(%a: tensor<1xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %into = tensor.empty() : tensor<3xf32>
  %sum = linalg.generic {indexing_maps = [#first, #at, #at], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<1xf32>, tensor<3xf32>) outs(%into : tensor<3xf32>) {
  ^body(%x: f32, %y: f32, %old: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<3xf32>
  return %sum : tensor<3xf32>
}

func.func @dynamic_to_static(%a: tensor<5xf32>, %b: tensor<?xf32>) -> tensor<5xf32> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %n = tensor.dim %b, %0 : tensor<?xf32>
  %single = arith.cmpi eq, %n, %1 : index
  %wide = scf.if %single -> (tensor<?xf32>) {
    %room = tensor.empty() : tensor<5xf32>
    %copy = linalg.generic {indexing_maps = [#first, #at], iterator_types = ["parallel"]}
        ins(%b : tensor<?xf32>) outs(%room : tensor<5xf32>) {
    ^body(%x: f32, %old: f32):
      linalg.yield %x : f32
    } -> tensor<5xf32>
    %cast = tensor.cast %copy : tensor<5xf32> to tensor<?xf32>
    scf.yield %cast : tensor<?xf32>
  } else {
    scf.yield %b : tensor<?xf32>
  }
  %into = tensor.empty() : tensor<5xf32>
  %sum = linalg.generic {indexing_maps = [#at, #at, #at], iterator_types = ["parallel"]}
      ins(%a, %wide : tensor<5xf32>, tensor<?xf32>) outs(%into : tensor<5xf32>) {
  ^body(%x: f32, %y: f32, %old: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<5xf32>
  return %sum : tensor<5xf32>
}

func.func @static_to_dynamic(%a: tensor<1xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.constant 0 : index
  %n = tensor.dim %b, %0 : tensor<?xf32>
  %into = tensor.empty(%n) : tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#first, #at, #at], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<1xf32>, tensor<?xf32>) outs(%into : tensor<?xf32>) {
  ^body(%x: f32, %y: f32, %old: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<?xf32>
  return %sum : tensor<?xf32>
}

func.func @all_dynamic(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %n_a = tensor.dim %a, %0 : tensor<?xf32>
  %n_b = tensor.dim %b, %0 : tensor<?xf32>
  %n = arith.maxui %n_a, %n_b : index
  %single_a = arith.cmpi eq, %n_a, %1 : index
  %wide_a = scf.if %single_a -> (tensor<?xf32>) {
    %room = tensor.empty(%n) : tensor<?xf32>
    %copy = linalg.generic {indexing_maps = [#first, #at], iterator_types = ["parallel"]}
        ins(%a : tensor<?xf32>) outs(%room : tensor<?xf32>) {
    ^body(%x: f32, %old: f32):
      linalg.yield %x : f32
    } -> tensor<?xf32>
    scf.yield %copy : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  %single_b = arith.cmpi eq, %n_b, %1 : index
  %wide_b = scf.if %single_b -> (tensor<?xf32>) {
    %room = tensor.empty(%n) : tensor<?xf32>
    %copy = linalg.generic {indexing_maps = [#first, #at], iterator_types = ["parallel"]}
        ins(%b : tensor<?xf32>) outs(%room : tensor<?xf32>) {
    ^body(%x: f32, %old: f32):
      linalg.yield %x : f32
    } -> tensor<?xf32>
    scf.yield %copy : tensor<?xf32>
  } else {
    scf.yield %b : tensor<?xf32>
  }
  %into = tensor.empty(%n) : tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#at, #at, #at], iterator_types = ["parallel"]}
      ins(%wide_a, %wide_b : tensor<?xf32>, tensor<?xf32>) outs(%into : tensor<?xf32>) {
  ^body(%x: f32, %y: f32, %old: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<?xf32>
  return %sum : tensor<?xf32>
}

func.func @all_dynamic_2d(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %rows_a = tensor.dim %a, %0 : tensor<?x?xf32>
  %rows_b = tensor.dim %b, %0 : tensor<?x?xf32>
  %rows = arith.maxui %rows_a, %rows_b : index
  %columns_a = tensor.dim %a, %1 : tensor<?x?xf32>
  %columns_b = tensor.dim %b, %1 : tensor<?x?xf32>
  %columns = arith.maxui %columns_a, %columns_b : index
  %single_row_a = arith.cmpi eq, %rows_a, %1 : index
  %tall_a = scf.if %single_row_a -> (tensor<?x?xf32>) {
    %kept = tensor.dim %a, %1 : tensor<?x?xf32>
    %room = tensor.empty(%rows, %kept) : tensor<?x?xf32>
    %copy = linalg.generic {indexing_maps = [#first_row, #at2], iterator_types = ["parallel", "parallel"]}
        ins(%a : tensor<?x?xf32>) outs(%room : tensor<?x?xf32>) {
    ^body(%x: f32, %old: f32):
      linalg.yield %x : f32
    } -> tensor<?x?xf32>
    scf.yield %copy : tensor<?x?xf32>
  } else {
    scf.yield %a : tensor<?x?xf32>
  }
  %now_a = tensor.dim %tall_a, %1 : tensor<?x?xf32>
  %single_column_a = arith.cmpi eq, %now_a, %1 : index
  %wide_a = scf.if %single_column_a -> (tensor<?x?xf32>) {
    %kept = tensor.dim %tall_a, %0 : tensor<?x?xf32>
    %room = tensor.empty(%kept, %columns) : tensor<?x?xf32>
    %copy = linalg.generic {indexing_maps = [#first_column, #at2], iterator_types = ["parallel", "parallel"]}
        ins(%tall_a : tensor<?x?xf32>) outs(%room : tensor<?x?xf32>) {
    ^body(%x: f32, %old: f32):
      linalg.yield %x : f32
    } -> tensor<?x?xf32>
    scf.yield %copy : tensor<?x?xf32>
  } else {
    scf.yield %tall_a : tensor<?x?xf32>
  }
  %single_row_b = arith.cmpi eq, %rows_b, %1 : index
  %tall_b = scf.if %single_row_b -> (tensor<?x?xf32>) {
    %kept = tensor.dim %b, %1 : tensor<?x?xf32>
    %room = tensor.empty(%rows, %kept) : tensor<?x?xf32>
    %copy = linalg.generic {indexing_maps = [#first_row, #at2], iterator_types = ["parallel", "parallel"]}
        ins(%b : tensor<?x?xf32>) outs(%room : tensor<?x?xf32>) {
    ^body(%x: f32, %old: f32):
      linalg.yield %x : f32
    } -> tensor<?x?xf32>
    scf.yield %copy : tensor<?x?xf32>
  } else {
    scf.yield %b : tensor<?x?xf32>
  }
  %now_b = tensor.dim %tall_b, %1 : tensor<?x?xf32>
  %single_column_b = arith.cmpi eq, %now_b, %1 : index
  %wide_b = scf.if %single_column_b -> (tensor<?x?xf32>) {
    %kept = tensor.dim %tall_b, %0 : tensor<?x?xf32>
    %room = tensor.empty(%kept, %columns) : tensor<?x?xf32>
    %copy = linalg.generic {indexing_maps = [#first_column, #at2], iterator_types = ["parallel", "parallel"]}
        ins(%tall_b : tensor<?x?xf32>) outs(%room : tensor<?x?xf32>) {
    ^body(%x: f32, %old: f32):
      linalg.yield %x : f32
    } -> tensor<?x?xf32>
    scf.yield %copy : tensor<?x?xf32>
  } else {
    scf.yield %tall_b : tensor<?x?xf32>
  }
  %into = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %sum = linalg.generic {indexing_maps = [#at2, #at2, #at2], iterator_types = ["parallel", "parallel"]}
      ins(%wide_a, %wide_b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%into : tensor<?x?xf32>) {
  ^body(%x: f32, %y: f32, %old: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<?x?xf32>
  return %sum : tensor<?x?xf32>
}

func.func @no_dimensions(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %into = tensor.empty() : tensor<f32>
  %sum = linalg.generic {indexing_maps = [#scalar, #scalar, #scalar], iterator_types = []}
      ins(%a, %b : tensor<f32>, tensor<f32>) outs(%into : tensor<f32>) {
  ^body(%x: f32, %y: f32, %old: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<f32>
  return %sum : tensor<f32>
}

func.func @ranks_differ(%a: tensor<3x4xf32>, %b: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %wide = tensor.expand_shape %a [[0, 1], [2]] output_shape [1, 3, 4] : tensor<3x4xf32> into tensor<1x3x4xf32>
  %into = tensor.empty() : tensor<2x3x4xf32>
  %sum = linalg.generic {indexing_maps = [#first_plane, #at3, #at3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%wide, %b : tensor<1x3x4xf32>, tensor<2x3x4xf32>) outs(%into : tensor<2x3x4xf32>) {
  ^body(%x: f32, %y: f32, %old: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<2x3x4xf32>
  return %sum : tensor<2x3x4xf32>
}

func.func @ternary(%c: tensor<2x?xi1>, %a: tensor<2x?xf32>, %b: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %1 = arith.constant 1 : index
  %n_c = tensor.dim %c, %1 : tensor<2x?xi1>
  %n_a = tensor.dim %a, %1 : tensor<2x?xf32>
  %larger = arith.maxui %n_c, %n_a : index
  %n_b = tensor.dim %b, %1 : tensor<2x?xf32>
  %n = arith.maxui %larger, %n_b : index
  %single_c = arith.cmpi eq, %n_c, %1 : index
  %wide_c = scf.if %single_c -> (tensor<2x?xi1>) {
    %room = tensor.empty(%n) : tensor<2x?xi1>
    %copy = linalg.generic {indexing_maps = [#first_column, #at2], iterator_types = ["parallel", "parallel"]}
        ins(%c : tensor<2x?xi1>) outs(%room : tensor<2x?xi1>) {
    ^body(%x: i1, %old: i1):
      linalg.yield %x : i1
    } -> tensor<2x?xi1>
    scf.yield %copy : tensor<2x?xi1>
  } else {
    scf.yield %c : tensor<2x?xi1>
  }
  %single_a = arith.cmpi eq, %n_a, %1 : index
  %wide_a = scf.if %single_a -> (tensor<2x?xf32>) {
    %room = tensor.empty(%n) : tensor<2x?xf32>
    %copy = linalg.generic {indexing_maps = [#first_column, #at2], iterator_types = ["parallel", "parallel"]}
        ins(%a : tensor<2x?xf32>) outs(%room : tensor<2x?xf32>) {
    ^body(%x: f32, %old: f32):
      linalg.yield %x : f32
    } -> tensor<2x?xf32>
    scf.yield %copy : tensor<2x?xf32>
  } else {
    scf.yield %a : tensor<2x?xf32>
  }
  %single_b = arith.cmpi eq, %n_b, %1 : index
  %wide_b = scf.if %single_b -> (tensor<2x?xf32>) {
    %room = tensor.empty(%n) : tensor<2x?xf32>
    %copy = linalg.generic {indexing_maps = [#first_column, #at2], iterator_types = ["parallel", "parallel"]}
        ins(%b : tensor<2x?xf32>) outs(%room : tensor<2x?xf32>) {
    ^body(%x: f32, %old: f32):
      linalg.yield %x : f32
    } -> tensor<2x?xf32>
    scf.yield %copy : tensor<2x?xf32>
  } else {
    scf.yield %b : tensor<2x?xf32>
  }
  %into = tensor.empty(%n) : tensor<2x?xf32>
  %chosen = linalg.generic {indexing_maps = [#at2, #at2, #at2, #at2], iterator_types = ["parallel", "parallel"]}
      ins(%wide_c, %wide_a, %wide_b : tensor<2x?xi1>, tensor<2x?xf32>, tensor<2x?xf32>) outs(%into : tensor<2x?xf32>) {
  ^body(%p: i1, %x: f32, %y: f32, %old: f32):
    %z = arith.select %p, %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<2x?xf32>
  return %chosen : tensor<2x?xf32>
}
