"""Test that `--distrust` ignores the assumptions that a file states, and not those that options give."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from shapesolve.ir.program import Program
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.preconditions.functions import SourcedText
from shapesolve.pruning import prune_once
from shapesolve.pruning.decisions import Decisions, Evidence
from shapesolve.pruning.prune import prune_program
from shapesolve.rewriting.checks import RewriteError


def program(stated: str = "") -> str:
    """Return a program with three checks, the last of which holds for all sizes."""
    return f"""
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {stated} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.dim %b, %c0 : tensor<?xf32>
  %k = arith.cmpi eq, %d, %e : index
  cf.assert %k, "equal"
  %l = arith.cmpi sge, %d, %c1 : index
  cf.assert %l, "not empty"
  %m = arith.cmpi sge, %e, %c0 : index
  cf.assert %m, "a size"
  return %d : index
}}"""


STATED = 'attributes {shapesolve.assume = ["a[0] == b[0]", "a[0] >= 1"]}'


def standing(text: str) -> list[str]:
    """Return the messages of the assertions of a program."""
    return re.findall(r'cf\.assert .*"(.*)"', text)


@pytest.mark.parametrize("stated", ["", STATED])
@pytest.mark.parametrize(
    ("options", "left"),
    [
        (Options(), ["equal", "not empty"]),
        (Options(assumptions=("a[0] == b[0]",)), ["not empty"]),
        (Options(assumptions=("@f: a[0] == b[0]", "@f: b[0] >= 1")), []),
        (Options(min_size=1), ["equal"]),
        (Options(shapes=("a=[N]", "b=[N]")), ["not empty"]),
        (Options(shapes=("a=[N + 1]", "b=[N]")), ["equal"]),
        (Options(shapes=("a=[N]", "b=[N]"), min_size=1), []),
    ],
)
def test_options_are_believed_and_the_file_is_not(stated: str, options: Options, left: list[str]) -> None:
    result = prune_program(read_text(program(stated)), replace(options, distrust=True))
    assert standing(result.text) == left
    assert standing(program(stated)) == ["equal", "not empty", "a size"]


def test_what_the_file_states_is_believed_without_distrust() -> None:
    assert not standing(prune_program(read_text(program(STATED)), Options()).text)


@pytest.mark.parametrize("options", [Options(assumptions=("a[0] == b[0]",)), Options(shapes=("a=[N]", "b=[N]"))])
def test_the_output_states_what_options_assumed(options: Options) -> None:
    result = prune_program(read_text(program()), replace(options, distrust=True))
    assert result.text == prune_program(read_text(program()), options).text


CALLED = """
func.func private @g(%x: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %k = arith.cmpi sge, %d, %c1 : index
  cf.assert %k, "not empty"
  %l = arith.cmpi sge, %d, %c0 : index
  cf.assert %l, "a size"
  return
}
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.dim %b, %c0 : tensor<?xf32>
  %k = arith.cmpi ne, %d, %e : index
  scf.if %k {
    func.call @g(%a) : (tensor<?xf32>) -> ()
  }
  return
}"""


@pytest.mark.parametrize("distrust", [False, True])
def test_nothing_is_assumed_of_functions_that_nothing_calls_any_more(distrust: bool) -> None:
    options = Options(assumptions=("a[0] == b[0]",), min_size=1, distrust=distrust)
    text = prune_program(read_text(CALLED), options).text
    assert "scf.if" not in text
    assert standing(text) == ["not empty"]


@pytest.mark.parametrize("stated", ["", STATED])
@pytest.mark.parametrize("options", [Options(min_size=1), Options(assumptions=("a[0] >= 1",))])
def test_a_check_that_only_the_file_implies_is_not_let_go(
    stated: str, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    decide = prune_once.decide

    def wrong(program: Program, evidence: Evidence) -> Decisions:
        found = decide(program, evidence)
        found.proved.update(op.number for op in program.operation.walk() if op.attributes.get("msg") == "equal")
        return found

    monkeypatch.setattr(prune_once, "decide", wrong)
    with pytest.raises(RewriteError, match="does not follow from what is left"):
        prune_program(read_text(program(stated)), replace(options, distrust=True))


def test_facts_beside_the_program_are_believed() -> None:
    given = (SourcedText.of("@f: a[0] == b[0]", "facts.toml"), SourcedText.of("a[0] >= 1", "facts.toml"))
    assert not standing(prune_program(read_text(program()), Options(assumptions=given, distrust=True)).text)


def test_arguments_that_are_numbers() -> None:
    text = program().replace("%a", "%0").replace("%b", "%1")
    options = Options(assumptions=("arg0[0] == arg1[0]",), min_size=1, distrust=True)
    assert not standing(prune_program(read_text(text), options).text)
