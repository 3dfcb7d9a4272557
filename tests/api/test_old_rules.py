"""Rules written for the version before: `Meaning`, `CannotSee`, and the flat arguments of the op semantics."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import shapesolve
from shapesolve import rules
from shapesolve.domain.values import UnknownValue
from shapesolve.options import Options
from shapesolve.rules import OpSemantics
from shapesolve.semantics.op_semantics import FLAT_ARGUMENTS, Claim, Folds
from shapesolve.symbolic.dims import variable
from shapesolve.symbolic.formulas import at_least

RESULTS = (UnknownValue(),)
N = variable("n")
CLAIM, FORMULA = Claim("C1", at_least(N, 1), "empty"), at_least(N, 2)
FLAT: dict[str, Any] = {
    "claims": (CLAIM,),
    "unchecked": "because",
    "facts": ((FORMULA, "a fact"),),
    "stated": ((FORMULA, "somebody"),),
    "known": ((FORMULA, "an operand"),),
    "only_bounds": True,
    "finish": tuple,
    "bears": (),
    "guard": FORMULA,
    "is_undefined": True,
    "branches": (),
    "may_end": "exits",
    "simpler": Folds(runs=(FORMULA,)),
    "asks": (FORMULA,),
    "free": N.variables,
    "leans_on": ("words",),
    "presumes": FORMULA,
    "otherwise": "saturates",
}


@pytest.mark.parametrize("name", FLAT)
def test_a_flat_argument_is_a_member_of_its_group(name: str) -> None:
    value, (group, part) = FLAT[name], FLAT_ARGUMENTS[name]
    with pytest.warns(DeprecationWarning, match=rf"{name} is now {group}"):
        made = OpSemantics(RESULTS, **{name: value})
    held = getattr(made, group)
    assert (getattr(held, part) if part else held) == value
    assert made.results.values == RESULTS
    with pytest.warns(DeprecationWarning, match=rf"{name} is now {group}"):
        assert getattr(made, name) == value
    with pytest.warns(DeprecationWarning, match=rf"{name} is now {group}"):
        changed = getattr(replace(OpSemantics(), **{name: value}), group)
    assert (getattr(changed, part) if part else changed) == value


def test_all_flat_arguments_together() -> None:
    with pytest.warns(DeprecationWarning):
        made = OpSemantics(results=RESULTS, approximations=("some reason",), **FLAT)
    for name, (group, part) in FLAT_ARGUMENTS.items():
        if part:
            assert getattr(getattr(made, group), part) == FLAT[name], name
    assert made.folds.runs == (FORMULA,)
    assert made.approximations.reasons == ("some reason",)


def test_other_names_are_errors() -> None:
    with pytest.raises(TypeError, match="claimed"):
        OpSemantics(claimed=())  # pyright: ignore[reportCallIssue]
    with pytest.raises(AttributeError, match="claimed"):
        _ = OpSemantics().claimed  # pyright: ignore[reportAttributeAccessIssue]


OLD = '''
from shapesolve.rules import CannotSee, Claim, Kind, Meaning, RankedShape, Tensor, rule


@rule("acme.halve", example="halve.mlir")
def halve(op, see):
    """Half of a tensor.

    (C1) The first extent is even.
    """
    first, *others = see.dims(op.operands[0])
    if others:
        raise CannotSee("of one dimension only")
    half = see.fresh("half")
    claim = Claim("C1", first % 2 == 0, "the extent is odd", kind=Kind.CHECK)
    return Meaning(
        (Tensor(RankedShape.of([half])),), claims=(claim,), facts=((half <= first, "half of it"),), bears=()
    )
'''

PROGRAM = """
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "acme.halve"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


def test_the_old_spelling_of_an_unmodeled_result_is_read() -> None:
    with pytest.warns(DeprecationWarning, match="rules.Unmodelled is now shapesolve.rules.Unmodeled"):
        assert rules.Unmodelled is rules.Unmodeled


def test_a_file_of_old_rules_loads(tmp_path: Path) -> None:
    path = tmp_path / "acme.py"
    path.write_text(OLD, encoding="utf-8")
    with pytest.warns(DeprecationWarning) as warned:
        report = shapesolve.check(PROGRAM, options=Options(rules=(str(path),), execute=False))
    (checked_obligation,) = report.checked_obligations
    assert (checked_obligation.verdict.word, checked_obligation.obligation.clause) == ("refuted", "C1")
    warnings_given = [str(each.message) for each in warned]
    assert any("Meaning is now" in each for each in warnings_given)
    assert any("claims is now requires.claims, facts is now ensures.facts" in each for each in warnings_given)
    assert {Path(each.filename).name for each in warned} == {"acme.py"}, "the warning names the file of the rule"
