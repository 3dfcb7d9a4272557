"""Test that an example covers each rule of shape, StableHLO and TOSA, and that the models need no other."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.checked_files import program_of

from shapesolve.interpreter.function_interpreter import interpret
from shapesolve.interpreter.inputs import make_inputs
from shapesolve.ir.reader import read_file
from shapesolve.preconditions.functions import entry_points
from shapesolve.semantics.registry import Rule, load_rules

ROOT = Path(__file__).resolve().parents[2]
DIALECTS = ("shape.", "stablehlo.", "tosa.")
RULES = [rule for rule in load_rules().rules() if rule.op.startswith(DIALECTS)]


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.op)
def test_the_example_shows_the_operation(rule: Rule) -> None:
    names = {op.name for op in program_of(str(ROOT / rule.example)).operation.walk()}
    assert rule.op in names


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.op)
def test_the_words_number_what_the_rule_says(rule: Rule) -> None:
    has_results = any(op.results for op in program_of(str(ROOT / rule.example)).operation.walk() if op.name == rule.op)
    assert not has_results or any(number.startswith("R") for number in rule.clauses)


@pytest.mark.parametrize("name", ["transformer_stablehlo", "jax_assertions", "tosa_chain"])
def test_nothing_of_the_models_is_unmodeled(name: str) -> None:
    program = read_file(str(ROOT / "examples" / f"{name}.mlir"))
    for function in entry_points(program):
        assert not interpret(program, make_inputs(function), load_rules()).approximations


@pytest.mark.slow
def test_obligations_name_clauses_of_their_rules() -> None:
    book = load_rules()
    for path in sorted({ROOT / rule.example for rule in RULES}):
        program = program_of(str(path))
        for function in program.functions.values():
            if function.body is None:
                continue
            for obligation in interpret(program, make_inputs(function), book).obligations:
                rule = book.get(obligation.op.name)
                assert rule is not None
                assert obligation.clause in rule.clauses or obligation.clause in ("T1", "T2"), obligation
