"""shapesolve: a symbolic shape-constraint solver for MLIR."""
