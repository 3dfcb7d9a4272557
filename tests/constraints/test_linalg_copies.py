"""Nests of linalg that copy an operand, and the sizes for which they do: permuting or repeating elements is no copy."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from support.claims_at_sizes import trace_of

from shapesolve.interpreter import function_interpreter
from shapesolve.ir.program import Operation, Value
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula

NEST = """
func.func @f(%a: tensor<?x?xf32>, %into: tensor<?x?xf32>) -> tensor<?x?xf32> {{
  %0 = linalg.generic {{indexing_maps = [affine_map<(i, j) -> ({read})>, affine_map<(i, j) -> ({write})>],
      iterator_types = ["parallel", "parallel"]}} ins(%a : tensor<?x?xf32>) outs(%into : tensor<?x?xf32>) {{
    ^bb0(%x: f32, %y: f32):
      linalg.yield %{yielded} : f32
  }} -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}}
"""

Copies = tuple[tuple[Value, Formula], ...]


def copies(text: str, name: str, monkeypatch: pytest.MonkeyPatch) -> Copies:
    """Return what the rule says that an operation copies."""
    found: list[Copies] = []
    apply_rule = function_interpreter.apply_rule

    def recording(rule: Any, op: Operation, context: Any) -> Any:
        semantics = apply_rule(rule, op, context)
        if op.name == name:
            found.append(semantics.folds.copies)
        return semantics

    monkeypatch.setattr(function_interpreter, "apply_rule", recording)
    trace_of(text)
    return found[0]


@pytest.mark.parametrize("read", ["i, j", "j, i", "i, 0", "0, j", "0, 0", "j, 0"])
def test_a_nest_copies_where_all_elements_are_the_same(read: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = NEST.format(read=read, write="i, j", yielded="x")
    ((_, where),) = copies(text, "linalg.generic", monkeypatch)
    by_name = {each.text: each for each in where.variables}
    for m, n in product(range(1, 4), repeat=2):
        if (read == "j, i" and m != n) or (read == "j, 0" and n > m):
            continue  # undefined: an index is out of bounds
        given = np.arange(m * n).reshape(m, n)
        written = np.empty_like(given)
        for i, j in product(range(m), range(n)):
            row, column = ({"i": i, "j": j, "0": 0}[each] for each in read.split(", "))
            written[i, j] = given[row, column]
        sizes = {"a[0]": m, "a[1]": n, "into[0]": m, "into[1]": n}
        same = bool(np.array_equal(written, given))
        assert holds(where, {variable: sizes[name] for name, variable in by_name.items()}) == same, (m, n)


def test_a_nest_of_another_shape_copies_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    text = NEST.format(read="i, j", write="i, j", yielded="x")
    ((value, where),) = copies(text, "linalg.generic", monkeypatch)
    by_name = {each.text: each for each in where.variables}
    assert value.name == "%a"
    sizes = {"a[0]": 2, "a[1]": 3, "into[0]": 4, "into[1]": 3}
    assert not holds(where, {variable: sizes[name] for name, variable in by_name.items()})


@pytest.mark.parametrize(("write", "yielded"), [("j, i", "x"), ("i, j", "y")])
def test_neither_what_is_written_elsewhere_nor_what_is_kept_is_a_copy(
    write: str, yielded: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert copies(NEST.format(read="i, j", write=write, yielded=yielded), "linalg.generic", monkeypatch) == ()


def test_a_conversion_is_no_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
    func.func @f(%a: tensor<?xf32>, %into: tensor<?xELEMENT>) -> tensor<?xELEMENT> {
      %0 = linalg.copy ins(%a : tensor<?xf32>) outs(%into : tensor<?xELEMENT>) -> tensor<?xELEMENT>
      return %0 : tensor<?xELEMENT>
    }
    """
    assert copies(text.replace("ELEMENT", "f64"), "linalg.copy", monkeypatch) == ()
    assert len(copies(text.replace("ELEMENT", "f32"), "linalg.copy", monkeypatch)) == 1
