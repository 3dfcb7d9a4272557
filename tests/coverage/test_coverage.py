"""Test that every item of the source documents has a rule and a test, or is a known gap."""

from __future__ import annotations

import json
from collections.abc import Generator
from functools import cache
from pathlib import Path

import pytest
from support.coverage_programs import answer

from shapesolve.cli.main import main
from shapesolve.coverage import table
from shapesolve.coverage.documents import Evidence, Item, evidence, repository, targets_of
from shapesolve.coverage.programs import Program, Run, programs_in, wrong_answers
from shapesolve.coverage.table import Answer, Coverage, Covered, coverage, markdown

ROOT = Path(__file__).parents[2]
GAPS = Path(__file__).with_name("known_gaps.json")


@pytest.fixture(scope="module", autouse=True)
def marks() -> Generator[Evidence]:
    """Return the evidence of the tests, read once for this module."""
    read = cache(evidence)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "evidence", read)
        yield read(ROOT)


@pytest.fixture(scope="module")
def whole(marks: Evidence) -> Coverage:
    return coverage()


@pytest.mark.slow
def test_nothing_is_missing_but_the_known_gaps(whole: Coverage) -> None:
    known: dict[str, list[str]] = json.loads(GAPS.read_text(encoding="utf-8"))
    missing = {name: list(lacks) for name, lacks in whole.missing.items()}
    new = {name: lacks for name, lacks in missing.items() if name not in known}
    assert not new, "these lack a rule or a test"
    closed = {name: lacks for name, lacks in known.items() if missing.get(name) != lacks}
    assert not closed, f"these gaps are closed, at least in part: take them out of {GAPS.name}"


@pytest.mark.slow
def test_the_page_is_up_to_date(whole: Coverage) -> None:
    page = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
    assert page == markdown(whole), "make it anew (CONTRIBUTING.md)"


@pytest.mark.slow
def test_items_have_names_of_their_own(whole: Coverage) -> None:
    names = [item.id for document in whole.documents for item in document.items]
    assert len(names) == len(set(names)) == len(whole.items)
    assert all(item.words and item.by for document in whole.documents for item in document.items)


def test_every_mark_names_an_item(whole: Coverage, marks: Evidence) -> None:
    items = [each.item for each in whole.items.values()]
    assert not marks.unknown(items)


def test_the_documents_are_whole(whole: Coverage) -> None:
    """The numbers that the documents themselves give, or that counting in them gives."""
    sizes = {group.title: len(group.items) for document in whole.documents for group in document.groups}
    assert sizes["Unary operations"] == 16
    assert sizes["Binary operations"] == 19
    assert sizes["Ternary operations"] == 1
    assert sizes["Combinations of shapes"] == 8
    assert sizes["Proposed lowerings"] == 11
    assert sizes["Operations of the page"] == 25
    assert sizes["Correct uses"] + sizes["Incorrect uses"] == 13
    assert sizes["The table of join"] == 8
    assert sizes["The examples of split_at, of [4, 5, 6]"] == 9


@pytest.mark.parametrize(
    "name",
    [
        "shape.no_such_operation",
        "shapesolve no-such-command",
        "profile no-such-page",
        "theorem no-such-theorem",
        "shapesolve.symbolic.shapes.no_such_name",
        "shapesolve.no_such_module.name",
    ],
)
def test_missing_definitions_are_not_found(name: str) -> None:
    (target,) = targets_of(Item("an.item", "words", "", (name,)))
    assert not target.exists


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("shape.split_at", "shapesolve.constraints.shape.shapes"),
        ("shapesolve check", "shapesolve.cli.check"),
        ("profile page-2023", "shapesolve.traits.profiles"),
        ("theorem zero-wins", "shapesolve.traits.theorems"),
        ("shapesolve.symbolic.shapes.broadcast", "shapesolve.symbolic.shapes"),
    ],
)
def test_existing_definitions_are_found(name: str, module: str) -> None:
    (target,) = targets_of(Item("an.item", "words", "", (name,)))
    assert target.module == module


def test_tests_are_found_by_operation_and_by_mark(tmp_path: Path) -> None:
    cases = tmp_path / "tests" / "cases" / "shape"
    cases.mkdir(parents=True)
    (cases / "a.mlir").write_text(
        "// shape.meet is only spoken of\n// covers: shape.type.size, shape.law.*\n"
        '%0 = shape.add %a, %b\n"shape.rank"(%s)'
    )
    (tmp_path / "tests" / "test_b.py").write_text(
        "import pytest\n"
        '@pytest.mark.covers("shape.rank")\ndef test_one(): pass\n'
        '@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.covers("shape.mul"))])\n'
        "def test_two(x): pass\n"
    )
    found = evidence(tmp_path)

    def tests(name: str) -> tuple[str, ...]:
        is_operation = name.count(".") == 1
        return found.tests_of(Item(name, "words", name if is_operation else "", (name,)))

    assert tests("shape.add") == ("tests/cases/shape/a.mlir",)
    assert tests("shape.rank") == ("tests/test_b.py::test_one", "tests/cases/shape/a.mlir")
    assert tests("shape.mul") == ("tests/test_b.py::test_two",)
    assert tests("shape.type.size") == tests("shape.law.any") == ("tests/cases/shape/a.mlir",)
    assert tests("shape.meet") == ()


def test_coverage_as_json_has_every_item_of_the_documents(whole: Coverage, capsys: pytest.CaptureFixture[str]) -> None:
    assert repository() == ROOT
    assert main(["rules", "--coverage", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "shapesolve-coverage"
    assert {each["item"] for each in document["items"]} == set(whole.items)
    assert main(["rules", "--coverage", "--markdown"]) == 0
    assert capsys.readouterr().out == markdown(whole)
    assert main(["rules", "--coverage"]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in whole.items)


@pytest.mark.parametrize(
    "arguments",
    [["rules", "--markdown"], ["rules", "shape", "--coverage"], ["rules", "--coverage", "--json", "--markdown"]],
)
def test_wrong_options_of_coverage_exit_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "error" in capsys.readouterr().err


def test_every_program_shows_items_that_exist(whole: Coverage) -> None:
    programs = programs_in(ROOT)
    assert len(programs) > 190
    assert all(item in whole.items for program in programs for item in program.items)
    assert all(program.runs and program.document for program in programs)
    keys = [run.key(program) for program in programs for run in program.runs]
    assert len(keys) == len(set(keys))
    assert set(wrong_answers(ROOT)) <= set(keys), RECORD


RECORD = "record the answers anew: cd tests && python -m support.coverage_programs"


@pytest.mark.exhaustive
def test_every_command_answers_as_recorded(tmp_path: Path) -> None:
    """Right answers stay right, and every recorded wrong answer is still wrong."""
    wrong = wrong_answers(ROOT)
    worse: dict[str, str] = {}
    better: list[str] = []
    for program in programs_in(ROOT):
        for run in program.runs:
            found, key = answer(program, run, tmp_path), run.key(program)
            if found and key not in wrong:
                worse[key] = found
            elif not found and key in wrong:
                better.append(key)
    assert not worse
    assert not better, RECORD


@pytest.mark.slow
def test_a_wrong_answer_is_noticed(tmp_path: Path) -> None:
    text = "func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {\n  return %a : tensor<2xf32>\n}\n"

    def wrong(command: str, code: int, *says: str) -> str:
        run = Run(command, code, says)
        return answer(Program("a", ("b",), "c", text, (run,)), run, tmp_path)

    assert not wrong("check FILE", 0, "no checks of sizes found")
    assert wrong("check FILE", 1) == "exit code 0, not 1"
    assert wrong("shape-of FILE", 0, "%a [3]") == "it does not say `%a [3]`"
    assert wrong("check FILE --no-such-option", 0) == "exit code 2, not 0"


def test_an_item_works_only_where_every_command_does() -> None:
    def state(*wrong: str) -> str:
        answers = tuple(Answer("p", "d", "check FILE", each) for each in wrong)
        return Covered(Item("an.item", "words", "", ()), (), (), answers).state

    assert state() == "no program"
    assert state("", "") == "works"
    assert state("", "exit code 2, not 0") == "partly"
    assert state("exit code 2, not 0") == "not"
