"""Models of PyTorch, JAX and ONNX as MLIR, with what their exporters know of the sizes.

What belongs to a framework runs in a process of its own (`child`): the user's file, the framework, the weights.
"""
