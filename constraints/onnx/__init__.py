"""Semantics of ONNX operators, as torch-mlir's importer writes their nodes."""
