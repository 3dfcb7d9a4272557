"""Test that public functions validate their arguments at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import shapesolve
from shapesolve import InputError, Refuted, dims, evaluate, evaluate_shape, holds, prove, unranked

N, M = dims("N M")
api: Any = shapesolve  # the arguments below are of types that a checker refuses


@pytest.mark.slow
@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: api.dim("N"), r'variable\("N"\)'),
        (lambda: api.dim(None), "not NoneType"),
        (lambda: api.dim(2.0), "not float"),
        (lambda: api.dim(True), "not bool"),
        (lambda: api.Dim("N"), r'variable\("N"\)'),
        (lambda: api.Dim((), 3), r"dim\(3\)"),
        (lambda: api.Formula(N, M), "comparisons of sizes"),
        (lambda: type(N == M)(N), "comparisons of sizes"),
        (lambda: api.Shape([N, 3]), r"shape\(\[M, 3\]\)"),
        (lambda: type(unranked("s"))("s"), r'unranked\("s"\)'),
        (lambda: api.dims(["N"]), "names as one text"),
        (lambda: api.variable(3), "the name of a size is text"),
        (lambda: api.ceildiv("x", 2), "a size is a Dim or an integer"),
        (lambda: api.maximum(N, "x"), "a size is a Dim or an integer"),
        (lambda: api.choose(True, N, M), "a formula is needed"),
        (lambda: api.compatible([N, "M"]), "a size is a Dim or an integer"),
        (lambda: api.conjunction([True]), "one side of its comparison was no size"),
        (lambda: api.disjunction(["N == M"]), "reads text"),
        (lambda: api.negation(True), "a formula is needed"),
        (lambda: api.implies(N, N == M), "a formula is needed"),
        (lambda: api.divides("2", N), "a size is a Dim or an integer"),
        (lambda: api.shape(5), "a list of sizes"),
        (lambda: api.shape("NM"), "a list of sizes"),
        (lambda: api.broadcast([1], "NM"), "a list of sizes"),
        (lambda: api.broadcastable([1], 3), "a list of sizes"),
        (lambda: api.same_shape(None, [1]), "a list of sizes"),
        (lambda: api.unranked(3), "the name of a shape is text"),
        (lambda: api.prove(N == "M"), "one side of the comparison was no size"),
        (lambda: api.prove(5), "not int 5"),
        (lambda: api.prove(N == M, assuming=5), "a claim or a list of claims"),
        (lambda: api.counterexample(None), "not NoneType"),
        (lambda: api.evaluate("N", {}), "a Dim is needed"),
        (lambda: api.evaluate(N, 3), "a mapping"),
        (lambda: api.evaluate(N, {3: 3}), "a variable or its name"),
        (lambda: api.evaluate(N, {N: 1.5}), "no integer"),
        (lambda: api.holds(N, {}), "a Formula is needed"),
        (lambda: api.check(5), "a path, the text of MLIR"),
        (lambda: api.check("f.mlir", options=3), "options are an Options"),
        (lambda: api.check("f.mlir", assume=[N == M]), "a text is needed"),
        (lambda: api.prune(None), "a path, the text of MLIR"),
        (lambda: api.contract([]), "a path, the text of MLIR"),
        (lambda: api.refine(1, 2), "a path, the text of MLIR"),
        (lambda: api.shape_of(5), "a path, the text of MLIR"),
        (lambda: api.refine_types(5), "a path, the text of MLIR"),
        (lambda: api.facts(5), "a path, the text of MLIR"),
        (lambda: api.explain(5, 1), "a path, the text of MLIR"),
        (lambda: api.verify(5), "a path or the text of MLIR"),
        (lambda: api.shapes_of(5), "a program or the text of MLIR"),
    ],
)
def test_a_wrong_argument_is_refused_in_words(call: Callable[[], object], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        call()


@pytest.mark.parametrize("names", ["1N", "and", "N-M", "None", "N ?"])
def test_a_name_that_no_text_could_use_is_refused(names: str) -> None:
    with pytest.raises(InputError):
        dims(names)


def test_one_claim_or_text_is_a_list_of_one() -> None:
    assert isinstance(prove("N == 3", assuming="M == 3"), Refuted)
    assert prove(N == M, assuming=N == M).word == "proved"
    text = "func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {\n  return %a : tensor<?xf32>\n}"
    assert shapesolve.check(text, assume="a[0] == 3").functions


def test_numbers_are_given_by_variable_or_by_name() -> None:
    s = unranked("s")
    assert evaluate(2 * N + M, {"N": 3, M: 1}) == 7
    assert holds(N <= M, {"N": 1, "M": 2})
    assert evaluate_shape(shapesolve.broadcast(s, [N]), {s: (4, 1), "N": 5}) == (4, 5)
    with pytest.raises(KeyError, match="no number is given for M; there are numbers for: N"):
        evaluate(N + M, {N: 1})


def test_assumptions_say_which_names_of_a_claim_are_shapes() -> None:
    assert prove("s == t", assuming=["rank(s) == 0", "rank(t) == 0"]).word == "proved"


TEXT = "func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {\n  return %a : tensor<?xf32>\n}"


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: api.check(TEXT, assume=5), TypeError, "a text or several are needed here, not int 5"),
        (lambda: api.check(TEXT, shapes={"a": "[N]"}), TypeError, "a text or several are needed here, not dict"),
        (lambda: api.check(TEXT, assume=[dims("N M")[0] == 1]), TypeError, "; write 'N == 1'"),
        (lambda: api.validate(TEXT, 3), TypeError, "a pipeline is a text or a PassManager"),
        (lambda: api.check(TEXT, shapes=5), TypeError, "a text or several are needed here, not int 5"),
        (lambda: api.check(TEXT, min_size="1"), TypeError, "min_size is an integer, not str '1'"),
        (lambda: api.check(TEXT, min_size=-1), InputError, "-1 is not from 0 to 9223372036854775807"),
        (lambda: api.check(TEXT, execute="no"), TypeError, "execute is True or False, not str 'no'"),
        (lambda: api.explain(TEXT, "2"), TypeError, "a line is an integer, not str '2'"),
        (lambda: shapesolve.check(""), InputError, "the text of a program is empty"),
        (lambda: api.prune(TEXT, style="llvm"), InputError, "'llvm' is none of cf, shape, stablehlo"),
        (lambda: api.prune(TEXT, trust_ub="no"), TypeError, "trust_ub is True or False, not str 'no'"),
        (lambda: api.refine(TEXT, TEXT, allow_lost_checks=1), TypeError, "allow_lost_checks is True or False"),
        (lambda: api.check(TEXT, execute=False).text(width="80"), TypeError, "width is an integer, not str '80'"),
    ],
)
def test_a_wrong_argument_of_a_command_is_refused_in_words(
    call: Callable[[], object], kind: type[Exception], words: str
) -> None:
    with pytest.raises(kind, match=words):
        call()
