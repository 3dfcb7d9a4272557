"""The examples of docs/broadcastable.md are what the program says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shapesolve.cli.main import main
from shapesolve.traits.inference_tables import shape_of_text
from shapesolve.traits.profiles import CLAUSES, PROFILES
from shapesolve.traits.runtime_behavior import Kind, runtime_behavior, runtime_shape
from shapesolve.traits.theorems.catalogue import CATALOGUE
from shapesolve.traits.verifier import TypedValue, verify

PAGE = (Path(__file__).parents[2] / "docs" / "broadcastable.md").read_text(encoding="utf-8")


def test_every_clause_is_listed() -> None:
    listed = dict(re.findall(r"^\| (C\d+) \| (.*) \|$", PAGE, re.MULTILINE))
    assert listed == dict(CLAUSES)


def test_the_session_is_real(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = re.search(r"\$ cat example.mlir\n(.*?)\$ shapesolve (verify .*?)\n(.*?)```", PAGE, re.DOTALL)
    assert session is not None
    (tmp_path / "example.mlir").write_text(session[1])
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    main(session[2].split())
    assert capsys.readouterr().out == session[3]


def test_operations_listed_as_hopeless_are_accepted_and_always_fail() -> None:
    rows = re.findall(r"^\| `([\w.]+)\(([^)]*)\) -> (\S+)` \| ([\d, ]+) \|", PAGE, re.MULTILINE)
    assert len(rows) == 5
    for op, operands, result, versions in rows:
        shapes = [shape_of_text(text.strip()) for text in operands.split(",")]
        declared = shape_of_text(result)
        for version in versions.split(","):
            rules = PROFILES[f"mlir-{version.strip()}"].rules_for(op)
            values = [TypedValue(shape) for shape in shapes]
            assert verify(values, [TypedValue(declared)], rules).broken is None, (op, version)
        sizes = [runtime_shape(f"v{index}", shape) for index, shape in enumerate(shapes)]
        assert runtime_behavior(sizes, declared).kind is Kind.NEVER


def test_the_theorems_that_are_named_exist() -> None:
    named = set(re.findall(r"\(`([a-z0-9]+(?:-[a-z0-9]+){2,})`\)", PAGE))
    assert len(named) == 2
    assert named <= CATALOGUE.keys()
