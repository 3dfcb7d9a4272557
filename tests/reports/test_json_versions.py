"""``--json-version 1`` writes what version 1 wrote: the same documents with their old keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from shapesolve.cli.main import main

pytestmark = pytest.mark.process

PROGRAM = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index, %m: memref<?xindex>, %s: !shape.shape) -> !shape.shape {
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %c0 = arith.constant 0 : index
  %ok = arith.cmpi sge, %n, %n : index
  cf.assert %ok, "reflexive"
  %d = memref.load %m[%c0] : memref<?xindex>
  %fits = arith.cmpi slt, %d, %n : index
  cf.assert %fits, "data"
  %e = "test.unknown"(%n) : (index) -> index
  %1 = "shape.broadcast"(%s, %s) {error = "apart"} : (!shape.shape, !shape.shape) -> !shape.shape
  return %1 : !shape.shape
}
"""
CHECK = {
    "findings": "causes",
    "strategy": "rung",
    "undecided_reason": "obstacle",
    "model_assumptions": "leans_on",
    "confirmation": "shown",
    "requirements_known": "demands_known",
    "error_message": "said",
}
PRUNE = {"inserted": "put_in", "open_in_output": "still_open", "possibly_undefined": "may_be_undefined"}


def keys_of(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value) | {key for each in value.values() for key in keys_of(each)}
    return {key for each in value for key in keys_of(each)} if isinstance(value, list) else set()


@pytest.fixture
def documents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    file = tmp_path / "f.mlir"
    file.write_text(PROGRAM)

    def written(version: int, *arguments: str) -> Any:
        main([*arguments, str(file), "--json", "--json-version", str(version)])
        return json.loads(capsys.readouterr().out)

    return written


@pytest.mark.parametrize(
    ("command", "renamed"),
    [
        (("check",), {key: CHECK[key] for key in CHECK if key != "error_message"}),
        (("prune", "-o", "-"), PRUNE),
        (("contract",), {"model_assumptions": "leans_on"}),
        (("shape-of",), {"model_assumptions": "leans_on"}),
    ],
    ids=["check", "prune", "contract", "shape-of"],
)
def test_version_1_has_its_keys(
    command: tuple[str, ...], renamed: dict[str, str], documents: Any, tmp_path: Path
) -> None:
    if "-o" in command:
        command = (*command[:-1], str(tmp_path / "out.mlir"), "--force")
    new, old = documents(2, *command), documents(1, *command)
    assert (new["version"], old["version"]) == (2, 1)
    assert keys_of(new) >= set(renamed) and not keys_of(old) & set(renamed)
    assert keys_of(old) == {renamed.get(key, key) for key in keys_of(new)}


def test_a_strategy_has_its_old_name(documents: Any) -> None:
    strategies = {
        each["evidence"].get("strategy") for each in documents(2, "check")["files"][0]["functions"][0]["obligations"]
    }
    rungs = {each["evidence"].get("rung") for each in documents(1, "check")["files"][0]["functions"][0]["obligations"]}
    assert rungs == {"ledger" if each == "propagation" else each for each in strategies}
