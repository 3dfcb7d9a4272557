"""Test that every suggestion printed by a command is accepted as it stands and keeps its promise.

The suggestions are those for all case files and examples, for the names that MLIR gives to arguments and functions, and
for the checks that `prune` says an option would remove. The default suite without slow tests takes every eighth file.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from .conftest import Command, Said

ROOT = Path(__file__).resolve().parents[2]
FILES = [*sorted((ROOT / "tests/cases").rglob("*.mlir")), *sorted((ROOT / "examples").glob("*.mlir"))]
EVERY = 8
"""Distance of the files that are tested without the mark ``slow``."""

FUNCTION = re.compile(r"(?:\A|^@(?P<name>.+?)(?:\(|$))(?P<text>.*?)(?=^@|\Z)", re.MULTILINE | re.DOTALL)
SUGGESTED = re.compile(r"^   (?:check|safe|holds) with +(.*)$", re.MULTILINE)
ENOUGH = (
    "   safe when  ",
    "   safe with  ",
    "   safe with --",
    "safe when all of these hold",
    "safe exactly when all of these hold",
    "safe for all but huge sizes; in general, exactly when",
)


@dataclass(frozen=True)
class Suggestion:
    """Suggestion of a report for one function. ``suffices``: it promises that nothing fails."""

    function: str
    typed: str
    suffices: bool
    partly: bool

    def broken_by(self, offer: Said) -> str:
        """Return the promise that does not hold, or "" if all do."""
        if offer.code == 2:
            return f"is not accepted: {offer.err}"
        if "EVERY CALL FAILS" in offer.out or (": error: " in offer.out and not self.partly):
            return "leaves something refuted"
        return "is not enough" if self.suffices and offer.code else ""


def suggestions(printed: str) -> Iterator[Suggestion]:
    """Return the suggestions in a report of `check` or `contract`."""
    for block in FUNCTION.finditer(re.sub(r" \\\n +", " ", printed)):
        text = block["text"]
        for typed in SUGGESTED.findall(text):
            suffices = any(words in text for words in ENOUGH)
            partly = (
                "cannot be said as a condition" in text
                or "   open  " in text
                or " is not checked: " in text
                or ": warning: " in text
            )
            yield Suggestion(block["name"] or "", typed, suffices, partly)


def _parameters() -> list[object]:
    return [
        pytest.param(path, marks=() if number % EVERY == 0 else pytest.mark.slow, id=f"{path.parent.name}/{path.stem}")
        for number, path in enumerate(FILES)
    ]


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", _parameters())
def test_every_suggestion_is_followed(path: Path, command: Command) -> None:
    followed: dict[str, Said] = {}
    problems: list[str] = []
    for asked in (["check", str(path), "--no-execute"], ["contract", str(path)]):
        result = command(*asked)
        assert result.code != 2, result.err
        for each in suggestions(result.out):
            if each.typed not in followed:
                followed[each.typed] = command("check", str(path), "--no-execute", *shlex.split(each.typed))
            problem = each.broken_by(followed[each.typed])
            problems += [f"{asked[0]}: @{each.function}: {each.typed}: {problem}"] if problem else []
    assert not problems, "\n".join(problems)


PROMISED = "--trust-ub would remove it"


@pytest.mark.sweep
@pytest.mark.parametrize(
    "file", ["tests/cases/func/contracts.mlir", "tests/cases/scf/for.mlir", "examples/transformer.mlir"]
)
def test_removals_that_prune_promises_for_an_option(file: str, command: Command, tmp_path: Path) -> None:
    before, after = (
        json.loads(command("prune", str(ROOT / file), "--json", "-o", str(tmp_path / name), *options).out)["checks"]
        for name, options in (("kept.mlir", ()), ("trusting.mlir", ("--trust-ub",)))
    )
    promised = {each["identity"] for each in before if PROMISED in each["reason"]}
    assert promised
    assert promised <= {each["identity"] for each in after if each["removed"]}


NAMES = ["x", "not", "and", "true", "None", "is", "error", "min", "rank", "a.b", "a-b", "a$b", "_", "0", "7", "arg1",
         "a.rank", "a.shape", "a.valid", "-x", "$", ".x", "AND"]  # fmt: skip
BODIES = {
    "tensor<?xf32>": """
        %c = arith.constant 0 : index
        %d = tensor.dim {x}, %c : tensor<?xf32>
        %e = tensor.dim %other, %c : tensor<?xf32>
        %t = arith.cmpi eq, %d, %e : index
        cf.assert %t, "equal" """,
    "index": """
        %c = arith.constant 3 : index
        %t = arith.cmpi eq, {x}, %c : index
        cf.assert %t, "three" """,
    "i1": """
        cf.assert {x}, "true" """,
    "!shape.size": """
        %d = shape.size_to_index {x} : !shape.size
        %e = shape.size_to_index %other : !shape.size
        %t = arith.cmpi eq, %d, %e : index
        cf.assert %t, "equal" """,
    "!shape.shape": """
        %w = shape.cstr_broadcastable {x}, %other : !shape.shape, !shape.shape""",
    "!shape.value_shape": """
        %d = shape.shape_of {x} : !shape.value_shape -> !shape.shape
        %e = shape.shape_of %other : !shape.value_shape -> !shape.shape
        %w = shape.cstr_eq %d, %e : !shape.shape, !shape.shape""",
    "!shape.witness": """
        shape.assuming {x} {{ shape.assuming_yield }}""",
    "tensor<2xindex>": """
        %c = arith.constant 0 : index
        %d = tensor.extract {x}[%c] : tensor<2xindex>
        %t = arith.cmpi eq, %d, %c : index
        cf.assert %t, "zero" """,
    "tensor<?xindex>": """
        %w = shape.cstr_eq {x}, %other : tensor<?xindex>, tensor<?xindex>""",
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("type", list(BODIES))
def test_whatever_an_argument_is_called(type: str, command: Command, tmp_path: Path) -> None:
    path = tmp_path / "named.mlir"
    for name in NAMES:
        asked = {"check": f"%{name}: {type}, %other: {type}", "contract": f"%other: {type}, %{name}: {type}"}
        for question, arguments in asked.items():
            path.write_text(f"func.func @f({arguments}) {{{BODIES[type].format(x='%' + name)}\nreturn\n}}")
            found = list(suggestions(command(question, str(path)).out))
            assert len(found) == 1 and found[0].suffices, (name, question)
            assert command("check", str(path), "--no-execute", *shlex.split(found[0].typed)).code == 0, found


@pytest.mark.process
def test_whatever_a_function_is_called(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "functions.mlir"
    body = '(%n: index) { %c = arith.constant 3 : index %t = arith.cmpi eq, %n, %c : index cf.assert %t, "3" return }'
    names = ["f", '"two words"', '"it\'s"', '"-x"', '"--assume"']
    functions = "\n".join(f"func.func @{name}{body}" for name in names)
    path.write_text(f"{functions}\nmodule @inner {{ func.func @f{body} }}\nmodule {{ func.func @f{body} }}")
    found = list(suggestions(command("check", str(path)).out))
    assert len(found) == len(names) + 2
    lines = command("contract", str(path), "--as", "assume").out.splitlines()
    assert len(lines) == len(found)
    for typed in (*(each.typed for each in found), *lines):
        assert command("check", str(path), *shlex.split(typed)).code == 0, typed
