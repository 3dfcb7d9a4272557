// Element-wise TOSA on dynamic sizes, written by hand. Every operand may be broadcast: a size is either the common one or 1.
// Lowered by exporters/tosa_chain.py into tosa_chain_lowered.mlir.

// Three operands meet on one dimension; a static 4 joins late.
func.func @gate(%signal: tensor<?xf32>, %gain: tensor<?xf32>, %bias: tensor<4xf32>) -> tensor<4xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %scaled = tosa.mul %signal, %gain, %shift : (tensor<?xf32>, tensor<?xf32>, tensor<1xi8>) -> tensor<?xf32>
  %moved = tosa.add %scaled, %bias : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  %kept = tosa.maximum %moved, %bias : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %kept : tensor<4xf32>
}

// Rows and columns broadcast independently; the select has three operands.
func.func @blend(%left: tensor<?x?xf32>, %right: tensor<?x?xf32>, %mask: tensor<?x1xi1>) -> tensor<?x?xf32> {
  %difference = tosa.sub %left, %right : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %size = tosa.abs %difference : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %capped = tosa.minimum %size, %right : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %chosen = tosa.select %mask, %capped, %left : (tensor<?x1xi1>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %chosen : tensor<?x?xf32>
}

// The same two operands again: the second check asks nothing that the first has not settled.
func.func @settled(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %sum = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %largest = tosa.maximum %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %both = tosa.add %sum, %largest : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %both : tensor<?xf32>
}
