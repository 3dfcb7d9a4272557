"""Verdicts on random programs of narrow integers, affine expressions, nested witnesses and chains of views."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from fuzz.campaign import TRIALS
from fuzz.narrow_programs import narrow


@pytest.mark.slow
def test_the_programs_use_every_kind_of_statement() -> None:
    text = "\n".join(narrow(seed, 4) for seed in range(20))
    used = set(re.findall(r"\b(?:arith|affine|shape|scf|memref|tensor)\.[a-z_]+", text))
    assert {
        *("arith.trunci", "arith.extui", "arith.extsi", "arith.index_cast", "arith.index_castui", "arith.remui"),
        *("affine.apply", "affine.min", "affine.max", "shape.assuming", "shape.cstr_require", "scf.for"),
        *("memref.subview", "memref.load", "tensor.extract_slice"),
    } <= used
    assert text == "\n".join(narrow(seed, 4) for seed in range(20))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 3])
def test_verdicts_agree_with_runs(seed: int) -> None:
    counts = Counter[str]()
    assert TRIALS["narrow"][0](seed, counts) == []
    assert counts["programs"] > 0 and counts["refutations replayed"] > 0
