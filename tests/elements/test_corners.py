"""Pairs in corners of the dialects, most of them wrong: vectors, parallel loops, floats, widths, shared buffers.

A file of ``corners/`` holds programs between lines of ``// -----``. The one headed ``// source: NAME`` is the source of
those behind it, up to the next: ``// proved`` is a right one that is proved, elements included, ``// open`` a right one
that is not yet, ``// wrong`` one that returns other elements, or may. MLIR's execution tells them apart, too
(`test_corners_as_executed.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path

import pytest
from support.refined_pairs import refined
from support.sampled_rows import sampled

from shapesolve.options import Options
from shapesolve.records import record
from shapesolve.solver.verdicts import VerdictKind

CORNERS = Path(__file__).parent / "corners"
HEAD = "// source: "


@record
class Pair:
    """A source, a target, and "proved", "open" or "wrong"."""

    title: str
    source: str
    target: str
    truth: str


def pairs() -> Iterator[Pair]:
    for path in sorted(CORNERS.glob("*.mlir")):
        name, source, number = "", "", 0
        for part in path.read_text().split("// -----\n"):
            head, _, text = part.partition("\n")
            if head.startswith(HEAD):
                name, source, number = head.removeprefix(HEAD), text, 0
                continue
            number += 1
            yield Pair(f"{path.stem}: {name} {number}", source, text, head.removeprefix("// "))


ALL = list(pairs())
EACH = pytest.mark.parametrize(
    "pair",
    sampled(
        ALL,
        3,
        {
            "aliases: two arguments 2",
            "buffers: overlap 1",
            "data_branches: a branch on integers 7",
            "floats: x/x 1",
            "integers: sdiv 2",
            "loops: sum loop 2",
            "packed_elements: mask in memory 2",
            "parallel_loops: parallel 16",
            "races: parallel iterations that share a buffer 11",
            "races: parallel iterations that share a buffer 17",
            "regions: scatter quotients 2",
            "selects_and_moves: unranked 1",
            "selects_and_moves: unranked cast 1",
            "selects_and_moves: collapse 1",
            "structured: sum window 1",
            "transfers: read of four 6",
            "transfers: greatest of a vector 1",
            "vectors: broadcast read 2",
            "vectors: broadcast read 3",
        },
        name=attrgetter("title"),
    ),
    ids=[each.title for each in ALL],
)


@EACH
@pytest.mark.sweep
def test_only_right_programs_are_proved(pair: Pair) -> None:
    found = refined(pair.source, pair.target, Options(execute=False))
    is_proved = found.word is VerdictKind.PROVED and not found.not_compared
    assert is_proved == (pair.truth == "proved")
    if pair.truth != "wrong":
        assert found.word is not VerdictKind.REFUTED
