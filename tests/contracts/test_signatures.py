"""Signatures of functions against brute force: a call fits the signature exactly when it meets the contract."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import product

import pytest

from shapesolve import contract
from shapesolve.contracts.contract import FunctionContract
from shapesolve.contracts.inference import contracts_of_program
from shapesolve.diagnosis.contracts import diagnose_contracts
from shapesolve.diagnosis.signature import Signature, signature
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.symbolic.evaluation import holds

CONCAT = """\
func.func @cat(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x4xf32>) -> tensor<?x?xf32> {
  %d = "tosa.concat"(%a, %b) {axis = 0 : i32} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %e = "stablehlo.add"(%d, %c) : (tensor<?x?xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
  return %e : tensor<?x?xf32>
}
"""
MATMUL = """\
func.func @mm(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
"""


def diagnosed(text: str, **given: object) -> tuple[FunctionContract, Signature]:
    options = Options(execute=False, **given)  # pyright: ignore[reportArgumentType]
    (found,) = diagnose_contracts(contracts_of_program(read_text(text), options)).functions
    assert found.signature is not None
    return found.contract, found.signature


def fits(text: str, extents: Sequence[int], letters: tuple[str, ...], most: int) -> bool:
    """Return whether some values of the letters give these extents."""
    arguments = text.partition("->")[0]
    sizes = [size for group in re.findall(r"\[(.*?)\]", arguments) for size in group.split(", ")]
    assert len(sizes) == len(extents)
    for values in product(range(most + 1), repeat=len(letters)):
        given = dict(zip(letters, values, strict=True))
        if [sum(given[part] if part in given else int(part) for part in size.split(" + ")) for size in sizes] == list(
            extents
        ):
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "text", "letters"),
    [
        (CONCAT, "(a: [M, 4], b: [K, 4], c: [K + M, 4]) -> [K + M, 4]", ("M", "K")),
        (MATMUL, "(x: [M, K], w: [K, N], o: [M, N]) -> [M, N]", ("M", "K", "N")),
    ],
)
def test_a_call_fits_the_signature_exactly_when_it_is_safe(program: str, text: str, letters: tuple[str, ...]) -> None:
    found, signed = diagnosed(program)
    assert (signed.text, signed.conditions) == (text, ())
    variables = found.report.trace.input_variables
    agreed = 0
    for values in product((0, 2, 3, 4) if len(variables) < 6 else (0, 1, 2), repeat=len(variables)):
        sizes = dict(zip(variables, values, strict=True))
        extents = [*values, 4] if program is CONCAT else list(values)
        safe = all(holds(each.formula, sizes) for each in found.conditions)
        is_fit = fits(signed.text, extents, letters, max(extents))
        assert is_fit <= safe
        assert is_fit == safe or (signed.excludes_empty and 0 in values)
        agreed += is_fit
    assert agreed


@pytest.mark.slow
def test_the_users_own_names_are_kept() -> None:
    _, signed = diagnosed(MATMUL, shapes=("x=[B, T]",))
    assert signed.text == "(x: [B, T], w: [T, M], o: [B, M]) -> [B, M]"


@pytest.mark.slow
def test_no_letter_is_the_name_of_an_argument() -> None:
    program = MATMUL.replace("%x", "%k").replace("%o", "%M")
    _, signed = diagnosed(program)
    assert signed.text == "(k: [N, P], w: [P, Q], M: [N, Q]) -> [N, Q]"


def test_inequalities_are_conditions_on_the_dimension_names() -> None:
    program = """\
func.func @add(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}
"""
    _, signed = diagnosed(program)
    assert signed.equalities == 0
    assert signed.text == "(a: [M, K], b: [N, P]) -> [broadcast(M, N), broadcast(K, P)]"
    assert signed.conditions == ("compatible(M, N)", "compatible(K, P)")


def test_conditions_that_exclude_each_other_have_no_signature() -> None:
    found, _ = diagnosed(CONCAT)
    trace = found.report.trace
    extent = trace.inputs[0].shape.dims[0]  # pyright: ignore[reportAttributeAccessIssue]
    assert signature(trace, [extent == 2, extent == 3]) is None


def test_json_has_the_signature_also_where_every_call_is_safe() -> None:
    text = "func.func @f(%a: tensor<?x3xf32>, %n: index) -> tensor<?x3xf32> {\n  return %a : tensor<?x3xf32>\n}\n"
    (function,) = json.loads(contract(text).to_json())["functions"]
    assert function["signature"] == {
        "text": "(a: [M, 3], n: index) -> [M, 3]",
        "conditions": [],
        "excludes_empty": False,
    }
