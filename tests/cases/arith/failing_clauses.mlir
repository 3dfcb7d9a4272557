// What the rules of this dialect demand, and sizes for which it does not hold: one clause or two for each function.

func.func @addi_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = arith.addi %a, %b : tensor<?xi32>
  return
}

func.func @subi_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = arith.subi %a, %b : tensor<?xi32>
  return
}

func.func @muli_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = arith.muli %a, %b : tensor<?xi32>
  return
}

func.func @andi_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = arith.andi %a, %b : tensor<?xi32>
  return
}

func.func @ori_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = arith.ori %a, %b : tensor<?xi32>
  return
}

func.func @xori_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = arith.xori %a, %b : tensor<?xi32>
  return
}

func.func @maxsi_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = arith.maxsi %a, %b : tensor<?xi32>
  return
}

func.func @maxui_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = arith.maxui %a, %b : tensor<?xi32>
  return
}

func.func @minsi_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = arith.minsi %a, %b : tensor<?xi32>
  return
}

func.func @minui_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = arith.minui %a, %b : tensor<?xi32>
  return
}

func.func @shli_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  // expect: undecided C2
  // expect: approximated
  %0 = arith.shli %a, %b : tensor<?xi32>
  return
}

func.func @shrsi_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  // expect: undecided C2
  // expect: approximated
  %0 = arith.shrsi %a, %b : tensor<?xi32>
  return
}

func.func @shrui_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  // expect: undecided C2
  // expect: approximated
  %0 = arith.shrui %a, %b : tensor<?xi32>
  return
}

func.func @ceildivsi_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  // expect: undecided C2
  // expect: undecided C3
  // expect: approximated
  %0 = arith.ceildivsi %a, %b : tensor<?xi32>
  return
}

func.func @ceildivui_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  // expect: undecided C2
  // expect: approximated
  %0 = arith.ceildivui %a, %b : tensor<?xi32>
  return
}

func.func @divsi_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  // expect: undecided C2
  // expect: undecided C3
  // expect: approximated
  %0 = arith.divsi %a, %b : tensor<?xi32>
  return
}

func.func @divui_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  // expect: undecided C2
  // expect: approximated
  %0 = arith.divui %a, %b : tensor<?xi32>
  return
}

func.func @floordivsi_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  // expect: undecided C2
  // expect: undecided C3
  // expect: approximated
  %0 = arith.floordivsi %a, %b : tensor<?xi32>
  return
}

func.func @remsi_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  // expect: undecided C2
  // expect: approximated
  %0 = arith.remsi %a, %b : tensor<?xi32>
  return
}

func.func @remui_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  // expect: undecided C2
  // expect: approximated
  %0 = arith.remui %a, %b : tensor<?xi32>
  return
}

func.func @addui_extended_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0:2 = arith.addui_extended %a, %b : tensor<?xi32>, tensor<?xi1>
  return
}

func.func @subui_extended_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0:2 = arith.subui_extended %a, %b : tensor<?xi32>, tensor<?xi1>
  return
}

func.func @mulsi_extended_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0:2 = arith.mulsi_extended %a, %b : tensor<?xi32>
  return
}

func.func @mului_extended_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0:2 = arith.mului_extended %a, %b : tensor<?xi32>
  return
}

func.func @divf_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  // expect: refuted C1
  %0 = arith.divf %a, %b : tensor<?xf32>
  return
}

func.func @maximumf_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  // expect: refuted C1
  %0 = arith.maximumf %a, %b : tensor<?xf32>
  return
}

func.func @maxnumf_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  // expect: refuted C1
  %0 = arith.maxnumf %a, %b : tensor<?xf32>
  return
}

func.func @minimumf_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  // expect: refuted C1
  %0 = arith.minimumf %a, %b : tensor<?xf32>
  return
}

func.func @minnumf_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  // expect: refuted C1
  %0 = arith.minnumf %a, %b : tensor<?xf32>
  return
}

func.func @mulf_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  // expect: refuted C1
  %0 = arith.mulf %a, %b : tensor<?xf32>
  return
}

func.func @remf_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  // expect: refuted C1
  %0 = arith.remf %a, %b : tensor<?xf32>
  return
}

func.func @subf_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  // expect: refuted C1
  %0 = arith.subf %a, %b : tensor<?xf32>
  return
}

func.func @cmpf_of_other_extents(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  // expect: refuted C1
  %0 = arith.cmpf olt, %a, %b : tensor<?xf32>
  return
}

func.func @cmpi_of_other_extents(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  // expect: refuted C1
  %0 = arith.cmpi slt, %a, %b : tensor<?xi32>
  return
}

func.func @scaled_by_other_extents(%a: tensor<?xf8E5M2>, %b: tensor<?xf8E8M0FNU>) {
  // expect: refuted C1
  %0 = arith.scaling_extf %a, %b : tensor<?xf8E5M2>, tensor<?xf8E8M0FNU> to tensor<?xf32>
  return
}

func.func @scaled_down_by_other_extents(%a: tensor<?xf32>, %b: tensor<?xf8E8M0FNU>) {
  // expect: refuted C1
  %0 = arith.scaling_truncf %a, %b : tensor<?xf32>, tensor<?xf8E8M0FNU> to tensor<?xf8E5M2>
  return
}

func.func @subi_that_wraps_nsw(%a: i8, %b: i8) {
  // expect: refuted C2
  %0 = arith.subi %a, %b overflow<nsw> : i8
  return
}

func.func @subi_that_wraps_nuw(%a: i8, %b: i8) {
  // expect: refuted C2
  %0 = arith.subi %a, %b overflow<nuw> : i8
  return
}

func.func @muli_that_wraps_nsw(%a: i8, %b: i8) {
  // expect: refuted C2
  %0 = arith.muli %a, %b overflow<nsw> : i8
  return
}

func.func @muli_that_wraps_nuw(%a: i8, %b: i8) {
  // expect: refuted C2
  %0 = arith.muli %a, %b overflow<nuw> : i8
  return
}

func.func @shli_that_wraps(%a: i8) {
  %c1 = arith.constant 1 : i8
  // expect: refuted C3
  %0 = arith.shli %a, %c1 overflow<nsw> : i8
  return
}

func.func @index_castui_of_a_negative(%a: i32) {
  // expect: refuted C2
  %0 = arith.index_castui %a nneg : i32 to index
  return
}

func.func @trunci_that_loses_nsw(%a: i32) {
  // expect: refuted C3
  %0 = arith.trunci %a overflow<nsw> : i32 to i8
  return
}

func.func @trunci_that_loses_nuw(%a: i32) {
  // expect: refuted C3
  %0 = arith.trunci %a overflow<nuw> : i32 to i8
  return
}

func.func @ceildivsi_by_zero(%a: i32, %b: i32) {
  // expect: refuted C2
  // expect: refuted C3
  %0 = arith.ceildivsi %a, %b : i32
  return
}

func.func @ceildivui_by_zero(%a: i32, %b: i32) {
  // expect: refuted C2
  %0 = arith.ceildivui %a, %b : i32
  return
}

func.func @divsi_by_zero(%a: i32, %b: i32) {
  // expect: refuted C2
  // expect: refuted C3
  %0 = arith.divsi %a, %b : i32
  return
}

func.func @divui_by_zero(%a: i32, %b: i32) {
  // expect: refuted C2
  %0 = arith.divui %a, %b : i32
  return
}

func.func @floordivsi_by_zero(%a: i32, %b: i32) {
  // expect: refuted C2
  // expect: refuted C3
  %0 = arith.floordivsi %a, %b : i32
  return
}

func.func @remsi_by_zero(%a: i32, %b: i32) {
  // expect: refuted C2
  // expect: refuted C3
  %0 = arith.remsi %a, %b : i32
  return
}

func.func @remui_by_zero(%a: i32, %b: i32) {
  // expect: refuted C2
  %0 = arith.remui %a, %b : i32
  return
}

func.func @divui_with_a_rest(%a: i32) {
  %c4 = arith.constant 4 : i32
  // expect: refuted C4
  %0 = arith.divui %a, %c4 exact : i32
  return
}

func.func @divsi_with_a_rest(%a: i32) {
  %c4 = arith.constant 4 : i32
  // expect: refuted C4
  %0 = arith.divsi %a, %c4 exact : i32
  return
}

func.func @shrsi_too_far(%a: i32, %b: i32) {
  // expect: refuted C2
  // expect: approximated
  %0 = arith.shrsi %a, %b : i32
  return
}

func.func @shrui_too_far(%a: i32, %b: i32) {
  // expect: refuted C2
  // expect: approximated
  %0 = arith.shrui %a, %b : i32
  return
}

func.func @shli_too_far(%a: i32, %b: i32) {
  // expect: refuted C2
  // expect: approximated
  %0 = arith.shli %a, %b : i32
  return
}

func.func @shrsi_with_a_rest(%a: i32) {
  %c4 = arith.constant 2 : i32
  // expect: refuted C4
  %0 = arith.shrsi %a, %c4 exact : i32
  return
}

func.func @shrui_with_a_rest(%a: i32) {
  %c4 = arith.constant 2 : i32
  // expect: refuted C4
  %0 = arith.shrui %a, %c4 exact : i32
  return
}
