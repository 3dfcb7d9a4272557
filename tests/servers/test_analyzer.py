"""Test that incremental analyses equal those of the text alone, and recompute as little as possible."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from shapesolve.ir.program import Function, Program
from shapesolve.servers import analyzer
from shapesolve.servers.analysis import Analysis
from shapesolve.servers.analyzer import Analyzer


def function(name: str, width: int, operation: str = "add", result: str = "?x?") -> str:
    return f"""func.func @{name}(%a: tensor<?x{width}xf32>, %b: tensor<?x?xf32>) -> tensor<{result}xf32> {{
  %0 = tosa.{operation} %a, %b : (tensor<?x{width}xf32>, tensor<?x?xf32>) -> tensor<{result}xf32>
  return %0 : tensor<{result}xf32>
}}
"""


CALLS = """func.func private @callee(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.tanh %x : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @caller(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @callee(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = tosa.add %0, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""


def last(given: Analyzer, text: str) -> Analysis:
    return list(given.analyze(text))[-1]


def shown(found: Analysis) -> Any:
    findings = [(each.line, each.column, each.level, each.message, each.code) for each in found.findings]
    shapes = [
        (
            first,
            [(each.name, each.type, each.op, each.location.line, each.location.column, each.shape) for each in some],
        )
        for first, some in found.shapes
    ]
    return findings, found.counterexamples, shapes, found.changes


@pytest.fixture
def analyzed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the functions that are analyzed, as they are."""
    names: list[str] = []
    analysis: Callable[[Program, Function], Any] = analyzer._function_analysis

    def recorded(program: Program, of: Function) -> Any:
        names.append(of.name)
        return analysis(program, of)

    monkeypatch.setattr(analyzer, "_function_analysis", recorded)
    return names


@pytest.mark.slow
def test_only_the_changed_function_is_analyzed(analyzed: list[str]) -> None:
    given = Analyzer()
    text = "".join(function(f"f{number}", number + 2) for number in range(4))
    begun = list(given.analyze(text))
    assert [each.is_checked for each in begun] == [False] * 3 + [True] * 6  # the shapes of a function each, behind
    assert analyzed == ["f0", "f1", "f2", "f3"]
    analyzed.clear()
    for changed, expected in (
        (text.replace("tosa.add %a, %b : (tensor<?x4", "tosa.sub %a, %b : (tensor<?x4"), ["f2"]),
        (f"// above\n\n{text}", ["f2"]),
        (text.replace("func.func @f1", "\n// between\nfunc.func @f1"), []),
        (text.replace("@f3", "@g"), ["g"]),
        (text.replace("@f3", "@f0(%y: index) { return }\nfunc.func @f3"), []),
    ):
        analyzed.clear()
        found = last(given, changed)
        assert analyzed == expected
        assert shown(found) == shown(last(Analyzer(), changed))


def test_functions_with_symbol_references_depend_on_the_whole_text(analyzed: list[str]) -> None:
    given = Analyzer()
    last(given, CALLS)
    assert analyzed == ["caller"]
    changed = CALLS.replace("-> tensor<?xf32> {\n  %0 = tosa.tanh", "-> tensor<?xf32> {\n  %9 = tosa.add %x, %x : "
                            "(tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n  %0 = tosa.tanh")  # fmt: skip
    assert shown(last(given, changed)) == shown(last(Analyzer(), changed))
    assert analyzed == ["caller"] * 3


@pytest.mark.slow
def test_aliases_belong_to_every_function(analyzed: list[str]) -> None:
    text = "!t = tensor<?x3xf32>\n" + function("f", 3).replace("tensor<?x3xf32>", "!t") + function("g", 4)
    given = Analyzer()
    last(given, text)
    analyzed.clear()
    changed = text.replace("!t = tensor<?x3xf32>", "!t = tensor<?x5xf32>")
    assert shown(last(given, changed)) == shown(last(Analyzer(), changed))
    assert analyzed[:2] == ["f", "g"]


def test_an_outdated_analysis_ends_and_keeps_what_is_finished(analyzed: list[str]) -> None:
    given = Analyzer()
    text = "".join(function(f"f{number}", number + 2) for number in range(3))
    steps = given.analyze(text)
    assert not next(steps).is_checked
    assert not next(steps).is_checked
    steps.close()
    assert analyzed == ["f0", "f1"]
    assert len(last(given, text).findings) == 3
    assert analyzed == ["f0", "f1", "f2"]


def test_a_text_with_an_error_keeps_nothing_wrong() -> None:
    given = Analyzer()
    text = function("f", 2) + function("g", 3)
    expected = shown(last(given, text))
    (error,) = last(given, text.replace("return %0", "return %7", 1)).findings
    assert (error.line, error.code) == (3, "input")
    assert shown(last(given, text)) == expected


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(4))
def test_answers_after_random_edits_are_those_of_a_new_analyzer(seed: int) -> None:
    dice = random.Random(seed)
    given = Analyzer()
    pieces = [function(f"f{number}", dice.randint(1, 4)) for number in range(4)]
    for step in range(8):
        at = dice.randrange(len(pieces))
        kind = dice.randrange(5)
        if kind == 0:
            pieces[at] = function(f"n{step}", dice.randint(1, 4), dice.choice(("add", "sub", "maximum")))
        elif kind == 1:
            pieces.insert(at, f"// {step}\n" if dice.random() < 0.5 else function(f"n{step}", dice.randint(1, 4)))
        elif kind == 2 and len(pieces) > 2:
            del pieces[at]
        elif kind == 3:
            pieces.append(pieces.pop(at))
        elif not any("@callee" in each for each in pieces):
            pieces.insert(at, CALLS)
        text = "".join(pieces)
        if "func.func" in text:
            assert shown(last(given, text)) == shown(last(Analyzer(), text))


def test_parts_of_a_split_text_are_modules_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [function("f", 3), function("f", 4), function("g", 5)]
    text = "// -----\n".join(parts)
    analyzed: list[str] = []
    plain = analyzer._function_analysis

    def counted(program: Program, function: Function) -> Any:
        analyzed.append(function.name)
        return plain(program, function)

    monkeypatch.setattr(analyzer, "_function_analysis", counted)
    given = Analyzer()
    found = last(given, text)
    assert [each.line for each in found.findings] == [2, 7, 12]
    assert [first for first, _ in found.shapes] == [1, 6, 11] and len(analyzed) == 3
    broken = last(given, text.replace("return %0 : tensor<?x?xf32>", "return", 1))
    assert broken.findings[0].code == "input"
    assert [each.line for each in broken.findings][1:] == [7, 12]
    moved, again = last(given, f"\n{text}"), last(Analyzer(), f"\n{text}")
    assert [each.line for each in moved.findings] == [3, 8, 13]
    assert [first for first, _ in moved.shapes] == [first for first, _ in again.shapes] == [2, 7, 12]
    assert (moved.changes, moved.counterexamples) == (again.changes, again.counterexamples)
    assert len(analyzed) == 6  # the last three by the analyzer that is new


def test_parts_without_functions_are_left_out() -> None:
    assert [each.line for each in last(Analyzer(), f"module {{}}\n// -----\n{function('f', 3)}").findings] == [4]
    (none,) = last(Analyzer(), "module {}\n// -----\n").findings
    assert (none.code, none.line) == ("input", 1)


def test_changes_are_offered_where_a_function_has_moved_before_they_were_known() -> None:
    given, text = Analyzer(), function("f", 3) + function("g", 4)
    for found in given.analyze(text):
        if found.is_checked:
            break  # as if the text had changed then
    moved = list(given.analyze(f"// a\n\n{text}"))
    assert [each.insertion.line for each in moved[-1].changes] == [3, 7]
    assert not moved[0].changes and moved[0].is_checked
