"""Export of PyTorch, JAX and ONNX models to MLIR, with the facts that their exporters know of the sizes.

The user's file, the framework and the weights are loaded in a process of their own (`export_worker`).
"""
