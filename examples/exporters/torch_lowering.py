"""PyTorch module -> MLIR text, the way torch-mlir's users get there, but with constants short enough to read."""

from pathlib import Path
from typing import Any

import torch
from torch_mlir import fx
from torch_mlir.compiler_utils import OutputType
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.extras.fx_importer import (
    TORCH_DTYPE_TO_MLIR_TYPE,
    FxImporter,
    FxImporterHooks,
    GraphNodeImporter,
    InputInfo,
)
from torch_mlir.ir import Context, DenseElementsAttr, Module, Operation, Type, Value

AUTO = torch.export.Dim.AUTO


class InlineLiterals(FxImporterHooks):
    """Prints weights as `dense<...>` (one number when all are equal) instead of a hexadecimal resource blob."""

    def resolve_literal(self, gni: GraphNodeImporter, literal: Any, info: InputInfo | None) -> Value | None:
        if not isinstance(literal, torch.Tensor):
            return None
        element = TORCH_DTYPE_TO_MLIR_TYPE[literal.dtype]()
        array = literal.detach().contiguous().numpy()
        shape = list(literal.shape)
        attribute = DenseElementsAttr.get(array, type=element, shape=shape)
        sizes = ",".join(str(size) for size in shape)
        result = Type.parse(f"!torch.vtensor<[{sizes}],{element}>")
        return Operation.create("torch.vtensor.literal", results=[result], attributes={"value": attribute}).result


def fill_parameters(module: torch.nn.Module, value: float) -> torch.nn.Module:
    """Gives every parameter the same value: shapes are what these files are about."""
    for parameter in module.parameters():
        torch.nn.init.constant_(parameter, value)
    return module.eval()


def lower(program: torch.export.ExportedProgram, output: OutputType, *, decompose: bool = True) -> Module:
    """Runs torch-mlir's own pipeline from an exported program to the backend dialects named by `output`.

    `decompose=True` is torch-mlir's default: PyTorch first rewrites linear and matmul into view, mm, view. With False
    (an empty `decomposition_table`) torch-mlir sees them whole and lowers them to batched products.
    """
    context = Context()
    torch_dialect.register_dialect(context)
    importer = FxImporter(context=context, hooks=InlineLiterals())
    table = None if decompose else {}
    return fx.export_and_import(
        program, output_type=output, fx_importer=importer, func_name="forward", decomposition_table=table
    )


def write(path: Path, title: str, module_text: str) -> None:
    """Writes one example with a line that says where it came from."""
    path.write_text(f"// {title}\n{module_text.rstrip()}\n")
    print(f"wrote {path.name}: {path.stat().st_size} bytes")
