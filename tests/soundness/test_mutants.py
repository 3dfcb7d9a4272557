"""The tool for mutation testing changes one place at a time, and notices what a case file shows."""

from __future__ import annotations

import ast
import random
import subprocess
import sys
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.append(str(BENCHMARKS))

mutants: Any = import_module("mutants")

BOTH = """
import sys
from dataclasses import replace
import mutants
mutants.TESTS["tosa"], mutants.OF_EVERY_DIALECT = (), ("constraints/test_affine",)
mutants.warm_up()
path = mutants.RULES / "tosa" / "layout.py"
changed = next(each for each in mutants.mutants_of(path) if "extent + start" in str(each))
print(mutants.is_noticed(replace(changed, source=path.read_text(encoding="utf-8"))), mutants.is_noticed(changed))
"""


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("a < b", ["a <= b"]),
        ("a == b", ["a != b"]),
        ("a - b", ["(a + b)"]),
        ("a and b", ["(a or b)"]),
        ("not a", ["bool(a)"]),
        ("at_least(a, b)", ["at_least(b, a)", "at_least(a, b + 1)"]),
        ("equal(a, b)", ["unequal(a, b)"]),
        ("conjunction(parts)", ["disjunction(parts)"]),
        ("0", ["1"]),
        ("True", ["False"]),
        ("f(a)", []),
    ],
)
def test_the_changes_of_an_expression(text: str, changed: list[str]) -> None:
    assert [after for _, after in mutants.changes(ast.parse(text, mode="eval").body)] == changed


@pytest.mark.slow
@pytest.mark.parametrize("dialect", mutants.TESTS)
def test_a_mutant_differs_in_one_line(dialect: str) -> None:
    path = random.Random(dialect).choice([each for each in mutants.modules_of(dialect) if each.stat().st_size > 3000])
    original = path.read_text(encoding="utf-8")
    found = list(islice(mutants.mutants_of(path), 40))
    assert len({each.source for each in found}) >= len(found) // 2
    for mutant in found:
        assert ast.unparse(ast.parse(mutant.source)) != ast.unparse(ast.parse(original))
        pairs = zip(original.splitlines(), mutant.source.splitlines(), strict=True)
        assert [number for number, (one, other) in enumerate(pairs, 1) if one != other] == [mutant.line]


@pytest.mark.process
def test_a_wrong_rule_is_noticed_and_the_right_one_is_not() -> None:
    run = subprocess.run([sys.executable, "-c", BOTH], cwd=BENCHMARKS, capture_output=True, text=True, timeout=240)
    assert run.stdout.split() == ["False", "True"], run.stderr
