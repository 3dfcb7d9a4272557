"""nn.Linear on [B, T, 8] with B and T dynamic -> ../linear.mlir"""

from pathlib import Path

import torch
from torch_lowering import AUTO, fill_parameters, lower, write
from torch_mlir.compiler_utils import OutputType

HERE = Path(__file__).resolve().parent


def main() -> None:
    module = fill_parameters(torch.nn.Linear(8, 4), 0.5)
    program = torch.export.export(module, (torch.ones(2, 3, 8),), dynamic_shapes=({0: AUTO, 1: AUTO},))
    title = "nn.Linear(8, 4) on [B, T, 8]: exporters/linear.py, torch-mlir linalg-on-tensors"
    write(HERE.parent / "linear.mlir", title, str(lower(program, OutputType.LINALG_ON_TENSORS)))


if __name__ == "__main__":
    main()
