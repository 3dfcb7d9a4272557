"""Frozen IR imported from MLIR, with its control flow and data flow."""
