"""StableHLO's windows over inputs of dynamic sizes compute what its own lowering does where the sizes are static."""

from __future__ import annotations

from math import prod

import pytest

from shapesolve import Refuted, check
from shapesolve.checker.checked_obligation import Shown
from shapesolve.execution.execution import Outcome, TensorInput
from shapesolve.execution.runner import execute_many

pytestmark = pytest.mark.process

CONVOLUTION = """func.func @f(%x: tensor<SOURCEi64>, %w: tensor<KERNELi64>) -> tensor<RESULTi64> {
  %r = stablehlo.convolution(%x, %w) dim_numbers = FORM
    {feature_group_count = GROUPS : i64, batch_group_count = 1 : i64}
    : (tensor<SOURCEi64>, tensor<KERNELi64>) -> tensor<RESULTi64>
  return %r : tensor<RESULTi64>
}"""

REDUCTION = """func.func @f(%x: tensor<SOURCEi64>, %w: tensor<KERNELi64>) -> tensor<RESULTi64> {
  %start = stablehlo.constant dense<-7> : tensor<i64>
  %r = "stablehlo.reduce_window"(%x, %start) <{FORM}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %m = stablehlo.maximum %b, %a : tensor<i64>
    stablehlo.return %m : tensor<i64>
  }) : (tensor<SOURCEi64>, tensor<i64>) -> tensor<RESULTi64>
  return %r : tensor<RESULTi64>
}"""

Extents = tuple[int, ...]

CASES: dict[str, tuple[str, str, int, Extents, Extents, Extents]] = {
    "channels first": (
        CONVOLUTION,
        "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], "
        "window = {stride = [2, 1], pad = [[1, 0], [2, 1]], rhs_dilate = [1, 2]}",
        1,
        (2, 3, 5, 4),
        (2, 3, 2, 3),
        (2, 2, 3, 3),
    ),
    "channels last": (CONVOLUTION, "[b, 0, f]x[0, i, o]->[b, 0, f], window = {}", 1, (1, 6, 2), (3, 2, 4), (1, 4, 4)),
    "in groups": (
        CONVOLUTION,
        "[b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[1, 1]]}",
        2,
        (2, 4, 3),
        (6, 2, 3),
        (2, 6, 3),
    ),
    "another order": (CONVOLUTION, "[f, 0, b]x[0, o, i]->[0, b, f], window = {}", 1, (2, 4, 3), (2, 5, 2), (3, 3, 5)),
    "largest": (
        REDUCTION,
        "padding = dense<[[0, 0], [1, 2]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 3>, "
        "window_strides = array<i64: 1, 2>, window_dilations = array<i64: 1, 2>",
        1,
        (2, 5),
        (1,),
        (2, 2),
    ),
}


def spelled(extents: Extents, known: frozenset[int]) -> str:
    """Extents as a type has them; dynamic but for some."""
    return "".join(f"{extent}x" if number in known else "?x" for number, extent in enumerate(extents))


@pytest.mark.parametrize("case", CASES)
def test_dynamic_sizes_compute_what_static_ones_do(case: str) -> None:
    template, form, groups, source, kernel, result = CASES[case]
    call = [[TensorInput(each, tuple(n * n % 11 - 4 for n in range(prod(each)))) for each in (source, kernel)]]
    text = template.replace("FORM", form).replace("GROUPS", str(groups))

    def run(dynamic: bool, checks: bool) -> object:
        known = [frozenset(() if dynamic else range(len(each))) for each in (source, kernel, result)]
        if dynamic and groups > 1:
            known[1] = frozenset((0, 1))
        program = text
        for name, extents, fixed in zip(("SOURCE", "KERNEL", "RESULT"), (source, kernel, result), known, strict=True):
            program = program.replace(name, spelled(extents, fixed))
        (execution,) = execute_many(program, "f", call, runtime_checks=checks)
        assert execution.outcome is Outcome.RETURNED, execution
        return execution.result_extents, execution.result_values

    expected = run(dynamic=False, checks=False)
    assert run(dynamic=True, checks=True) == run(dynamic=True, checks=False) == expected


def test_a_window_that_does_not_fit_gives_nothing() -> None:
    template, form, *_ = CASES["channels last"]
    text = template.replace("FORM", form).replace("GROUPS", "1")
    for name, extents in (("SOURCE", "?x?x2x"), ("KERNEL", "3x2x4x"), ("RESULT", "?x?x4x")):
        text = text.replace(name, extents)
    calls = [[TensorInput((2, size, 2)), TensorInput((3, 2, 4))] for size in range(5)]
    found = execute_many(text, "f", calls, runtime_checks=True)
    assert [each.result_extents for each in found] == [((2, size, 4),) for size in (0, 0, 0, 1, 2)]


def test_a_counterexample_behind_a_convolution_is_executed() -> None:
    text = """func.func @f(%x: tensor<?x3x?x?xf32>, %w: tensor<8x3x3x3xf32>, %y: tensor<?x8x?x?xf32>)
    -> tensor<?x8x?x?xf32> {
  %c = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<?x3x?x?xf32>, tensor<8x3x3x3xf32>) -> tensor<?x8x?x?xf32>
  %r = stablehlo.concatenate %c, %y, dim = 1 : (tensor<?x8x?x?xf32>, tensor<?x8x?x?xf32>) -> tensor<?x16x?x?xf32>
  %s = stablehlo.slice %r [0:0, 0:8, 0:0, 0:0] : (tensor<?x16x?x?xf32>) -> tensor<0x8x0x0xf32>
  %t = tensor.cast %s : tensor<0x8x0x0xf32> to tensor<?x8x?x?xf32>
  return %t : tensor<?x8x?x?xf32>
}"""
    refuted = [each for each in check(text).checked_obligations if isinstance(each.verdict, Refuted)]
    assert refuted
    for each in refuted:
        assert each.confirmation is not None and each.confirmation.shown is Shown.FAILED_HERE
