"""Test on random programs that cvc5 also proves each claim from the facts that its verdict names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fuzz.unranked_programs import program, text
from support.certificates_asked import asked, reports_of, unconfirmed

from shapesolve.program_generation.programs import module, with_floats, with_images, with_loops, with_vectors

pytest.importorskip("cvc5")

MAKERS: list[Callable[[int], str]] = [
    lambda seed: module(seed, 2),
    lambda seed: with_floats(seed, 2),
    lambda seed: with_images(seed, 1),
    lambda seed: with_loops(seed, 1),
    lambda seed: with_vectors(seed, 1),
    lambda seed: text(program(seed)),
]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [50, 51])
def test_proofs_of_random_programs_are_confirmed(seed: int, tmp_path: Path) -> None:
    path, proofs = tmp_path / "random.mlir", 0
    for maker in MAKERS:
        path.write_text(maker(seed))
        for report in reports_of(path):
            stated = [each for each in report.certificates if each.is_proof]
            assert unconfirmed(asked(stated)) == []
            proofs += len(stated)
    assert proofs > 10
