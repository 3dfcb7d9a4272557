"""Seconds of a shape function's answer at a launch, beside numpy's, torch's meta tensors and the walk of the function.

python benchmarks/shape_queries.py
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from timeit import repeat
from typing import Any

import numpy as np

from shapesolve.shape_functions.queries import library

TEXT = """shape.function_library @queries {
  func @add(%a: !shape.shape, %b: !shape.shape) -> !shape.shape {
    %r = broadcast %a, %b {error = "the operands do not broadcast"} : !shape.shape, !shape.shape -> !shape.shape
    return %r : !shape.shape
  }
  func @matmul(%a: !shape.shape, %b: !shape.shape) -> !shape.shape {
    %0 = const_size 0
    %1 = const_size 1
    %m = get_extent %a, %0 : !shape.shape, !shape.size -> !shape.size
    %k = get_extent %a, %1 : !shape.shape, !shape.size -> !shape.size
    %l = get_extent %b, %0 : !shape.shape, !shape.size -> !shape.size
    %n = get_extent %b, %1 : !shape.shape, !shape.size -> !shape.size
    %same = meet %k, %l, error = "the inner sizes differ" : !shape.size, !shape.size -> !shape.size
    %r = from_extents %m, %n : !shape.size, !shape.size
    return %r : !shape.shape
  }
} mapping { my.add = @add, my.matmul = @matmul }
"""

TIMES = 2_000


def microseconds(call: Callable[[], object], times: int = TIMES) -> float:
    """Return the least mean time of a call over five rounds, in microseconds."""
    return min(repeat(call, number=times, repeat=5)) / times * 1e6


def torch_queries() -> dict[str, Callable[[], object]]:
    """Return the same questions to PyTorch's meta tensors; none where it is not installed."""
    try:
        torch: Any = import_module("torch")
    except ImportError:
        return {}
    a, b = torch.empty(8, 1, 64, device="meta"), torch.empty(16, 64, device="meta")
    x, y = torch.empty(128, 64, device="meta"), torch.empty(64, 32, device="meta")
    return {"my.add": lambda: (a + b).shape, "my.matmul": lambda: (x @ y).shape}


def main() -> None:
    """Print the table."""
    functions = library(TEXT)
    questions = {"my.add": ((8, 1, 64), (16, 64)), "my.matmul": ((128, 64), (64, 32))}
    others = torch_queries()
    print(f"{'microseconds':14} {'compiled':>9} {'walked':>9} {'numpy':>9} {'torch meta':>11}")
    for name, operands in questions.items():
        function = functions[name]
        walked = microseconds(lambda f=function, o=operands: f.on(*o), TIMES // 20)
        numpy = microseconds(lambda: np.broadcast_shapes((8, 1, 64), (16, 64))) if name == "my.add" else None
        row = [
            microseconds(lambda f=function, o=operands: f.at(*o)),
            walked,
            numpy,
            microseconds(others[name]) if name in others else None,
        ]
        print(f"{name:14} {' '.join(f'{each:9.1f}' if each is not None else '        -' for each in row)}")


if __name__ == "__main__":
    main()
