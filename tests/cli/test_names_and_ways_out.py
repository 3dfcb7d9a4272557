"""Names, codes and ways out that a document has as the text has them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shapesolve.semantics.codes import clause_of, code
from shapesolve.semantics.registry import load_rules

from .conftest import Command

RESHAPED = """func.func @f(%x: tensor<?xf32>, %idx: tensor<?xindex>, %i: index) -> f32 {
  %k = tensor.extract %idx[%i] : tensor<?xindex>
  %v = tensor.extract %x[%k] : tensor<?xf32>
  return %v : f32
}
"""

UNKNOWN = """func.func @f(%x: tensor<?xf32>, %i: index) -> f32 {
  %k = "my.NAME"(%i) : (index) -> index
  %v = tensor.extract %x[%k] : tensor<?xf32>
  return %v : f32
}
"""

KEPT = """func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %k = "my.op"(%n) : (index) -> index
  %p = arith.cmpi sge, %k, %c0 : index
  cf.assert %p, "not negative"
  return
}
"""


def written(folder: Path, text: str, name: str = "f.mlir") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.process
def test_elements_of_an_index_tensor_are_called_as_in_the_text(command: Command, tmp_path: Path) -> None:
    file = written(tmp_path, RESHAPED)
    contract = json.loads(command("contract", file, "--json").out)
    sizes = [each["witness"]["sizes"] for each in contract["functions"][0]["conditions"] if each["witness"]]
    checked = json.loads(command("check", file, "--json").out)
    refuted = [each["evidence"] for each in checked["files"][0]["functions"][0]["obligations"]]
    sizes += [each["sizes"] for each in refuted if "sizes" in each]
    names = {name for each in sizes for name in each} | {name for each in refuted for name in each.get("free", ())}
    assert any(name.startswith("idx.values[") for name in names)
    assert not [name for name in names if name.endswith((".extents", ".signs"))]


@pytest.mark.process
def test_a_question_with_one_reason_is_printed_once(command: Command, tmp_path: Path) -> None:
    source, target = written(tmp_path, UNKNOWN), written(tmp_path, UNKNOWN.replace("NAME", "other"), "g.mlir")
    lines = command("refine", source, target, "--verbose").out.splitlines()
    questions = [line for line in lines if line.lstrip().startswith("undecided ")]
    assert any(line.endswith("times)") for line in questions)
    assert len(questions) == len(set(questions))


def test_ways_out_stand_in_the_document_of_pruning(command: Command, tmp_path: Path) -> None:
    file, output = written(tmp_path, KEPT), str(tmp_path / "out.mlir")
    document = json.loads(command("prune", file, "-o", output, "--json").out)
    assert any("--library" in each for each in document["try"])


def test_a_code_may_be_given_by_the_number_of_its_clause() -> None:
    registry = load_rules()
    found = clause_of("tensor-pad-c1", registry)
    assert found is not None and code(found.op, found.clause, found.words) == "tensor-pad-negative-padding"
    assert clause_of("tensor-pad-negative-padding", registry) == found
