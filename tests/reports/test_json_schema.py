"""Test that the JSON documents of commands follow the published schema, which omits no key."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, cast

import pytest

from shapesolve.checker.checked_obligation import Shown
from shapesolve.cli.main import main
from shapesolve.refinement.outcome import Ending
from shapesolve.reports.json_versions import json_schema_text
from shapesolve.solver.verdicts import UndecidedReason, VerdictKind
from shapesolve.test_generation.vectors import Expected
from shapesolve.trace.events import Source
from shapesolve.validation.outcome import Standing

jsonschema: Any = pytest.importorskip("jsonschema")

ROOT = Path(__file__).parents[2]
PROGRAM = """func.func private @outside(index) -> index
func.func private @helper(%p: tensor<?xf32>, %q: tensor<?xf32>) {
  %0 = tosa.add %p, %q : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}
func.func @f(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %p: i1, %ids: tensor<?xindex>, %i: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  cf.assert %p, "p"
  %below = arith.cmpi ule, %n, %n : index
  cf.assert %below, "n"
  %x = tosa.add %a, %b : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %id = tensor.extract %ids[%c0] : tensor<?xindex>
  %v = tensor.extract %a[%id, %c0] : tensor<?x4xf32>
  %j = func.call @outside(%i) : (index) -> index
  %w = tensor.extract %a[%j, %c0] : tensor<?x4xf32>
  return %x : tensor<?x4xf32>
}
func.func @calls(%x: tensor<?xf32>, %y: tensor<*xf32>, %z: tensor<?xf32>) {
  func.call @helper(%x, %z) : (tensor<?xf32>, tensor<?xf32>) -> ()
  %c = tensor.cast %y : tensor<*xf32> to tensor<?x?xf32>
  return
}
func.func @fails() -> tensor<5xf32> {
  %c4 = arith.constant 4 : index
  %a = tensor.empty(%c4) : tensor<?xf32>
  %c = tensor.cast %a : tensor<?xf32> to tensor<5xf32>
  return %c : tensor<5xf32>
}
func.func @never(%x: tensor<?xf32>, %y: tensor<?xf32>) attributes {shapesolve.assume = ["x[0] >= 3", "x[0] <= 2"]} {
  %0 = tosa.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}
"""
REJECTED = """func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %0 = tosa.add %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""
TOOL = f"""#!{sys.executable}
import sys
from pathlib import Path
source, target = (Path(each) for each in sys.argv[1:] if each.endswith(".mlir"))
runs_passes = any(each.startswith("--pass-pipeline") for each in sys.argv)
target.write_text(source.read_text().replace("arith.constant 4", f"arith.constant {{4 + runs_passes}}"))
"""
HUNTED = """func.func @f() -> tensor<?xf32> {
  %c4 = arith.constant 4 : index
  %a = tensor.empty(%c4) : tensor<?xf32>
  return %a : tensor<?xf32>
}
"""
TARGET = PROGRAM.replace("tosa.add %a, %b", "tosa.sub %b, %a").replace('"p"', '"q"').replace("%p, %q :", "%p, %p :")
COMMANDS = {
    "check": ["FILE", "BROKEN"],
    "check of a run": ["FILE", "--stats"],
    "prune": ["FILE", "-o", "OUT"],
    "prune with checks": ["FILE", "-o", "OUT", "--harden"],
    "prune of several": ["FILE", "TARGET", "-o", "FOLDER"],
    "contract": ["FILE"],
    "shape-of": ["FILE"],
    "shape-of with output": ["FILE", "-o", "OUT", "--assume", "a[0] == 5", "-f", "f"],
    "refine": ["FILE", "TARGET"],
    "explain": ["FILE"],
    "explain with a query": ["LINE", "--query"],
    "sizes": ["FILE"],
    "validate": ["FILE", "BROKEN", "--pipeline", "builtin.module(func.func(canonicalize,cse))"],
    "validate of a wrong pass": ["FILE", "--pipeline", "builtin.module(canonicalize)", "--tool", "TOOL"],
    "verify": ["FILE"],
    "verify of a rejected operation": ["REJECTED"],
    "rules": [],
    "rules with their coverage": ["--coverage"],
    "certify": ["CERTIFICATES"],
    "hunt": ["HUNTED", "--passes", "canonicalize", "--tool", "TOOL", "--no-generate", "--reduce-seconds", "1"],
    "theorems": [],
    "refine of the proposal": [str(ROOT / "tests" / "rfc" / "proposed.mlir"), "LOWERED"],
}


def closed(schema: object) -> object:
    """The schema without room for keys that it does not name: those would be missing in it."""
    if isinstance(schema, list):
        return [closed(each) for each in cast("list[object]", schema)]
    if not isinstance(schema, dict):
        return schema
    found = {key: closed(value) for key, value in cast("dict[str, object]", schema).items()}
    if found.get("type") == "object" and "properties" in found and "$defs" not in found:
        found.setdefault("additionalProperties", False)
    return found


def validator() -> Any:
    return jsonschema.Draft202012Validator(closed(json.loads(json_schema_text())))


def test_the_json_schema_is_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(json_schema_text()))


@pytest.mark.process
@pytest.mark.parametrize("name", COMMANDS)
def test_a_document_follows_it(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ("FILE", "TARGET", "BROKEN", "OUT", "FOLDER", "HUNTED")
    paths = {each: tmp_path / f"{each.lower()}.mlir" for each in names} | {"FOLDER": tmp_path / "out"}
    paths["CERTIFICATES"] = tmp_path / "certificates"
    paths |= {"REJECTED": tmp_path / "rejected.mlir", "TOOL": tmp_path / "tool"}
    paths["LINE"] = tmp_path / "file.mlir:12"
    paths["REJECTED"].write_text(REJECTED, encoding="utf-8")
    paths["TOOL"].write_text(TOOL, encoding="utf-8")
    paths["TOOL"].chmod(0o755)
    paths["LOWERED"] = ROOT / "tests" / "rfc" / "proposed_lowered.mlir"
    for each, text in (("FILE", PROGRAM), ("TARGET", TARGET), ("BROKEN", "func.func @f( {"), ("HUNTED", HUNTED)):
        paths[each].write_text(text, encoding="utf-8")
    paths["FOLDER"].mkdir()
    command = name.partition(" ")[0]
    execute = [] if command != "check" or "run" in name else ["--no-execute"]
    if command == "certify":
        main(["check", str(paths["FILE"]), "--no-execute", "--certify", str(paths["CERTIFICATES"])])
        capsys.readouterr()
    main([command, *(str(paths.get(each, each)) for each in COMMANDS[name]), *execute, "--json"])
    document = json.loads(capsys.readouterr().out)
    found = [f"{list(each.absolute_path)}: {each.message[:200]}" for each in validator().iter_errors(document)]
    assert found == []
    lists = {"certify": "certificates", "hunt": "causes"}
    assert command not in lists or document[lists[command]]


@pytest.mark.parametrize(
    ("place", "codes"),
    [
        (("undecided_reason",), [each.code for each in UndecidedReason]),
        (("verdict",), list(VerdictKind)),
        (("fact", "properties", "source"), [each.value for each in Source]),
        (("execution", "properties", "confirmation"), [each.name.lower() for each in Shown]),
        (("ending", "properties", "ending"), [each.name.lower() for each in Ending]),
        (("pass", "properties", "standing"), [each.name.lower() for each in Standing]),
        (("vector", "properties", "expected"), [each.value for each in Expected]),
    ],
)
def test_it_lists_every_code_of_an_enumeration(place: tuple[str, ...], codes: list[str]) -> None:
    found = json.loads(json_schema_text())["$defs"]
    for each in place:
        found = found[each]
    assert sorted(found["enum"]) == sorted(codes)


def test_it_refuses_what_is_no_document() -> None:
    assert not validator().is_valid({"format": "shapesolve-check", "version": 1})
    assert not validator().is_valid({"format": "shapesolve-check", "version": 2, "shapesolve": "0", "exit_code": 0})
    whole = {"format": "shapesolve-check", "version": 2, "shapesolve": "0", "exit_code": 0, "files": []}
    assert validator().is_valid(whole)
    assert not validator().is_valid({**whole, "more": 1})


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["man", "--json-schema"]) == 0
    assert capsys.readouterr().out == json_schema_text()
