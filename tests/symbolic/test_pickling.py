"""Test of copies and pickles of terms: a term has one object in a process, however it comes there."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from shapesolve.symbolic.atoms import BroadcastExtent, Column, Monomial, ShapeSymbol, UnmodeledTruth, Validity
from shapesolve.symbolic.dims import Dim, of_atom
from shapesolve.symbolic.evaluation import AnyAtom, AnyFold
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, AnyFormula, Formula
from shapesolve.symbolic.parser import parse_formula, parse_size
from shapesolve.symbolic.scope import Scope
from shapesolve.symbolic.segments import folded, sliced
from shapesolve.symbolic.shape_kinds import INVALID, AnyShape, RankedShape
from shapesolve.symbolic.shapes import broadcast, broadcastable, concat, same_shape, shape, unranked

TEXTS = [
    "N == M",
    "N**2*(M // 3) - 7*(N % (M + 1)) + ceildiv(N, 4) != M",
    "min(N, M, 7) + max(N*M, K) >= broadcast(N, K)",
    "select(N <= M and M != 3, N + 1, M // N) > 2",
    "compatible(N, M, K) or not (N % 4 == 0 and compatible(N, K))",
]


def terms() -> list[Any]:
    """Return terms that have every kind of term in them."""
    scope = Scope.free()
    found: list[Any] = [TRUE, FALSE, INVALID, *(parse_formula(each, scope) for each in TEXTS)]
    size = parse_size("N", scope)
    s, t = unranked("s"), unranked("t")
    found += [s, shape([size, 3]), RankedShape.of([size], size >= 3), broadcast(s, t), concat(s, shape([size]), t)]
    found += [sliced(s, 1, size), s.rank, of_atom(Column.of_parts((s, size), 0, None)), s.column(2)]
    found += [same_shape(s, t), broadcastable(s, t, shape([size]))]
    found += [folded(each, s) for each in get_args(AnyFold)]
    found += [of_atom(each.of("%v.valid", 0, 1)) for each in (Validity, UnmodeledTruth)]
    return found


def inside(term: Any) -> Iterator[Any]:
    """Yield a term and all terms that it is built from."""
    yield term
    if isinstance(term, Dim):
        parts: Any = [monomial for monomial, _ in term.terms]
    elif isinstance(term, Monomial):
        parts = [atom for atom, _ in term.factors]
    else:
        parts = (
            *getattr(term, "parts", ()),
            *getattr(term, "inner", ()),
            *(v for v in getattr(term, "variables", ()) if v is not term),
        )
    for part in parts:
        yield from inside(part)


def test_a_copy_and_a_pickle_are_the_term_itself() -> None:
    seen = set[type]()
    for term in (part for whole in terms() for part in inside(whole)):
        seen.add(type(term))
        assert copy.copy(term) is term
        assert copy.deepcopy([term])[0] is term
        assert pickle.loads(pickle.dumps(term)) is term
    kinds = {*get_args(AnyAtom), *get_args(AnyFormula), *get_args(AnyShape)}
    assert kinds | {ShapeSymbol, Validity, UnmodeledTruth, BroadcastExtent, Dim, Monomial} <= seen


OTHER = """
import pickle, sys
from tests_of_pickling import terms
sent, here = pickle.load(sys.stdin.buffer), terms()
sys.exit(not (len(sent) == len(here) and all(a is b for a, b in zip(sent, here))))
"""


@pytest.mark.process
@pytest.mark.parametrize("seed", ["1", "2"])
def test_another_process_makes_the_terms_that_it_would_make_itself(seed: str, tmp_path: Any) -> None:
    with open(__file__, encoding="utf-8") as own:
        (tmp_path / "tests_of_pickling.py").write_text(own.read(), encoding="utf-8")
    environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", OTHER], input=pickle.dumps(terms()), env=environment, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.process
def test_a_pickle_keeps_the_spelling_of_a_comparison(tmp_path: Any) -> None:
    program = "import sys, pickle; sys.stdout.write(repr(pickle.load(sys.stdin.buffer)))"
    scope = Scope.free()
    late, early = parse_size("Z", scope), parse_size("A", scope)
    claim: Formula = late == early
    assert repr(claim) == "Z == A" != str(claim)
    done = subprocess.run(
        [sys.executable, "-c", program], input=pickle.dumps(claim), cwd=tmp_path, capture_output=True, check=True
    )
    assert done.stdout.decode() == "Z == A"
