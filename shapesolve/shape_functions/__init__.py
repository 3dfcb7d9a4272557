"""Shape functions that users write: MLIR text and Python files that give meaning to operations of their own."""
