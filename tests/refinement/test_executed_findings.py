"""Passes of the installed MLIR that change what a program computes: the findings of docs/findings, executed.

`refine` does not see all of them, and runs programs by a lowering of its own, so both sides are compiled and run here.
"""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.executed_programs import executed
from support.upstream_passes import after_passes

from shapesolve import validate
from shapesolve.validation.outcome import Standing

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PROGRAMS = ROOT / "tests" / "refinement" / "upstream"
PAGES = sorted((ROOT / "docs" / "findings").glob("*.md"))

VECTORS = "func.func(affine-super-vectorize{virtual-vector-size=4})"
COPIES = "func.func(affine-data-copy-generate{generate-dma=false fast-mem-space=0})"
COALESCED = "func.func(affine-loop-coalescing)"
EXPANDED = "func.func(math-expand-ops)"
SIMPLIFIED = "func.func(stablehlo-aggressive-simplification)"
APPROXIMATED = "func.func(test-math-polynomial-approximation)"
OLDER = "mlir-opt-19"
TILED = "func.func(affine-loop-tile{tile-size=2})"
TWICE_THE_STEP = "func.func(scf-parallel-loop-tiling{parallel-loop-tile-sizes=3 no-min-max-bounds})"
NAN, INFINITY = float("nan"), float("inf")


def integers(*shape: int) -> Any:
    """Return an array of 10, 11, 12 ..."""
    return np.arange(10, 10 + np.prod(shape), dtype=np.int32).reshape(shape)


def floats(*values: float) -> Any:
    return np.array(values, dtype=np.float32)


def program(name: str) -> str:
    return (PROGRAMS / f"{name}.mlir").read_text(encoding="utf-8")


ROWS = [[10, 11, 12, 13], [11, 12, 13, 17], [12, 13, 17, 21], [22, 23, 24, 25]]
ROWS_JAMMED = [[10, 11, 12, 13], [11, 12, 13, 17], [15, 16, 17, 21], [22, 23, 24, 25]]
ROWS_TILED = [[10, 11, 12, 13], [11, 12, 13, 17], [12, 16, 17, 21], [22, 23, 24, 25]]
EVEN = [7, 11, 7, 13, 7, 15, 7, 17, 7, 19, 7, 21, 7, 23, 7, 25]


@pytest.mark.parametrize(
    ("name", "passes", "arguments", "before", "after"),
    [
        ("folded_range", "func.func(scf-for-loop-range-folding)", [2**63 - 2, 4, np.zeros(1, int)], [1 - 2**63], [0]),
        ("ignored_nan", "canonicalize", [floats(NAN, 2)], [-INFINITY, 2], [NAN, 2]),
        (
            "unrolled_empty_loop",
            "func.func(affine-loop-unroll{unroll-factor=2})",
            [0, integers(4)],
            [10, 11, 12, 13],
            [7, 11, 12, 13],
        ),
        (
            "vectorized_rest",
            VECTORS,
            [np.int32(7), integers(16)],
            [7] * 5 + [*range(15, 26)],
            [7] * 8 + [*range(18, 26)],
        ),
        (
            "vectorized_step",
            VECTORS,
            [np.int32(7), integers(16)],
            EVEN,
            [7] * 4 + [14, 15, 16, 17] + [7] * 4 + [22, 23, 24, 25],
        ),
        (
            "vectorized_stride",
            VECTORS,
            [integers(16), integers(8)],
            [*range(10, 26, 2)],
            [10, 11, 12, 13, 18, 19, 20, 21],
        ),
        ("condition_given_twice", "canonicalize", [np.int32(1)], 2, 20),
        (
            "tiled_by_twice_the_step",
            TWICE_THE_STEP,
            [integers(12)],
            [*EVEN[:8], 7, 19, 20, 21],
            [*EVEN[:8], 18, 19, 20, 21],
        ),
        (
            "jammed_dependence",
            "func.func(affine-loop-unroll-jam{unroll-jam-factor=2})",
            [integers(4, 4)],
            ROWS,
            ROWS_JAMMED,
        ),
        ("tiled_dependence", TILED, [integers(4, 4)], ROWS, ROWS_TILED),
        ("coalesced_empty_loops", COALESCED, [0, integers(4)], [10, 11, 12, 13], [7, 11, 12, 13]),
        ("negative_base", EXPANDED, [np.float32(-2), np.float32(1)], -2, NAN),
        ("negative_asinh", EXPANDED, [np.float32(-INFINITY)], -INFINITY, NAN),
        ("root_of_infinity", EXPANDED, [np.float32(-INFINITY)], INFINITY, NAN),
        ("coalesced_captured", COALESCED, [np.int32(1)], 9, 16),
        ("coalesced_sum", COALESCED, [np.int32(1), integers(4)], [1, 2, 3, 4], [1, 1, 1, 1]),
    ],
)
def test_a_pass_changes_what_a_program_computes(
    name: str, passes: str, arguments: list[Any], before: Any, after: Any
) -> None:
    text = program(name)
    np.testing.assert_array_equal(executed(text, arguments)[0], before)
    np.testing.assert_array_equal(executed(after_passes(text, passes), arguments)[0], after)


def test_tiles_of_an_unknown_dependence() -> None:
    text, given = program("tiled_unknown_dependence"), integers(4, 4, 4)
    before, after = given.copy(), given.copy()
    before[1], after[1] = np.array(ROWS) + 16, np.array(ROWS_TILED) + 16
    np.testing.assert_array_equal(executed(text, [1, given])[0], before)
    np.testing.assert_array_equal(executed(after_passes(text, TILED), [1, given])[0], after)


def test_the_results_of_a_forall_are_exchanged() -> None:
    text = program("forall_of_one")
    arguments = [floats(1, 2), floats(3, 4), floats(5, 6), floats(7, 8)]
    before, after = executed(text, arguments), executed(after_passes(text, "canonicalize"), arguments)
    assert [each.tolist() for each in before] == [[1, 2], [3, 4]]
    assert [each.tolist() for each in after] == [[3, 4], [1, 2]]


@pytest.mark.parametrize(
    ("name", "written"), [("copied_gaps", slice(0, None, 2)), ("copied_beside_memref", slice(0, 0))]
)
def test_elements_that_were_never_written_are_copied(name: str, written: slice) -> None:
    """The rest of the buffer has whatever the allocator returned."""
    text, arguments = program(name), [np.int32(7), integers(16)]
    before, after = executed(text, arguments)[0], executed(after_passes(text, COPIES), arguments)[0]
    np.testing.assert_array_equal(before[written], after[written])
    assert (before != after).any()


def test_overflow_flags_are_kept_where_they_do_not_hold() -> None:
    """Poison is seen where LLVM uses what the flags promise: `x + -56 > x` is false without signed overflow."""
    text, arguments = program("merged_overflow"), [np.int8(-100)]
    target = after_passes(text, "canonicalize")
    assert "arith.addi %arg0, %c-56_i8 overflow<nsw>" in target
    assert (executed(text, arguments, optimized=True), executed(target, arguments, optimized=True)) == ([True], [False])


def test_a_shift_is_narrowed_to_poison() -> None:
    text = program("narrowed_shift")
    target = after_passes(text, "arith-int-range-narrowing{int-bitwidths-supported=8,16}")
    assert re.search(r"%c8_i8 = .*arith\.shrsi %arg0, %c8_i8 : i8", target, re.DOTALL)
    assert executed(text, [np.int8(-5)]) == [-1]


def test_a_double_negation_is_taken_for_the_identity() -> None:
    """The lowering folds two negations in one program as well, so one is run twice."""
    given = np.array([-128, 5], dtype=np.int8)
    (once,) = executed(program("negated_once"), [given])
    (twice,) = executed(program("negated_once"), [once])
    assert (once.tolist(), twice.tolist()) == ([127, -5], [-127, 5])
    (folded,) = executed(after_passes(program("negated_twice"), "canonicalize"), [given])
    assert folded.tolist() == [-128, 5]


def test_a_multiplication_by_zero_forgets_nan() -> None:
    """The lowering folds a factor that is constant as well, so it is an argument on one side."""
    given = floats(NAN, INFINITY, 2)
    (product,) = executed(program("multiplied_by_argument"), [given, floats(0, 0, 0)])
    np.testing.assert_array_equal(product, [NAN, NAN, 0])
    (folded,) = executed(after_passes(program("multiplied_by_zero"), "canonicalize"), [given])
    np.testing.assert_array_equal(folded, [0, 0, 0])


@pytest.mark.parametrize(
    ("name", "passes", "constant", "lowered"),
    [
        ("added_zero", "canonicalize", r"%zero = .*", "tosa-to-linalg"),
        ("stablehlo_added_zero", SIMPLIFIED, r"%zero = .*", "stablehlo-legalize-to-linalg"),
    ],
)
def test_a_sum_with_zero_forgets_the_sign_of_zero(name: str, passes: str, constant: str, lowered: str) -> None:
    """The lowering may leave out a zero that is constant as well, so it is an argument on one side."""
    text, given = program(name), floats(-0.0, 0.0, 2)
    with_argument = re.sub(constant, "", text).replace("%a: tensor<3xf32>", "%a: tensor<3xf32>, %zero: tensor<3xf32>")
    assert with_argument.count("tensor<3xf32>") > 3
    (total,) = executed(after_passes(with_argument, f"func.func({lowered})"), [given, floats(0, 0, 0)])
    (kept,) = executed(after_passes(text, passes), [given])
    assert list(map(str, total.tolist())) == ["0.0", "0.0", "2.0"]
    assert list(map(str, kept.tolist())) == ["-0.0", "0.0", "2.0"]


@pytest.mark.process
@pytest.mark.parametrize(
    ("name", "passes", "arguments", "before", "after"),
    [
        ("negative_root", "func.func(test-expand-math)", [-2], NAN, -2.828427),
        ("cube_root_of_infinity", APPROXIMATED, [INFINITY], INFINITY, NAN),
        ("arcsine_of_one", APPROXIMATED, [1], 1.570796, 1.432722),
        ("arctangent_of_infinities", APPROXIMATED, [INFINITY, INFINITY], 0.785398, NAN),
    ],
)
def test_a_pass_of_an_older_version(
    name: str, passes: str, arguments: list[float], before: float, after: float
) -> None:
    if shutil.which(OLDER) is None:
        pytest.skip(f"{OLDER} is not installed")
    (step,) = validate(PROGRAMS / f"{name}.mlir", f"builtin.module({passes})", tool=OLDER).steps
    assert step.standing is Standing.REFUTED
    assert isinstance(step.after, str)
    given = list(map(np.float32, arguments))
    np.testing.assert_allclose(executed(program(name), given)[0], before, rtol=1e-6)
    np.testing.assert_allclose(executed(step.after, given)[0], after, rtol=1e-6)


@pytest.mark.process
def test_a_switch_looks_at_the_lower_half_of_its_index() -> None:
    if shutil.which(OLDER) is None:
        pytest.skip(f"{OLDER} is not installed")
    text, given = program("truncated_case"), [np.int64(2**32 - 1), np.int32(0), np.int32(1)]
    (step,) = validate(text, "builtin.module(convert-scf-to-cf)", tool=OLDER).steps
    assert step.standing is Standing.REFUTED
    assert isinstance(step.after, str)
    assert (executed(text, given), executed(step.after, given)) == ([1], [0])
    (mended,) = validate(text, "builtin.module(convert-scf-to-cf)").steps
    assert mended.standing is Standing.PROVED


def test_a_ceiling_forgets_the_sign_of_zero() -> None:
    text = program("negative_zero")
    before, after = executed(text, [np.float32(-0.5)]), executed(after_passes(text, EXPANDED), [np.float32(-0.5)])
    assert (str(*before), str(*after)) == ("-0.0", "0.0")


def test_the_least_index_is_divided_wrongly() -> None:
    """`arith.ceildivsi` of the same numbers is what `index.ceildivs` is said to be."""
    twin = re.sub(r"index\.ceildivs(.*)", r"arith.ceildivsi\1 : index", program("least_index_divided"))
    assert executed(twin, []) == [-(2**62)]
    folded = after_passes(program("least_index_divided"), "canonicalize")
    assert f"index.constant {2**62}\n" in folded


def test_a_quotient_that_is_not_needed_overflows() -> None:
    """The division of -2^63 by -1 ends the process, so the lowered program runs in one of its own."""
    twin = re.sub(r"index\.ceildivs(.*)", r"arith.ceildivsi\1 : index", program("divided_twice"))
    assert executed(twin, [2**63 - 1, -1]) == [1 - 2**63]
    code = (
        "import sys; from support.executed_programs import executed;"
        "executed(open(sys.argv[1], encoding='utf-8').read(), [2**63 - 1, -1])"
    )
    command = [sys.executable, "-c", code, str(PROGRAMS / "divided_twice.mlir")]
    ended = subprocess.run(command, cwd=ROOT / "tests", capture_output=True, check=False)
    assert ended.returncode == -signal.SIGFPE


@pytest.mark.parametrize(
    ("name", "passes", "standing", "reason_given"),
    [
        (
            "parallel_maximum",
            "func.func(affine-parallelize{parallel-reductions})",
            Standing.INVALID,
            "cannot match reduction attribute",
        ),
        (
            "vectorized_index",
            "func.func(affine-super-vectorize{virtual-vector-size=4 vectorize-reductions})",
            Standing.CRASHED,
            "SIG",
        ),
        ("fused_sum", "func.func(affine-loop-fusion)", Standing.CRASHED, "SIG"),
    ],
)
def test_programs_that_a_loop_pass_cannot_handle(name: str, passes: str, standing: Standing, reason_given: str) -> None:
    (step,) = validate(PROGRAMS / f"{name}.mlir", f"builtin.module({passes})", execute=False).steps
    assert step.standing is standing
    assert reason_given in step.reason


@pytest.mark.parametrize(
    ("name", "passes"),
    [
        ("merged_overflow", "canonicalize"),
        ("narrowed_shift", "arith-int-range-narrowing{int-bitwidths-supported=8,16}"),
        ("negated_twice", "canonicalize"),
        ("multiplied_by_zero", "canonicalize"),
        ("least_index_divided", "canonicalize"),
        ("folded_range_of_i32", "func.func(scf-for-loop-range-folding)"),
        ("unrolled_empty_loop", "func.func(affine-loop-unroll{unroll-factor=2})"),
        ("copied_gaps", COPIES),
        ("tiled_by_twice_the_step", TWICE_THE_STEP),
        ("coalesced_empty_loops", COALESCED),
        ("added_zero", "canonicalize"),
        ("stablehlo_added_zero", SIMPLIFIED),
        ("root_of_infinity", EXPANDED),
        ("coalesced_captured", COALESCED),
        ("coalesced_sum", COALESCED),
        ("condition_given_twice", "canonicalize"),
        ("copied_beside_memref", COPIES),
        ("forall_of_one", "canonicalize"),
        ("jammed_dependence", "func.func(affine-loop-unroll-jam{unroll-jam-factor=2})"),
        ("tiled_dependence", TILED),
        ("tiled_unknown_dependence", TILED),
        ("vectorized_rest", VECTORS),
        ("vectorized_step", VECTORS),
        ("vectorized_stride", VECTORS),
    ],
)
def test_validate_refutes_it(name: str, passes: str) -> None:
    (step,) = validate(PROGRAMS / f"{name}.mlir", f"builtin.module({passes})").steps
    assert step.standing is Standing.REFUTED


@pytest.mark.parametrize("page", PAGES, ids=lambda each: each.stem)
def test_the_program_on_a_page_is_the_one_that_is_run(page: Path) -> None:
    (shown,) = re.findall(r"^```mlir\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert shown == program(page.stem)
