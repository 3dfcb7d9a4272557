"""Test over all case files that a size named in a message as an extent of an operand is that extent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from shapesolve.domain.values import Tensor
from shapesolve.interpreter.function_interpreter import interpret
from shapesolve.interpreter.inputs import make_inputs
from shapesolve.ir.reader import read_file
from shapesolve.semantics.registry import load_rules
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.trace.events import Obligation, Trace

pytestmark = pytest.mark.slow

CASES = Path(__file__).parents[1] / "cases"
EXTENT = re.compile(r"extent (\d+) of (%[^ ]+)")


MERGED = {("tosa.fft2d", "C2")}
"""Clauses about the shape that both operands have by an earlier clause: its constants are those of either."""


def shown_extents(trace: Trace, obligation: Obligation) -> Iterator[tuple[str, object, object]]:
    """Yield the name, the size and the extent of each extent that an obligation shows."""
    values = {value.name: trace.values.get(value) for value in obligation.op.operands}
    for name, size in obligation.shown:
        if (named := EXTENT.fullmatch(name)) is None:
            continue
        value = values.get(named[2])
        if isinstance(value, Tensor) and value.elements is not None and obligation.op.name.startswith("shape."):
            yield name, size, value.elements[int(named[1])]
        elif isinstance(value, Tensor) and isinstance(value.shape, RankedShape):
            yield name, size, value.shape.dims[int(named[1])]


@pytest.mark.parametrize("dialect", ["linalg", "shape", "stablehlo", "tensor", "tosa"])
def test_an_extent_in_a_message_is_the_extent(dialect: str) -> None:
    wrong: list[str] = []
    shown = 0
    for path in sorted((CASES / dialect).rglob("*.mlir")):
        program = read_file(str(path))
        for function in program.functions.values():
            trace = interpret(program, make_inputs(function), load_rules())
            for obligation in trace.obligations:
                clause = (obligation.op.name, obligation.clause)
                if trace.reached.get(obligation.op, 0) != 1 or clause in MERGED:
                    continue
                for name, size, extent in shown_extents(trace, obligation):
                    shown += 1
                    if str(size) != str(extent):
                        wrong.append(f"{path.name}:{obligation.location.line}: {name} is {extent}, not {size}")
    assert shown
    assert not wrong, "\n".join(wrong)
