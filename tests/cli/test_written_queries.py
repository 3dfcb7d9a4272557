"""Test that z3 and cvc5 read the queries of --dump-queries, and that their unsat cores name lines of the program."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import pytest
import z3

from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.prover import Prover

from .conftest import Command

PROGRAM = """\
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %n: index, %s: !shape.shape, %t: !shape.shape) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %d0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %b, %c1 : tensor<?x?xf32>
  %enough = arith.cmpi sge, %d1, %c3 : index
  cf.assert %enough, "at least three"
  %less = arith.cmpi slt, %d0, %n : index
  cf.assert %less, "less"
  %m = arith.muli %d0, %d1 : index
  %k = arith.muli %n, %d1 : index
  %products = arith.cmpi slt, %m, %k : index
  cf.assert %products, "follows from lines 8 and 10"
  %rest = arith.remsi %k, %c3 : index
  %q = arith.floordivsi %k, %c3 : index
  %whole = arith.muli %q, %c3 : index
  %sum = arith.addi %whole, %rest : index
  %same = arith.cmpi eq, %sum, %k : index
  cf.assert %same, "a division"
  %w = shape.cstr_broadcastable %s, %t : !shape.shape, !shape.shape
  %x = shape.assuming %w -> !shape.shape {
    %u = shape.broadcast %s, %t : !shape.shape, !shape.shape -> !shape.shape
    %v = shape.cstr_broadcastable %u, %s : !shape.shape, !shape.shape
    shape.assuming_yield %u : !shape.shape
  }
  return
}
"""


class Reading(Protocol):
    def __call__(self, text: str) -> str:
        """Return a solver's output for a file."""
        ...


def by_z3(text: str) -> str:
    unchecked: Any = z3
    context = z3.Context()  # which dies with its last reference
    return unchecked.Z3_eval_smtlib2_string(context.ref(), f"(set-option :timeout 20000)\n{text}")


def by_cvc5(text: str) -> str:
    cvc5 = pytest.importorskip("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", "20000")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "query")
    sentences: list[str] = []
    while not (command := parser.nextCommand()).isNull():
        sentences.append(command.invoke(solver, parser.getSymbolManager()))
    return "".join(sentences)


@pytest.fixture
def texts(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Return the written queries by name, with the propagator disabled: otherwise few claims reach a solver."""

    def nothing(*given: object, **chosen: object) -> None:
        del given, chosen

    monkeypatch.setattr(Propagator, "prove", nothing)
    monkeypatch.setattr(Prover, "_tried", nothing)
    program = tmp_path / "f.mlir"
    program.write_text(PROGRAM, encoding="utf-8")
    command("check", str(program), "--no-execute", "--dump-queries", str(tmp_path / "queries"), "--assume", "n <= 1000")
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted((tmp_path / "queries").iterdir())}


def names(text: str) -> list[str]:
    """The names of the assertions in a file."""
    return re.findall(r":named (\S+)\)\)$", text, re.MULTILINE)


@pytest.mark.slow
def test_every_assertion_has_a_name_of_its_own(texts: dict[str, str]) -> None:
    assert texts
    for text in texts.values():
        assert text.count("\n(assert ") == len(names(text)) == len(set(names(text)))
    assert any("line_8_cf_assert_cf_assert_condition" in text for text in texts.values())
    assert any("assume_n_1000" in text for text in texts.values())


@pytest.mark.slow
@pytest.mark.parametrize("read", [by_z3, by_cvc5])
def test_solvers_read_them_and_agree(read: Reading, texts: dict[str, str]) -> None:
    answers = {name: read(text).split()[0] for name, text in texts.items()}
    assert set(answers.values()) <= {"sat", "unsat", "unknown"}, answers
    refuted = ("f-cf.assert.1-C1", "f-cf.assert.2-C1", "f-shape.cstr_broadcastable.1-C1")
    for name, answer in answers.items():
        claim = name[5:]
        if claim in refuted:
            assert answer in ("sat", "unknown"), name  # cvc5 may not find shapes of unknown rank
        elif not claim.endswith(("-free", "-changed", "-smallest", "-always", "-rank", "reachable")):
            assert answer == "unsat", name
    assert answers["0001-f-cf.assert.1-C1"] == "sat"


@pytest.mark.slow
@pytest.mark.parametrize("read", [by_z3, by_cvc5])
def test_a_core_speaks_of_lines(read: Reading, texts: dict[str, str]) -> None:
    (text,) = (text for text in texts.values() if "line_14_f_cf_assert_3_C1_fails" in names(text))
    answer, _, core = read(f"{text}(get-unsat-core)\n").partition("\n")
    assert answer == "unsat"
    assert {"line_14_f_cf_assert_3_C1_fails", "line_10_cf_assert_cf_assert_condition"} <= set(re.findall(r"\w+", core))


def test_the_files_come_in_the_order_of_the_questions(texts: dict[str, str]) -> None:
    numbers = [int(name[:4]) for name in texts]
    assert all(b == a + 1 for a, b in pairwise(numbers))
