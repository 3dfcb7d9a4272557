"""The combinations of extents that the RFC starts from, and the lowerings of that time."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.upstream_passes import TOSA_TO_LINALG, after_passes

from shapesolve import refine
from shapesolve.errors import InputError
from shapesolve.execution.execution import Outcome
from shapesolve.ir.reader import read_file, read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.refinement.outcome import Ending, Refinement
from shapesolve.refinement.refine import refine_programs
from shapesolve.solver.verdicts import Refuted

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
SOURCE, LOWERED = str(HERE / "combinations.mlir"), str(HERE / "combinations_lowered.mlir")


def compared(function: str, *assumptions: str, execute: bool = False) -> Refinement:
    options = Options(functions=(function,), assumptions=assumptions, execute=execute)
    (found,) = refine(SOURCE, LOWERED, options=options)
    return found


@pytest.mark.parametrize(
    ("function", "assumptions"),
    [
        ("dynamic_dynamic", ("a[0] == b[0]", "a[1] == b[1]")),
        ("one_dynamic", ("a[1] == b[1]",)),
        ("one_static", ()),
        ("static_static", ()),
    ],
)
@pytest.mark.covers("rfc.combination.dynamic_dynamic")
@pytest.mark.covers("rfc.combination.one_dynamic")
@pytest.mark.covers("rfc.combination.one_static")
@pytest.mark.covers("rfc.combination.static_static")
def test_combinations_that_the_rfc_calls_correct(function: str, assumptions: tuple[str, ...]) -> None:
    """Correct as the RFC means it: dynamic extents that meet are equal, for only a static 1 is broadcast."""
    assert compared(function, *assumptions).word == "proved"


@pytest.mark.parametrize("function", ["dynamic_dynamic", "one_dynamic"])
def test_a_dynamic_1_is_not_broadcast(function: str) -> None:
    found = compared(function, execute=True)
    assert (found.word, found.from_size) == ("refuted", 2)
    finding = found.refuted[0]
    assert (finding.source.ending, finding.target.ending) == (Ending.RETURNS, Ending.UNDEFINED)
    assert finding.executed is not None
    assert finding.executed.source.outcome is Outcome.RETURNED
    assert finding.executed.target.outcome in (Outcome.CRASHED, Outcome.ABORTED)


@pytest.mark.covers("rfc.combination.two_four")
def test_extents_that_differ_are_no_program() -> None:
    with pytest.raises(InputError, match="operands don't have broadcast-compatible shapes"):
        read_file(str(HERE / "rejected.mlir"))


@pytest.mark.parametrize(
    ("function", "assumptions", "message"),
    [
        ("two_dynamic", ("a[0] == b[0]", "a[1] == b[1]"), "extent 1 of %b is not extent 0 of %flat"),
        ("two_dynamic", (), "extent 1 of %b is not extent 0 of %flat"),
        ("crosswise", (), "extent 0 of %into is not extent 0 of %first"),
        ("crosswise", ("a[0] == 2", "b[1] == 2"), "extent 0 of %into is not extent 0 of %first"),
    ],
)
@pytest.mark.covers("rfc.combination.two_dynamic")
@pytest.mark.covers("rfc.combination.crosswise")
def test_combinations_that_the_rfc_calls_wrong(function: str, assumptions: tuple[str, ...], message: str) -> None:
    """Two operands give one loop different ranges: shown with the smallest sizes of at least 2."""
    found = compared(function, *assumptions, execute=True)
    assert (found.word, found.from_size) == ("refuted", None)
    finding = found.refuted[0]
    assert isinstance(finding.verdict, Refuted)
    assert set(finding.verdict.sizes.values()) == {2}
    assert finding.verdict.smallest
    assert (finding.source.ending, finding.target.ending) == (Ending.RETURNS, Ending.UNDEFINED)
    assert finding.target.obligation is not None
    assert finding.target.obligation.op.name == "linalg.generic"
    assert message in finding.target.words
    assert finding.executed is not None
    assert finding.executed.source.result_extents == ((2, 2),)
    assert finding.executed.target.outcome in (Outcome.CRASHED, Outcome.ABORTED)


@pytest.mark.covers("rfc.combination.two_two_dynamic")
def test_two_static_extents_had_no_lowering() -> None:
    """The pass asked for four elements as a scalar; the reshape that it made is no operation, by any verifier."""
    with pytest.raises(InputError, match="annot reshape 4 elements into 1"):
        read_file(str(HERE / "reshape_step.mlir"))


@pytest.mark.parametrize(
    ("function", "from_size"),
    [
        ("dynamic_dynamic", 1),
        ("one_dynamic", 1),
        ("one_static", None),
        ("static_static", None),
        ("two_dynamic", 1),
        ("two_two_dynamic", None),
        ("crosswise", None),
    ],
)
def test_the_lowering_of_today(function: str, from_size: int | None) -> None:
    source = Path(SOURCE).read_text(encoding="utf-8")
    options = Options(functions=(function,), execute=False)
    (found,) = refine_programs(read_text(source), read_text(after_passes(source, TOSA_TO_LINALG)), options)
    assert found.word == ("proved" if from_size is None else "refuted")
    assert found.from_size == from_size


def test_the_combinations_themselves_are_undefined_for_some_sizes() -> None:
    report = check_program(read_file(SOURCE), Options(execute=False))
    refuted = {
        each.trace.function.name
        for each in report.functions
        if any(j.verdict.word == "refuted" for j in each.checked_obligations)
    }
    assert refuted == {"dynamic_dynamic", "one_dynamic", "two_dynamic", "two_two_dynamic", "crosswise"}
