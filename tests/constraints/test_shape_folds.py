"""Folds over shapes of unknown rank, against the loop that they stand for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import product

import pytest
from support.claims_at_sizes import trace_of

from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.symbolic.formula_kinds import Formula

SMALL = [found for rank in range(4) for found in product(range(4), repeat=rank)]
WORD = 2**64

Step = Callable[[int, int], int]

NUMBERS: list[tuple[str, Step]] = [
    ("arith.muli %acc, %d : index", lambda acc, d: acc * d),
    ("arith.muli %d, %acc : index", lambda acc, d: acc * d),
    ("arith.addi %acc, %d : index", lambda acc, d: acc + d),
    ("arith.addi %acc, %c : index", lambda acc, d: acc + 2),
    ("arith.maxsi %acc, %d : index", max),
    ("arith.minsi %d, %acc : index", min),
    ("arith.maxui %d, %acc : index", lambda acc, d: max(acc % WORD, d)),
    ("arith.minui %acc, %d : index", lambda acc, d: min(acc % WORD, d)),
    ("index.mul %acc, %d", lambda acc, d: acc * d),
    ("index.maxs %acc, %d", max),
    ("arith.subi %acc, %d : index", lambda acc, d: acc - d),
    ("arith.addi %acc, %acc : index", lambda acc, d: acc + acc),
]
PREDICATES: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "slt": lambda a, b: a < b,
    "sle": lambda a, b: a <= b,
    "sgt": lambda a, b: a > b,
    "sge": lambda a, b: a >= b,
    "ult": lambda a, b: a % WORD < b % WORD,
    "ule": lambda a, b: a % WORD <= b % WORD,
    "ugt": lambda a, b: a % WORD > b % WORD,
    "uge": lambda a, b: a % WORD >= b % WORD,
}


def _signed(value: int) -> int:
    return (value + WORD // 2) % WORD - WORD // 2


def _program(body: str, type: str, start: str) -> str:
    return f"""func.func @f(%x: tensor<*xf32>) -> {type} {{
      %s = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
      %c = arith.constant 2 : index
      %start = arith.constant {start}
      %r = shape.reduce(%s, %start) : tensor<?xindex> -> {type} {{
        ^bb0(%i: index, %d: index, %acc: {type}):
          {body}
          shape.yield %next : {type}
      }}
      return %r : {type}
    }}"""


def _values(program: str) -> list[int] | None:
    """Return what the program gives for all small shapes; None where that is not followed."""
    results = trace_of(program).results
    assert results is not None
    (found,) = results
    assert isinstance(found, Dim | Formula)
    symbol = next((each for each in found.variables if each.name == "x"), None)
    if len(found.variables) > (symbol is not None):
        return None
    sizes: list[dict[Variable, tuple[int, ...]]] = [{} if symbol is None else {symbol: each} for each in SMALL]
    if isinstance(found, Dim):
        return [evaluate(found, each) for each in sizes]
    return [int(holds(found, each)) for each in sizes]


@pytest.mark.slow
@pytest.mark.parametrize("start", [-3, 0, 1, 5])
@pytest.mark.parametrize(("body", "step"), NUMBERS, ids=[text for text, _ in NUMBERS])
def test_folds_of_numbers_over_extents_have_their_closed_form(body: str, step: Step, start: int) -> None:
    found = _values(_program(f"%next = {body}", "index", f"{start} : index"))
    is_fold = "subi" not in body and "%acc, %acc" not in body
    is_unsigned = "ui " in body
    assert found is not None or not is_fold or (is_unsigned and start < 0)
    if found is not None:
        assert found == [_signed(reduce(step, extents, start)) for extents in SMALL]


@pytest.mark.sweep
@pytest.mark.parametrize("bound", [-1, 0, 1, 2])
@pytest.mark.parametrize("predicate", PREDICATES)
@pytest.mark.parametrize("joins", ["andi", "ori"])
@pytest.mark.parametrize("operands", ["%d, %b", "%b, %d"])
def test_folds_of_claims_over_extents_hold_for_each_or_some(
    joins: str, predicate: str, bound: int, operands: str
) -> None:
    body = f"""%b = arith.constant {bound} : index
          %p = arith.cmpi {predicate}, {operands} : index
          %next = arith.{joins} %acc, %p : i1"""
    for start in (False, True):
        found = _values(_program(body, "i1", str(start).lower()))
        if found is None:
            continue
        compare = PREDICATES[predicate]
        passes = [
            [compare(d, bound) if operands.startswith("%d") else compare(bound, d) for d in extents]
            for extents in SMALL
        ]
        expected: Sequence[bool] = (
            [start and all(each) for each in passes] if joins == "andi" else [start or any(each) for each in passes]
        )
        assert found == list(map(int, expected))
