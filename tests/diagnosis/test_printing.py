"""Test that writers print finished data, without prover or MLIR, and that each requests all data it prints."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NoReturn

import pytest

from shapesolve import check, contract
from shapesolve.api import read
from shapesolve.checker.report import Report
from shapesolve.contracts.contract import ContractReport
from shapesolve.diagnosis.assumptions import independent_conditions, shape_conditions
from shapesolve.diagnosis.contracts import diagnose_contracts
from shapesolve.diagnosis.diagnosis import GROUPS, Request, diagnose
from shapesolve.diagnosis.explanation import explained
from shapesolve.diagnosis.frameworks import jax_contract, torch_contract
from shapesolve.ir import reader
from shapesolve.options import Options
from shapesolve.preconditions.functions import entry_points
from shapesolve.reports import check_json, sarif
from shapesolve.reports.check_text import print_report, text_request
from shapesolve.reports.contract import contract_document, print_assumptions, print_contracts
from shapesolve.reports.explanation import print_explanation
from shapesolve.reports.jax_contract import print_for_jax
from shapesolve.reports.page import Page
from shapesolve.reports.shapes import function_object, print_shapes
from shapesolve.reports.torch_contract import print_for_torch
from shapesolve.shape_inference.known_extents import infer
from shapesolve.shape_inference.value_shapes import value_shapes
from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Proved

ROOT = Path(__file__).parents[2]
PROGRAMS = [
    "examples/unet.mlir",
    "examples/linear.mlir",
    "tests/cases/func/call.mlir",
    "tests/cases/torch/bags.mlir",
    "tests/cases/tosa/indexing.mlir",
    "examples/transformer.mlir",
    "tests/cases/vector/accesses.mlir",
    "tests/cases/scf/for.mlir",
]


class Computed(Exception):
    """A writer asked for something that takes a prover or a parser."""


def fail(*_: object, **__: object) -> NoReturn:
    raise Computed


@pytest.fixture
def printing(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    with monkeypatch.context() as patched:
        yield patched


def no_more_questions(patched: pytest.MonkeyPatch) -> None:
    patched.setattr(Prover, "__init__", fail)
    patched.setattr(reader, "_from_text", fail)


@cache
def checked(name: str) -> Report:
    return check(ROOT / name, execute=False)


@cache
def contracts(name: str) -> ContractReport:
    return contract(ROOT / name)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("how", [{}, {"verbose": True}, {"quiet": True}], ids=str)
def test_text_takes_no_prover(name: str, how: dict[str, bool], printing: pytest.MonkeyPatch) -> None:
    everything = diagnose(checked(name))
    asked = diagnose(checked(name), text_request(**how))
    no_more_questions(printing)
    texts = [io.StringIO(), io.StringIO()]
    for text, diagnosis in zip(texts, (asked, everything), strict=True):
        print_report(diagnosis, Page(text, width=100), **how)
    assert texts[0].getvalue() == texts[1].getvalue() != ""


@pytest.mark.sweep
@pytest.mark.parametrize("name", PROGRAMS)
def test_json_and_sarif_take_no_prover_and_no_parser(name: str, printing: pytest.MonkeyPatch) -> None:
    everything = diagnose(checked(name))
    for_json, for_sarif = diagnose(checked(name), check_json.REQUEST), diagnose(checked(name), sarif.REQUEST)
    no_more_questions(printing)
    assert json.dumps(check_json.file_object(for_json)) == json.dumps(check_json.file_object(everything))
    assert json.dumps(sarif.sarif_document([for_sarif])) == json.dumps(sarif.sarif_document([everything]))


@pytest.mark.sweep
@pytest.mark.parametrize("name", PROGRAMS)
def test_an_explanation_takes_no_prover(name: str, printing: pytest.MonkeyPatch) -> None:
    report = checked(name)
    found = [
        one
        for each in report.functions
        for one in explained(report, each, each.checked_obligations, [None] * len(each.checked_obligations))
    ]
    no_more_questions(printing)
    text = io.StringIO()
    print_explanation(report, found, Page(text, width=100))
    heads = re.findall(r"^\S.*: (?:error|warning|note): ", text.getvalue(), re.MULTILINE)
    assert len(heads) >= len(found)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["examples/unet.mlir", "tests/cases/tosa/indexing.mlir"])
def test_contracts_take_no_prover(name: str, printing: pytest.MonkeyPatch) -> None:
    for_text, for_json = diagnose_contracts(contracts(name)), diagnose_contracts(contracts(name), by_obligation=True)
    in_torch = [torch_contract(each) for each in contracts(name).functions]
    in_jax = [jax_contract(each) for each in contracts(name).functions]
    no_more_questions(printing)
    text = io.StringIO()
    print_contracts(for_text, Page(text, width=100))
    print_contracts(for_text, Page(text, width=100), verbose=True)
    print_assumptions(contracts(name), Page(text, width=100))
    print_for_torch(in_torch, Page(text, width=100))
    print_for_jax(in_jax, Page(text, width=100))
    assert "Dim(" in text.getvalue() and "_constraints = (" in text.getvalue()
    assert json.dumps(contract_document(for_json, "1"))


@pytest.mark.parametrize("name", ["examples/unet.mlir", "tests/cases/cf/assert.mlir"])
def test_shapes_take_no_prover(name: str, printing: pytest.MonkeyPatch) -> None:
    program = read(ROOT / name)
    inferred = [infer(program, each, Options()) for each in entry_points(program)]
    conditions = [independent_conditions(each) for each in inferred]
    no_more_questions(printing)
    text = io.StringIO()
    for one, needed in zip(inferred, conditions, strict=True):
        print_shapes(one, value_shapes(one), needed, Page(text, width=100), verbose=True)
        assert json.dumps(function_object(one, value_shapes(one), shape_conditions(one)))
    assert "provided" in text.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_summary_asks_nothing(name: str, printing: pytest.MonkeyPatch) -> None:
    report = checked(name)
    no_more_questions(printing)
    found = diagnose(report, GROUPS)
    is_open = [any(not isinstance(j.verdict, Proved) for j in each.checked_obligations) for each in report.functions]
    assert [bool(each.findings) for each in found.functions] == is_open
    assert not any(each.requirements or each.suggestions.assumptions or each.fix for each in found.functions)


def test_the_prover_is_asked_where_something_is_shown(printing: pytest.MonkeyPatch) -> None:
    """The patch of these tests sees what it is for."""
    report = checked("examples/unet.mlir")
    no_more_questions(printing)
    with pytest.raises(Computed):
        diagnose(report)


def test_requests_join_to_their_union() -> None:
    one = Request(3, None, data=True, obligations=False, suggestions=False, fixes=False, trust=False)
    other = Request(5, 2, data=False, obligations=False, suggestions=True, fixes=False, trust=False)
    both = Request(5, None, data=True, obligations=False, suggestions=True, fixes=False, trust=False)
    assert one | other == other | one == both
    assert GROUPS | one == one and one | Request() == Request()
