"""`shapesolve rules`: the registry, printed."""

from __future__ import annotations

import json

from shapesolve.semantics.registry import load_rules

from .conftest import Command


def test_every_rule_is_listed_once(command: Command) -> None:
    out = command("rules").out
    listed = [line.split()[0] for line in out.splitlines() if line.startswith("   ")]
    assert sorted(listed) == [rule.op for rule in load_rules().rules()]


def test_one_rule(command: Command) -> None:
    out = command("rules", "tensor.concat").out
    rule = load_rules().get("tensor.concat")
    assert rule is not None
    assert out.startswith("tensor.concat\n")
    for number, words in rule.clauses.items():
        assert f"({number})" in out
        assert " ".join(words.split()) in " ".join(out.split())
    assert rule.example in out
    assert rule.module in out


def test_one_dialect(command: Command) -> None:
    out = command("rules", "ub").out
    assert "ub.poison" in out
    assert "tensor.concat" not in out


def test_json(command: Command) -> None:
    document = json.loads(command("rules", "tosa.matmul", "--json").out)
    assert document["format"] == "shapesolve-rules"
    (rule,) = document["rules"]
    assert rule["op"] == "tosa.matmul"
    assert set(rule["clauses"]) >= {"C1", "R1"}
    assert len(json.loads(command("rules", "--json").out)["rules"]) == len(load_rules())


def test_a_code_is_explained(command: Command) -> None:
    out = command("rules", "tosa-matmul-inner").out
    assert out.startswith("tosa-matmul-inner\n") and "(C2)" in out and "tosa.matmul" in out
    assert "declares" in command("rules", "tensor-cast-result-rank").out
    assert "not checked" in command("rules", "unchecked").out
    assert command("rules", "tosa-matmul-c99").code == 2
