"""Affine loops whose maps have other dimensions and symbols."""

from __future__ import annotations

import pytest
from support.refined_pairs import refined

from shapesolve.options import Options

AFFINE = """func.func @f(%v: vector<4xf32>, %m: memref<?xf32>, %n: index, %k: index) {{
  affine.for %i = 0 to {bound} {{
    affine.vector_store %v, %m[{place}] : memref<?xf32>, vector<4xf32>
  }}
  return
}}"""
BOUND, PLACE = "affine_map<(d0) -> (d0 floordiv 8)>(%n)", "%i * 2 + symbol(%k)"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bound", "place", "same"),
    [
        ("affine_map<()[s0] -> (s0 floordiv 8)>()[%n]", PLACE, True),
        ("affine_map<()[s0] -> (s0 floordiv 8)>()[%k]", PLACE, False),
        ("affine_map<()[s0] -> (s0 ceildiv 8)>()[%n]", PLACE, False),
        (BOUND, "%i + 2 * symbol(%k)", False),
        (BOUND, "%i * 2 + symbol(%n)", False),
    ],
)
def test_symbols_of_affine_maps_are_operands_like_dimensions(bound: str, place: str, same: bool) -> None:
    found = refined(AFFINE.format(bound=BOUND, place=PLACE), AFFINE.format(bound=bound, place=place), Options())
    assert (found.word == "proved" and not found.not_compared) is same
