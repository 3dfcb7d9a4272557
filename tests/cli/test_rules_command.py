"""`shapesolve rules`: the registry, printed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shapesolve.semantics.registry import load_rules

from .conftest import Command


def test_every_rule_is_listed_once(command: Command) -> None:
    out = command("rules").out
    listed = [line.split()[0] for line in out.splitlines() if line.startswith("   ")]
    traits = ["Broadcastable", "Elementwise", "SameOperandsAndResultShape", "SameOperandsShape", "as-operand-N"]
    assert sorted(listed) == sorted([*(rule.op for rule in load_rules().rules()), *traits])


def test_rules_of_an_operation_prints_all_its_clauses(command: Command) -> None:
    out = command("rules", "tensor.concat").out
    rule = load_rules().get("tensor.concat")
    assert rule is not None
    assert out.startswith("tensor.concat\n")
    for number, words in rule.clauses.items():
        assert f"({number})" in out
        assert " ".join(words.split()) in " ".join(out.split())
    assert rule.example in out
    assert rule.module in out


def test_rules_of_a_dialect_prints_no_other_dialect(command: Command) -> None:
    out = command("rules", "ub").out
    assert "ub.poison" in out
    assert "tensor.concat" not in out


def test_rules_as_json_have_all_operations_with_their_clauses(command: Command) -> None:
    document = json.loads(command("rules", "tosa.matmul", "--json").out)
    assert document["format"] == "shapesolve-rules"
    (rule,) = document["rules"]
    assert rule["op"] == "tosa.matmul"
    assert set(rule["clauses"]) >= {"C1", "R1"}
    assert len(json.loads(command("rules", "--json").out)["rules"]) == len(load_rules())


def test_a_trait_is_shown_with_its_carriers(command: Command) -> None:
    out = " ".join(command("rules", "Broadcastable").out.split())
    assert "(C2) In every column, counted from the right, the extents of the operands are equal or 1." in out
    assert "--carrier my.op=Broadcastable" in out and "carried by test.broadcastable" in out
    document = json.loads(command("rules", "Broadcastable", "--json").out)
    assert document["rules"] == []
    (trait,) = document["traits"]
    assert trait["carried_by"] == ["test.broadcastable"]
    carriers = trait["carried_in"]
    assert {"tosa.add", "tosa.exp", "tosa.int_div"} <= set(carriers["mlir-19"])
    assert "tosa.intdiv" in carriers["mlir-22"] and "tosa.int_div" not in carriers["mlir-22"]
    assert "tosa.exp" in carriers["page-2023"] and "tosa.exp" not in carriers["mlir-22"]  # it has one shape there
    (same,) = json.loads(command("rules", "SameOperandsAndResultShape", "--json").out)["traits"]
    assert "tosa.exp" in same["carried_in"]["mlir-22"] and "tosa.add" not in same["carried_in"]["mlir-22"]
    assert command("rules", "as-operand-3").out == command("rules", "as-operand").out
    assert len(json.loads(command("rules", "--json").out)["traits"]) == 5
    assert json.loads(command("rules", "tosa", "--json").out)["traits"] == []


@pytest.mark.slow
def test_the_carriers_of_a_profile_are_verified_by_the_trait(command: Command, tmp_path: Path) -> None:
    bad = "(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> tensor<?xf32>\n  return\n}\n"
    carriers = json.loads(command("rules", "Broadcastable", "--json").out)["traits"][0]["carried_in"]
    for profile, operations in carriers.items():
        for op in ("tosa.add", "tosa.equal", "tosa.select"):
            path = tmp_path / "op.mlir"
            path.write_text(f'func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {{\n  %0 = "{op}"{bad}')
            assert (command("verify", str(path), "--profile", profile).code == 1) == (op in operations)


@pytest.mark.slow
def test_the_rules_command_explains_a_code(command: Command) -> None:
    out = command("rules", "tosa-matmul-inner").out
    assert out.startswith("tosa-matmul-inner\n") and "(C2)" in out and "tosa.matmul" in out
    assert "declares" in command("rules", "tensor-cast-result-rank").out
    assert "not checked" in command("rules", "unchecked").out
    assert command("rules", "tosa-matmul-c99").code == 2
