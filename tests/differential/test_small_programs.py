"""Differential test of the rules on small programs against compiled execution at every small size."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from support.predicted_outcomes import disagreement, predicted
from support.small_programs import PROGRAMS

from shapesolve.checker.check import trace_of
from shapesolve.domain.values import Tensor
from shapesolve.execution.execution import Input, arguments
from shapesolve.execution.runner import execute_many
from shapesolve.execution.sandbox import can_fork
from shapesolve.ir.program import ShapedType
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import of_atom
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import equal
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.trace.events import Trace

pytestmark = pytest.mark.process

MOST = {1: 9, 2: 5, 3: 3}
"""The largest size that is tried, by how many there are."""


def sizes_of(trace: Trace, least: int) -> list[dict[Variable, int]]:
    """Yield every assignment of small sizes, and of small numbers that may be negative."""
    most = MOST[len(trace.input_variables)]
    numbers = {
        argument.name.lstrip("%") for argument in trace.function.arguments if not isinstance(argument.type, ShapedType)
    }
    ranges = [range(-1 if each.name in numbers else least, most + 1) for each in trace.input_variables]
    return [dict(zip(trace.input_variables, chosen, strict=True)) for chosen in product(*ranges)]


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_first_claim_that_is_false_is_where_it_fails(name: str) -> None:
    small = PROGRAMS[name]
    program = read_text(small.text)
    trace = trace_of(program, program.functions["f"], Options())
    assert not trace.approximations
    tried = sizes_of(trace, small.least)
    tried = tried if can_fork else tried[::10]  # without forks, each compiles the program again
    runs: list[tuple[Input, ...]] = []
    for sizes in tried:
        given = arguments(trace, sizes)
        assert not isinstance(given, str)
        runs.append(given)
    plain = execute_many(program.executable, "f", runs, runtime_checks=False)
    checked = execute_many(program.executable, "f", runs, runtime_checks=True)
    different = {
        str(sizes): modeled
        for sizes, as_compiled, verified in zip(tried, plain, checked, strict=True)
        if (modeled := disagreement(trace, sizes, as_compiled, verified))
    }
    assert not different
    failing = sum(bool(predicted(trace, sizes).failures) for sizes in tried)
    assert failing == 0 if small.never_fails else 0 < failing < len(tried)


def test_a_rule_that_claims_too_little_too_much_or_gives_another_size_is_noticed() -> None:
    program = read_text(PROGRAMS["concat_then_cast"].text)
    trace = trace_of(program, program.functions["f"], Options())
    sizes = sizes_of(trace, 0)
    runs = [given for each in sizes if not isinstance(given := arguments(trace, each), str)]
    executions = [execute_many(program.executable, "f", runs, runtime_checks=checks) for checks in (False, True)]
    extent = next(iter(trace.input_variables))
    (claimed,) = (each for each in trace.obligations if each.op.name == "tensor.cast" and each.claim is not TRUE)

    def noticed(wrong: Trace) -> set[str]:
        compared = zip(sizes, *executions, strict=True)
        modeled = [disagreement(wrong, each, plain, checked) for each, plain, checked in compared]
        return {each.partition(",")[0].partition(" for ")[0] for each in modeled if each}

    def claiming(claim: Formula) -> Trace:
        other = replace(claimed, claim=claim)
        return replace(trace, events=tuple(other if event is claimed else event for event in trace.events))

    assert noticed(trace) == set()
    assert noticed(claiming(TRUE)) == {"predicted no failure"}
    assert noticed(claiming(FALSE)) == {"predicted tensor.cast (C2) at line 8"}
    assert noticed(claiming(equal(of_atom(extent), 3))) == {
        "predicted no failure",
        "predicted tensor.cast (C2) at line 8",
    }
    assert noticed(replace(trace, results=(Tensor(RankedShape.of([of_atom(extent)])),))) != set()
