"""Edited programs: the text that a rewriter leaves, read again and compared with the original."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from shapesolve.ir.bindings import verifies
from shapesolve.ir.program import Program, Value
from shapesolve.ir.reader import read_text
from shapesolve.rewriting.checks import RewriteError
from shapesolve.rewriting.correspondence import NO_OPERANDS, require_same_operations
from shapesolve.rewriting.printer import written
from shapesolve.rewriting.rewriter import Rewriter


def read_again(rewriter: Rewriter, program: Program) -> tuple[Program, tuple[int, ...]]:
    """Return an edited program, and for each of its operations the number in the original, negative for a new one."""
    return read_text(written(rewriter, program), program.file), tuple(rewriter.order())


def require_edited(
    rewriter: Rewriter,
    program: Program,
    what: str,
    *,
    erased: Container[int] = (),
    operands: Mapping[int, Sequence[Value]] = NO_OPERANDS,
) -> tuple[Program, tuple[int, ...]]:
    """Return an edited program as `read_again` does, if it has the operations of the original.

    Args:
        rewriter: The rewriter that edited it.
        program: The original.
        what: The edited program, in words.
        erased: Numbers of the operations that it does not have.
        operands: The operands that are expected instead of the original ones, by number.

    Raises:
        RewriteError: MLIR rejects it, or it differs otherwise.
    """
    if not verifies(rewriter.module.operation):
        raise RewriteError(f"MLIR does not accept {what}")
    changed, order = read_again(rewriter, program)
    require_same_operations(program, changed, order, what, erased=erased, operands=operands)
    return changed, order
