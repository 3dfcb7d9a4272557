"""Differential test of the interpolation rule against PyTorch's function, which is no single operator."""

from __future__ import annotations

import importlib
import random
from typing import Any

import pytest
from support.torch_oracle import RAISES, Outcome
from support.torch_rules import NOT_SEEN, said

NAME = "__interpolate.size_list_scale_list"
MODES = ("nearest", "nearest-exact", "area", "area", "linear", "bilinear", "bicubic", "trilinear")


def given(arguments: list[Any]) -> Outcome:
    """Return PyTorch's result shape, or `RAISES`."""
    torch: Any = importlib.import_module("torch")
    image, size, factors, mode, aligned, recomputed, smoothed = arguments
    call = torch.nn.functional.interpolate
    try:
        found = call(torch.ones(image["t"]), size, factors, mode, aligned, recomputed, smoothed)
    except (RuntimeError, ValueError, NotImplementedError):
        return RAISES
    return [list(found.shape)]


def drawn(dice: random.Random) -> list[Any]:
    """A call, mostly a right one."""
    spatial = dice.choice([1, 2, 2, 3])
    image = {"t": [dice.choice([0, 1, 1, 2, 3]) for _ in range(spatial + dice.choice([1, 2, 2, 2, 2, 2]))]}
    sizes = [dice.choice([1, 2, 3, 1, 0, -1]) for _ in range(spatial)]
    factors = [dice.choice([0.5, 1.0, 1.5, 2.0]) for _ in range(spatial)]
    either = [(sizes, None), (None, factors)]
    which = dice.choice([*either, *either, (None, None), (sizes, factors)])
    aligned = dice.choice([None, None, True, False])
    return [image, *which, dice.choice(MODES), aligned, None, False]


@pytest.mark.frontends
def test_interpolations_have_the_shapes_that_pytorch_computes() -> None:
    pytest.importorskip("torch")
    dice = random.Random(7)
    seen = 0
    for _ in range(600):
        arguments = drawn(dice)
        theirs = given(arguments)
        for symbolic in (False, True):
            ours, why = said(NAME, arguments, theirs, symbolic=symbolic)
            seen += ours != NOT_SEEN
            assert ours in (theirs, NOT_SEEN), f"{arguments}: PyTorch {theirs}, the rule {ours} {why}"
    assert seen > 900
