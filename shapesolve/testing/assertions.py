"""The assertion that a program or a model is safe for all sizes."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shapesolve.errors import RefutedError
from shapesolve.options import Options

if TYPE_CHECKING:
    from shapesolve.checker.report import Report


def assert_shape_safe(
    program: Any,
    args: Sequence[Any] | Mapping[str, Any] = (),
    dynamic_shapes: Any = None,
    *,
    assume: str | Sequence[str] = (),
    shapes: str | Sequence[str] = (),
    functions: str | Sequence[str] = (),
    min_size: int = 0,
    execute: bool = True,
    allow_undecided: bool = False,
) -> Report:
    """Fail, with the report, unless everything that could go wrong with sizes is proved impossible.

    Args:
        program: A path, the text of MLIR, or a live module, as `shapesolve.check` takes it; or a PyTorch module or
            ``ExportedProgram``, as `shapesolve.torch.check` takes it.
        args: The example inputs of a PyTorch module.
        dynamic_shapes: Its dynamic shapes, as torch.export takes them.
        assume: Claims about the arguments that are believed: ``"x[1] == w[0]"``.
        shapes: Shapes of arguments: ``"x=[B, 4]"``.
        functions: The functions to check; all if none is named.
        min_size: The smallest size of a dynamic extent.
        execute: Whether counterexamples are executed.
        allow_undecided: Whether what is neither proved nor refuted passes.

    Returns:
        The report, for further assertions.

    Raises:
        RefutedError: Something fails for some sizes, or is undecided. It is an AssertionError, and its text is the
            report.
        InputError: The program cannot be read.
    """
    from shapesolve import api

    options = Options(
        assumptions=_several(assume),
        shapes=_several(shapes),
        functions=_several(functions),
        min_size=min_size,
        execute=execute,
    )
    if _is_of_torch(program):
        from shapesolve import torch

        report = torch.check(program, args, dynamic_shapes, options=options, name=type(program).__name__)
    else:
        report = api.check(_shortened(program), options=options)
    require_safe(report, allow_undecided=allow_undecided)
    return report


def require_safe(report: Report, *, allow_undecided: bool = False) -> None:
    """Raise an error with the report unless it is one of a safe program.

    Raises:
        RefutedError: It is not.
    """
    if report.verdict_code == 1 or (report.exit_code and not allow_undecided):
        raise RefutedError(f"not safe for all sizes: {report!r}\n\n{report.text()}")


def _is_of_torch(program: object) -> bool:
    """Return whether a value is a model of PyTorch, which is not loaded for that."""
    torch: Any = sys.modules.get("torch")
    return torch is not None and isinstance(program, torch.nn.Module | torch.export.ExportedProgram)


def _shortened(program: Any) -> Any:
    """Return a path as it is shown: from the current directory, if it is below it."""
    here = Path.cwd()
    return program.relative_to(here) if isinstance(program, Path) and program.is_relative_to(here) else program


def _several(texts: str | Sequence[str]) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else tuple(texts)
