"""`shapesolve test`: expectations in comments, and what happens where they do not hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cli.conftest import ADD, Command

PAGE = (Path(__file__).parents[2] / "docs" / "ci.md").read_text("utf-8")
OPEN = """\
func.func @open(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expect: unchecked
  %0 = "my.op"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  // expect: undecided C1 because no rule describes it
  %1 = tosa.sub %0, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""


def add(*comments: str, before: str = "") -> str:
    first, *rest = ADD.splitlines()
    return "\n".join([*([before] if before else []), first, *comments, *rest, ""])


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "a.mlir"
    path.write_text(text)
    return str(path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        add("  // expect: refuted tosa-add-broadcast"),
        add("  // expect: refuted add-broadcast with x[0] = 2, y[0] = 3"),
        add("  // expect: refuted C1 compatible(x[0],  y[0])"),
        add("//expect: refuted", "// another comment", ""),
        add("  // expect: proved tosa-add-broadcast", before="// assume: x[0] == y[0]"),
        OPEN,
    ],
)
def test_expectations_that_hold(text: str, tmp_path: Path, command: Command) -> None:
    result = command("test", written(tmp_path, text))
    assert result.code == 0 and result.out.endswith("all as expected\n") and not result.err, result.out + result.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "words"),
    [
        (add("  // expect: proved"), "a.mlir:2: expected proved; found refuted tosa-add-broadcast compatible("),
        (add("  // expect: refuted with x[0] = 9"), "(with x[0] = 2, y[0] = 3)"),
        (add("  // expect: refuted C1 x[0] == 3"), "a.mlir:2: expected refuted C1 x[0] == 3; found refuted"),
        (add("  // expect: refuted tosa-mul-broadcast"), "line 3 has no such obligation, but tosa-add-broadcast"),
        (add("  // expect: unchecked", "  // expect: refuted"), "every operation of the line is checked"),
        (OPEN.replace("// expect: un", "// un", 1), "a.mlir:3: nothing expects unchecked my.op: no rule"),
        (OPEN.replace("  // expect: undecided C1 ", "// "), "a.mlir:5: nothing expects undecided tosa-sub-broadcast"),
        (OPEN.replace("because no", "because some"), "found undecided tosa-sub-broadcast because my.op: no rule"),
    ],
)
def test_expectations_that_are_broken(text: str, words: str, tmp_path: Path, command: Command) -> None:
    result = command("test", written(tmp_path, text))
    assert result.code == 1 and words in result.out, result.out + result.err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (add("  // expect refuted"), "a.mlir:2: an expectation reads"),
        (add("  // expect: wrong"), "a.mlir:2: `wrong` is none of proved,"),
        (add() + "// expect: proved\n", "a.mlir:5: no line follows"),
        (add(), "a.mlir: the file expects nothing"),
        ("// expect: proved\nfunc.func @f(", "a.mlir:2:13: "),
    ],
)
def test_a_file_that_cannot_be_tested(text: str, words: str, tmp_path: Path, command: Command) -> None:
    result = command("test", written(tmp_path, text))
    assert result.code == 2 and words in result.err


def test_parts_and_several_files(tmp_path: Path, command: Command) -> None:
    holds, broken = add("// expect: refuted"), add("// expect: proved")
    (tmp_path / "parts.mlir").write_text(f"{holds}// -----\n// nothing\n// -----\n{broken}")
    result = command("test", str(tmp_path / "parts.mlir"), "--split-input-file")
    assert result.code == 1 and "parts.mlir:10: expected proved; found refuted" in result.out
    (tmp_path / "good.mlir").write_text(holds)
    (tmp_path / "parts.mlir").unlink()
    (tmp_path / "bad.mlir").write_text(broken)
    result = command("test", str(tmp_path))
    assert result.code == 1 and result.out.endswith("2 files, 1 with broken expectations or errors\n")


def test_the_example_of_the_page_holds(tmp_path: Path, command: Command) -> None:
    (example,) = re.findall(r"```mlir\n(// assume.*?)```", PAGE, re.DOTALL)
    assert command("test", written(tmp_path, example)).code == 0
