"""Passes of the installed MLIR, compared with what they were given: every finding of docs/upstream-findings.md."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.upstream_passes import STABLEHLO_TO_LINALG, TOSA_TO_LINALG, PassFailedError, after_passes

from shapesolve import refine, validate
from shapesolve.errors import InputError
from shapesolve.execution.execution import Outcome
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.outcome import Ending, Refinement
from shapesolve.refinement.refine import refine_programs
from shapesolve.solver.verdicts import Refuted
from shapesolve.validation.outcome import Standing

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PROGRAMS = ROOT / "tests" / "refinement" / "upstream"
LICM = "loop-invariant-code-motion"
FUSION = "func.func(linalg-fuse-elementwise-ops)"
GENERAL_FUSION = "func.func(linalg-generalize-named-ops,linalg-fuse-elementwise-ops)"
REMOVED = "func.func(remove-shape-constraints)"
SIZES_ONLY = ("hoisted_extract",)
"""Programs whose elements are not compared, so that larger sizes are proved in sizes and checks alone."""
RETURNS, ABORTS, UNDEFINED = Ending.RETURNS, Ending.ABORTS, Ending.UNDEFINED
RETURNED, STOPPED, CRASHED = Outcome.RETURNED, Outcome.ABORTED, Outcome.CRASHED


def compared(name: str, passes: str, options: Options) -> Refinement:
    text = (PROGRAMS / f"{name}.mlir").read_text(encoding="utf-8")
    (found,) = refine_programs(read_text(text), read_text(after_passes(text, passes)), options)
    return found


WRONG = [
    ("false_witness", "canonicalize", {}, (ABORTS, RETURNS), None, (STOPPED, RETURNED)),
    ("false_requirement", "canonicalize", {}, (ABORTS, RETURNS), None, (STOPPED, RETURNED)),
    ("false_meeting", "canonicalize", {}, (ABORTS, RETURNS), None, (STOPPED, RETURNED)),
    ("unused_assumption", "canonicalize", {"w": 0}, (ABORTS, RETURNS), None, None),
    ("unused_assumption", "cse", {"w": 0}, (ABORTS, RETURNS), None, None),
    ("removed_constraint", REMOVED, {"a[1]": 2, "b[0]": 3}, (ABORTS, RETURNS), None, (STOPPED, RETURNED)),
    ("static_extents", "canonicalize", {"a[0]": 0, "o[0]": 2}, (RETURNS, UNDEFINED), 1, (RETURNED, STOPPED)),
    ("identity_loop", "canonicalize", {"a[0]": 0, "o[0]": 2}, (RETURNS, RETURNS), 1, (RETURNED, RETURNED)),
    ("identity_loop", FUSION, {"a[0]": 0, "o[0]": 2}, (RETURNS, RETURNS), 1, (RETURNED, RETURNED)),
    ("static_extents", FUSION, {"a[0]": 0, "o[0]": 2}, (RETURNS, UNDEFINED), 1, (RETURNED, STOPPED)),
    ("transposed_twice", GENERAL_FUSION, {"a[0]": 0, "a[1]": 2}, (RETURNS, RETURNS), 1, (RETURNED, RETURNED)),
    ("whole_select", "canonicalize", {"a[0]": 2, "b[0]": 3}, (RETURNS, UNDEFINED), None, (RETURNED, STOPPED)),
    ("transposed_twice", "canonicalize", {"a[0]": 0, "a[1]": 2}, (RETURNS, RETURNS), 1, (RETURNED, RETURNED)),
    ("dim_of_result", "resolve-shaped-type-result-dims", {"a[0]": 0}, (RETURNS, RETURNS), 1, (RETURNED, RETURNED)),
    ("hoisted_slice", LICM, {"a[0]": 2, "n": 0}, (RETURNS, UNDEFINED), None, (RETURNED, CRASHED)),
    ("hoisted_cast", LICM, {"a[0]": 2, "n": 0}, (RETURNS, UNDEFINED), None, (RETURNED, STOPPED)),
    ("hoisted_expansion", LICM, {"a[0]": 2, "n": 0}, (RETURNS, UNDEFINED), None, (RETURNED, STOPPED)),
    ("hoisted_extract", LICM, {"a[0]": 1, "n": 0}, (RETURNS, UNDEFINED), 2, None),
    ("peeled_loop", "scf-for-loop-peeling", {"a[0]": 2, "n": 1}, (RETURNS, ABORTS), None, (RETURNED, STOPPED)),
    ("empty_broadcast", TOSA_TO_LINALG, {"a[0]": 1, "b[0]": 0}, (RETURNS, UNDEFINED), 1, None),
    ("open_channels", TOSA_TO_LINALG, {"a[0]": 2}, (RETURNS, UNDEFINED), None, None),
    ("broadcast_of_one", STABLEHLO_TO_LINALG, {"a[0]": 1}, (RETURNS, UNDEFINED), 2, None),
]
"""Programs, passes, sizes, the ends of both programs, the size from which on it is right, and outcomes of runs."""


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "passes", "sizes", "endings", "from_size", "outcomes"),
    WRONG,
)
def test_wrong_passes_are_refuted(
    name: str,
    passes: str,
    sizes: dict[str, int],
    endings: tuple[Ending, Ending],
    from_size: int | None,
    outcomes: tuple[Outcome, Outcome] | None,
) -> None:
    found = compared(name, passes, Options(execute=outcomes is not None))
    assert found.word == "refuted"
    assert (None if found.above is None else found.above.least) == from_size
    assert found.from_size == (None if name in SIZES_ONLY else from_size)
    first = found.refuted[0]
    assert isinstance(first.verdict, Refuted)
    named = {variable.name: value for variable, value in first.verdict.sizes.items()}
    assert {name: named[name] for name in sizes} == sizes
    assert (first.source.ending, first.target.ending) == endings
    if outcomes is not None:
        assert first.executed is not None
        assert (first.executed.source.outcome, first.executed.target.outcome) == outcomes
        assert not first.executed.contradicts


def test_the_lowered_sum_of_0_and_1_elements_returns_1_element() -> None:
    found = compared("empty_broadcast", TOSA_TO_LINALG, Options())
    (finding,) = (each for each in found.refuted if each.target.ending is RETURNS)
    assert finding.executed is not None
    assert finding.executed.target.result_extents == ((1,),)


@pytest.mark.parametrize(
    ("name", "passes"),
    [("false_requirement", "convert-shape-constraints"), ("removed_constraint", "convert-shape-constraints")],
)
def test_right_passes_are_proved(name: str, passes: str) -> None:
    found = compared(name, passes, Options(execute=False))
    assert (found.word, found.identical) == ("proved", False)


@pytest.mark.parametrize(
    ("name", "passes", "reason_given"),
    [
        ("rejected_by_canonicalize", "canonicalize", "to be 3, but found 4"),
        ("tile_not_verified", TOSA_TO_LINALG, "cannot reshape 8 elements into 9"),
    ],
)
def test_programs_that_a_pass_turns_into_nonsense(name: str, passes: str, reason_given: str) -> None:
    with pytest.raises(PassFailedError, match=reason_given):
        after_passes((PROGRAMS / f"{name}.mlir").read_text(encoding="utf-8"), passes)


def test_a_program_that_ends_the_process() -> None:
    code = (
        "import sys; from support.upstream_passes import *;"
        "after_passes(open(sys.argv[1], encoding='utf-8').read(), STABLEHLO_TO_LINALG)"
    )
    program = PROGRAMS / "reduced_precision.mlir"
    ended = subprocess.run(
        [sys.executable, "-c", code, str(program)], cwd=ROOT / "tests", capture_output=True, text=True, check=False
    )
    assert ended.returncode < 0
    assert "could not reify" in ended.stderr


UNHANDLED = [
    ("dead_operand", "remove-dead-values", Standing.INVALID, "branch has 1 operands for successor #0"),
    ("extent_of_a_scalar", "canonicalize", Standing.INVALID, "must be non-0-ranked"),
    ("loop_in_a_branch", "convert-scf-to-cf", Standing.INVALID, "to have 0 or 1 blocks"),
    ("function_as_a_value", "drop-equivalent-buffer-results", Standing.INVALID, "mismatched type"),
    ("index_sunk", "control-flow-sink", Standing.INVALID, "expected parent op with LinalgOp interface"),
    ("reshape_not_reached", "sccp", Standing.INVALID, "input has 1 elements, but output_shape has 0"),
    ("empty_window", "func.func(tosa-infer-shapes)", Standing.INVALID, "but got 'tensor<1x1x0x?xf32>'"),
    ("bits_of_open_extents", "stablehlo-legalize-to-linalg", Standing.CRASHED, "could not reify"),
    ("joined_scalar", "canonicalize", Standing.CRASHED, "SIG"),
    ("element_in_stablehlo", "func.func(shape-legalize-to-stablehlo)", Standing.CRASHED, "SIG"),
    ("extent_beyond_the_rank", "func.func(shape-legalize-to-stablehlo)", Standing.CRASHED, "Failed to infer"),
]


@pytest.mark.parametrize(
    ("name", "passes", "standing", "reason_given"),
    UNHANDLED,
)
def test_programs_that_a_pass_cannot_handle(name: str, passes: str, standing: Standing, reason_given: str) -> None:
    found = validate(PROGRAMS / f"{name}.mlir", f"builtin.module({passes})", execute=False)
    (step,) = found.steps
    assert step.standing is standing
    assert reason_given in step.reason


@pytest.mark.exhaustive
@pytest.mark.parametrize("example", ["linear", "unet", "jax_assertions", "transformer_stablehlo", "tosa_chain"])
@pytest.mark.parametrize("passes", ["canonicalize", "cse", "canonicalize,cse", "convert-shape-constraints"])
def test_examples_after_upstream_passes_are_proved(example: str, passes: str) -> None:
    text = (ROOT / "examples" / f"{example}.mlir").read_text(encoding="utf-8")
    for found in refine_programs(read_text(text), read_text(after_passes(text, passes)), Options(execute=False)):
        assert found.word == "proved"


def test_an_example_loses_its_checks() -> None:
    text = (ROOT / "examples" / "transformer_stablehlo.mlir").read_text(encoding="utf-8")
    target = read_text(after_passes(text, REMOVED))
    (found,) = refine_programs(read_text(text), target, Options(execute=False))
    assert found.word == "refuted"
    assert found.refuted[0].source.ending is ABORTS
    (relaxed,) = refine_programs(read_text(text), target, Options(execute=False), allow_lost_checks=True)
    assert relaxed.word == "proved"


@pytest.mark.exhaustive
def test_the_lowered_chain_is_right_for_sizes_from_1() -> None:
    text = (ROOT / "examples" / "tosa_chain.mlir").read_text(encoding="utf-8")
    lowered = (ROOT / "examples" / "tosa_chain_lowered.mlir").read_text(encoding="utf-8")
    found = {
        each.source.trace.function.name: each
        for each in refine_programs(read_text(text), read_text(lowered), Options(execute=False))
    }
    assert {name: (each.word, each.from_size) for name, each in found.items()} == {
        "gate": ("proved", None),
        "blend": ("refuted", 1),
        "settled": ("refuted", 1),
    }


@pytest.mark.exhaustive
def test_an_export_whose_views_went_wrong() -> None:
    """PyTorch's decompositions flatten what may not be flattened; exported without them the block is right."""
    right, wrong = (str(ROOT / "examples" / f"{name}.mlir") for name in ("transformer", "transformer_flattened"))
    (found,) = refine(right, wrong)
    finding = found.refuted[0]
    assert isinstance(finding.verdict, Refuted)
    assert set(finding.verdict.sizes.values()) == {2}
    assert (finding.source.ending, finding.target.ending) == (RETURNS, UNDEFINED)
    assert finding.executed is not None
    assert finding.executed.source.result_extents == ((2, 2, 8),)
    assert finding.executed.target.outcome in (CRASHED, STOPPED)


def versions(name: str) -> str:
    """Return what the page says of the versions in which a program goes wrong."""
    page = (ROOT / "docs" / "upstream-findings.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\| (?:`\w+`, )?`{name}`.*\| ([^|]*) \|$", page, re.MULTILINE)
    return row


ASKED = [(each[0], each[1]) for each in (*WRONG, *UNHANDLED)]
AT_FAULT = (Standing.REFUTED, Standing.INVALID, Standing.CRASHED)


@pytest.mark.exhaustive
@pytest.mark.parametrize("version", ["16", "19"])
@pytest.mark.parametrize(("name", "passes"), ASKED)
def test_the_versions_of_a_finding_are_those_that_go_wrong(name: str, passes: str, version: str) -> None:
    tool = f"mlir-opt-{version}"
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    goes_wrong, _, otherwise = versions(name).partition(";")
    try:
        found = validate(PROGRAMS / f"{name}.mlir", f"builtin.module({passes})", tool=tool, execute=False)
    except InputError as error:
        assert re.search("does not read the program|does not refer to a registered pass", str(error))
        assert version not in goes_wrong
        assert "read" in otherwise or "no such pass" in otherwise
        return
    assert any(each.standing in AT_FAULT for each in found.steps) is (version in goes_wrong)
