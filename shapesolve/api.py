"""The commands as functions: what a program calls instead of the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shapesolve.collecting import collector_paused
from shapesolve.options import Options

if TYPE_CHECKING:
    from shapesolve.contracts.contract import ContractReport
    from shapesolve.judging.judgement import Judgement
    from shapesolve.judging.report import Report
    from shapesolve.pruning.outcome import PruneResult
    from shapesolve.reading.program import Program

Source = Any
"""A path (`str` or `Path`), MLIR text (a `str` with a line break in it), or a live ``ir.Module`` of MLIR's bindings."""


def check(
    source: Source,
    *,
    assume: Sequence[str] = (),
    shapes: Sequence[str] = (),
    functions: Sequence[str] = (),
    min_size: int = 0,
    execute: bool = True,
    options: Options | None = None,
) -> Report:
    """Decide every obligation of a program. ``options`` replaces all other arguments.

    Raises InputError for a source that cannot be read, an assumption that is not of the size language, or a function
    that does not exist.
    """
    from shapesolve.pipeline import check_program

    chosen = options or Options(
        assumptions=tuple(assume),
        shapes=tuple(shapes),
        functions=tuple(functions),
        min_size=min_size,
        execute=execute,
    )
    with collector_paused():
        return check_program(read(source), chosen)


def prune(
    source: Source, *, assume: Sequence[str] = (), trust_ub: bool = False, options: Options | None = None
) -> PruneResult:
    """The program without the runtime checks that are proved; nothing is written. Raises InputError as `check` does."""
    from shapesolve.pruning.prune import prune_program

    if not isinstance(source, str | Path):
        source = str(source)  # a live module: what is pruned is its text
    with collector_paused():
        return prune_program(read(source), options or Options(assumptions=tuple(assume), trust_ub=trust_ub))


def contract(
    source: Source,
    *,
    assume: Sequence[str] = (),
    shapes: Sequence[str] = (),
    functions: Sequence[str] = (),
    min_size: int = 0,
    options: Options | None = None,
) -> ContractReport:
    """For which sizes each function is safe: conditions, what needs each, and whether they are exact.

    Nothing is executed. ``options`` replaces all other arguments. Raises InputError as `check` does.
    """
    from shapesolve.contracts.inference import contracts_of_program

    chosen = options or Options(
        assumptions=tuple(assume), shapes=tuple(shapes), functions=tuple(functions), min_size=min_size
    )
    with collector_paused():
        return contracts_of_program(read(source), chosen)


def explain(source: Source, line: int, *, assume: Sequence[str] = (), execute: bool = True) -> list[Judgement]:
    """What was decided at one line of the source: obligations, verdicts with their facts, and what execution showed."""
    report = check(source, assume=assume, execute=execute)
    return [each for each in report.judgements if each.obligation.location.line == line]


def read(source: Source) -> Program:
    """Any source as a Program. Raises InputError."""
    from shapesolve.reading.mlir_reader import read_file, read_module, read_text

    if isinstance(source, Path):
        return read_file(str(source))
    if isinstance(source, str):
        return read_text(source) if "\n" in source else read_file(source)
    return read_module(source)
