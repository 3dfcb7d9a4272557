#id = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<?xindex>, %p: i1) -> tensor<?xindex> {
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%a : tensor<?xindex>) {
  ^bb0(%o: index):
    %i = linalg.index 0 : index
    %r = scf.if %p -> (index) {
      scf.yield %i : index
    } else {
      scf.yield %o : index
    }
    linalg.yield %r : index
  } -> tensor<?xindex>
  return %0 : tensor<?xindex>
}
