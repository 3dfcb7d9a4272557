"""The encoder block with dynamic batch and sequence length -> ../transformer.mlir and two siblings

transformer.mlir             linear and matmul kept whole until torch-mlir lowers them to linalg-on-tensors
transformer_flattened.mlir   torch-mlir's default: PyTorch's decompositions run first, and their views go wrong
transformer_stablehlo.mlir   as transformer.mlir, to StableHLO, with shape.cstr_broadcastable for checks
"""

from pathlib import Path

import torch
from torch_lowering import AUTO, fill_parameters, lower, write
from torch_mlir.compiler_utils import OutputType
from transformer_model import EncoderBlock

HERE = Path(__file__).resolve().parent


def export() -> torch.export.ExportedProgram:
    """The block as torch.export sees it, all sizes dynamic but the width and the mask's broadcast dimension."""
    module = fill_parameters(EncoderBlock(), 0.125)
    arguments = (torch.ones(2, 5, 8), torch.ones(2, 5, 8), torch.zeros(2, 1, 5, 5))
    shapes = ({0: AUTO, 1: AUTO}, {0: AUTO, 1: AUTO}, {0: AUTO, 2: AUTO, 3: AUTO})
    return torch.export.export(module, arguments, dynamic_shapes=shapes)


def main() -> None:
    subject = "A transformer encoder block on [B, S, 8]: exporters/transformer.py, torch-mlir"
    linalg = OutputType.LINALG_ON_TENSORS
    whole = lower(export(), linalg, decompose=False)
    write(HERE.parent / "transformer.mlir", f"{subject} linalg-on-tensors", str(whole))
    flattened = lower(export(), linalg)
    write(HERE.parent / "transformer_flattened.mlir", f"{subject} linalg-on-tensors, decomposed first", str(flattened))
    stablehlo = lower(export(), OutputType.STABLEHLO, decompose=False)
    write(HERE.parent / "transformer_stablehlo.mlir", f"{subject} StableHLO", str(stablehlo))


if __name__ == "__main__":
    main()
