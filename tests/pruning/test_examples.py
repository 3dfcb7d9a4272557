"""Test of the number of removed checks in the exported models; the kept ones are those that the README names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from support.pruned_programs import prune

from shapesolve.execution.execution import Execution, TensorInput
from shapesolve.execution.runner import execute_many
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pruning.prune import prune_program

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str) -> str:
    """The text of an example."""
    return (EXAMPLES / f"{name}.mlir").read_text()


def lines(name: str, text: str) -> list[int]:
    """The lines of an example on which a text stands."""
    return [number for number, line in enumerate(example(name).splitlines(), 1) if text in line]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "options", "before", "after"),
    [
        ("linear", {}, {"cf.assert": 1}, {"cf.assert": 0}),
        ("transformer", {}, {"cf.assert": 33}, {"cf.assert": 5}),
        ("transformer", {"min_size": 1}, {"cf.assert": 33}, {"cf.assert": 5}),
        ("transformer", {"trust_ub": True}, {"cf.assert": 33}, {"cf.assert": 4}),
        ("transformer_flattened", {}, {"cf.assert": 37}, {"cf.assert": 5}),
        ("transformer_flattened", {"trust_ub": True}, {"cf.assert": 37}, {"cf.assert": 4}),
        (
            "transformer_stablehlo",
            {},
            {"shape.cstr_broadcastable": 10, "shape.assuming": 10},
            {"shape.cstr_broadcastable": 3, "shape.assuming": 3},
        ),
        (
            "transformer_stablehlo",
            {"trust_ub": True},
            {"shape.cstr_broadcastable": 10, "shape.assuming": 10},
            {"shape.cstr_broadcastable": 3, "shape.assuming": 3},
        ),
        (
            "transformer_stablehlo",
            {"shapes": ("arg0=[B, S, 8]", "arg1=[B, S, 8]", "arg2=[B, 1, S, S]")},
            {"shape.cstr_broadcastable": 10, "shape.assuming": 10},
            {"shape.cstr_broadcastable": 0, "shape.assuming": 0},
        ),
        ("tosa_chain_lowered", {}, {"scf.if": 22}, {"scf.if": 17}),
        (
            "tosa_chain_lowered",
            {"assumptions": ("arg0[0] >= 2",), "functions": ("gate",)},
            {"scf.if": 22},
            {"scf.if": 20},
        ),
    ],
)
def test_examples_lose_the_expected_checks(
    name: str, options: dict[str, object], before: dict[str, int], after: dict[str, int]
) -> None:
    result = prune(example(name), **options)
    assert {op: counts[0] for op, counts in result.counts.items()} == before
    assert {op: counts[1] for op, counts in result.counts.items()} == after


@pytest.mark.slow
def test_a_transformer_on_equal_sizes_needs_no_check_at_all() -> None:
    names = ("arg0=[B, S, 8]", "arg1=[B, S, 8]", "arg2=[B, 1, S, S]")
    result = prune(example("transformer"), shapes=names, min_size=1)
    assert result.counts == {"cf.assert": (33, 0)}


@pytest.mark.slow
def test_kept_checks_of_a_transformer_can_fail() -> None:
    result = prune(example("transformer"), trust_ub=True)
    asserted = lines("transformer", "cf.assert")
    assert [check.location.line for check in result.kept] == [40, 42, 202, 205]
    assert [check.location.line for check in result.checks] == asserted
    assert all(check.verdict == "refuted" for check in result.kept)


def sizes_of_transformer() -> list[tuple[int, int, int, int, int, int, int]]:
    """Batch and length of tokens and positions; batch, rows and columns of the mask."""
    equal = [(b, s, b, s, b, s, s) for b in range(3) for s in range(3)]
    unequal = [
        (1, 2, 1, 2, 1, 1, 2),
        (2, 2, 1, 2, 2, 2, 2),
        (2, 1, 2, 2, 2, 1, 1),
        (2, 2, 2, 2, 2, 2, 1),
        (2, 2, 2, 2, 1, 2, 2),
    ]
    return equal + unequal


def ran(text: str, sizes: Sequence[tuple[int, int, int, int, int, int, int]]) -> list[Execution]:
    """The transformer, executed."""
    inputs = [
        [TensorInput((b, s, 8)), TensorInput((c, t, 8)), TensorInput((m, 1, rows, columns))]
        for b, s, c, t, m, rows, columns in sizes
    ]
    return execute_many(text, "forward", inputs, runtime_checks=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["transformer", pytest.param("transformer_flattened", marks=pytest.mark.exhaustive)])
def test_a_pruned_transformer_does_what_the_original_does(name: str) -> None:
    sizes = sizes_of_transformer()
    original, pruned = ran(example(name), sizes), ran(prune(example(name)).text, sizes)
    assert {each.outcome.value for each in original} >= {"returned", "aborted"}
    for before, after in zip(original, pruned, strict=True):
        if (
            before.outcome.value == "crashed"
        ):  # it divides by an extent of 0, and the pruned one may not use the quotient
            assert after.outcome.value in ("crashed", "returned")
            continue
        assert after.outcome == before.outcome
        assert after.message == before.message
        assert after.result_extents == before.result_extents


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["linear", "jax_assertions", "transformer", pytest.param("transformer_stablehlo", marks=pytest.mark.exhaustive)],
)
def test_more_facts_never_keep_more_checks(name: str) -> None:
    program = read_text(example(name), "model.mlir")
    ways = (Options(), Options(min_size=2), Options(min_size=2, trust_ub=True))
    kept = [{check.identity for check in prune_program(program, each).kept} for each in ways]
    assert kept[0] >= kept[1] >= kept[2]
