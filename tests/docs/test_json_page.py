"""Test that the page on JSON documents names every key of every command's document."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import Any, cast

import pytest

from shapesolve.cli.main import main
from shapesolve.hunting.causes import Cause, Complaint, Sighting
from shapesolve.hunting.record import FORMAT, HuntRecord

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "json.md"
PROPOSED = (str(ROOT / "tests" / "rfc" / "proposed.mlir"), str(ROOT / "tests" / "rfc" / "proposed_lowered.mlir"))
PROGRAM = """func.func @f(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %p: i1) -> tensor<?x4xf32> {
  cf.assert %p, "p"
  %x = tosa.add %a, %b : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %y = "my.op"(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %x : tensor<?x4xf32>
}
"""
REJECTED = "  %z = tosa.add %a, %c : (tensor<?x4xf32>, tensor<1x5xf32>) -> tensor<?x4xf32>\n"
COMMANDS = {
    "check": ["FILE"],
    "prune": ["FILE", "-o", "OUT"],
    "contract": ["FILE"],
    "sizes": ["FILE"],
    "refine": [*PROPOSED, "-f", "all_dynamic"],
    "shape-of": ["FILE", "-o", "OUT", "--assume", "a[0] == 5"],
    "verify": ["FILE"],
    "theorems": [],
    "rules": ["tosa.matmul"],
}
SIZES = {"sizes", "also", "works_at", "fails_at", "operations", "clauses", "codes"}
"""Objects whose keys are names of sizes, operations or clauses."""


def sections() -> dict[str, str]:
    """Return the page's section on each command, with the text above it."""
    text = PAGE.read_text(encoding="utf-8")
    heads = list(re.finditer(r"^## (.+)$", text, re.MULTILINE))
    ends = [*(each.start() for each in heads[1:]), len(text)]
    return {head[1]: text[:end] for head, end in zip(heads, ends, strict=True)}


def all_keys(value: object) -> set[str]:
    if isinstance(value, dict):
        items = cast("dict[str, object]", value).items()
        return set().union(*({name} | (set() if name in SIZES else all_keys(each)) for name, each in items))
    return set().union(*map(all_keys, cast("list[object]", value))) if isinstance(value, list) else set()


@pytest.mark.exhaustive
@pytest.mark.parametrize("command", COMMANDS)
def test_every_key_is_named_on_the_page(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "model.mlir", tmp_path / "out.mlir"
    text = PROGRAM.replace("%p: i1", "%p: i1, %c: tensor<1x5xf32>").replace("  return", REJECTED + "  return")
    file.write_text(text if command == "verify" else PROGRAM, encoding="utf-8")
    arguments = [{"FILE": str(file), "OUT": str(out)}.get(each, each) for each in COMMANDS[command]]
    main([command, *arguments, "--json"])
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    section = sections()[f"shapesolve {command} --json"]
    assert f'"{document["format"]}"' in section
    assert document["version"] == 2
    assert all_keys(document) - set(re.findall(r"`(\w+)`", section)) == set()


@pytest.mark.slow
def test_every_key_of_the_coverage_is_named_on_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    main(["rules", "--coverage", "--json"])
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    section = sections()["shapesolve rules --json"]
    assert f'"{document["format"]}"' in section
    assert all_keys(document) - set(re.findall(r"`(\w+)`", section)) == set()


def test_every_key_of_a_hunt_is_named_on_the_page() -> None:
    section = sections()["shapesolve hunt --json"]
    keys = {each.name for kind in (HuntRecord, Cause, Sighting, Complaint) for each in dataclasses.fields(kind)}
    assert f'"{FORMAT}"' in section
    assert keys - set(re.findall(r"`(\w+)`", section)) == set()
