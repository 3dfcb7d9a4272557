"""Tests of external tools that run passes: correct ones, wrong ones, and ones that crash."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

import shapesolve
from shapesolve.cli.main import main
from shapesolve.errors import InputError
from shapesolve.validation.outcome import Standing

pytestmark = pytest.mark.process

PROGRAM = """\
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> (index, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %k = tensor.dim %b, %c0 : tensor<?xf32>
  %e = arith.cmpi eq, %m, %k : index
  cf.assert %e, "the sizes differ"
  %s = arith.muli %m, %c2 : index
  %r = tensor.empty(%s) : tensor<?xf32>
  return %s, %r : index, tensor<?xf32>
}
"""
FAKE = """\
#!{python}
import os, sys, time
from pathlib import Path

arguments = [each for each in sys.argv[1:] if each.startswith("--")]
source, target = [each for each in sys.argv[1:] if each.endswith(".mlir")]
text = Path(source).read_text()
name = next((each for each in arguments if each.startswith("--pass-pipeline=")), "")
if "func.func" in text:
{edits}
Path(target).write_text(text)
"""


def fake_tool(tmp_path: Path, **passes: str) -> str:
    """Return the path of a tool whose passes run a line of Python each on ``text``; other passes do nothing."""
    edits = "\n".join(f'    if "({name})" in name:\n        {line}' for name, line in passes.items()) or "    pass"
    path = tmp_path / "fake-opt"
    path.write_text(FAKE.format(python=sys.executable, edits=edits))
    path.chmod(0o755)
    return str(path)


SIZE = 'text = text.replace("arith.constant 2 : index", "arith.constant 3 : index")'
CHECK = r'text = "\n".join(line for line in text.split("\n") if "cf.assert" not in line)'
UNDEFINED = (
    'text = text.replace("  return %s", "  %u = arith.divui %m, %n : index\\n  %v = arith.muli %u, %c0 : index\\n'
    '  %w = arith.addi %s, %v : index\\n  return %w")'
)
RENAME = 'text = text.replace("%k", "%other")'


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (SIZE, "target returns another value of result 0"),
        (CHECK, "source aborts at line 7: cf.assert: "),
        (UNDEFINED, "target is undefined at line 10: arith.divui: the divisor is 0"),
    ],
    ids=["size", "check", "undefined behavior"],
)
def test_a_miscompile_is_found_at_its_pass(
    wrong: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = fake_tool(tmp_path, second=RENAME, third=wrong, last=RENAME)
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM)
    pipeline = "builtin.module(nothing,second,third,last)"
    code = main(["validate", str(path), "--pipeline", pipeline, "--tool", tool])
    out = capsys.readouterr().out
    assert code == 1
    assert out.startswith(f"{path}: third (pass 3 of 4) does not refine its input")
    assert words in " ".join(out.split())
    result = shapesolve.validate(PROGRAM, pipeline, tool=tool, execute=False)
    standings = [each.standing for each in result.steps]
    assert standings == [Standing.UNCHANGED, Standing.IDENTICAL, Standing.REFUTED, Standing.UNCHANGED]


def test_allowed_losses_of_checks(tmp_path: Path) -> None:
    tool = fake_tool(tmp_path, dropping=CHECK)
    refused = shapesolve.validate(PROGRAM, "builtin.module(dropping)", tool=tool, execute=False)
    allowed = shapesolve.validate(PROGRAM, "builtin.module(dropping)", tool=tool, execute=False, allow_lost_checks=True)
    assert (refused.exit_code, allowed.exit_code) == (1, 0)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("line", "standing", "reason"),
    [
        ("os.abort()", Standing.CRASHED, "SIGABRT"),
        ('os.write(2, b"LLVM ERROR: no such thing\\n"); os.abort()', Standing.CRASHED, "LLVM ERROR: no such thing"),
        ("sys.exit(139)", Standing.CRASHED, "SIGSEGV"),
        ("time.sleep(60)", Standing.TIMED_OUT, "still running after 2 seconds"),
        ('os.write(2, b"x.mlir:3:1: error: cannot go on\\n"); sys.exit(1)', Standing.FAILED, "cannot go on"),
        (
            'if "--verify-each=false" not in arguments: sys.exit("error: an operand is missing")',
            Standing.INVALID,
            "an operand is missing",
        ),
        ('text = ""', Standing.FAILED, "wrote no module"),
        ('text = "hello"', Standing.NOT_COMPARED, "the output cannot be read"),
    ],
)
def test_tools_that_crash_are_reported(line: str, standing: Standing, reason: str, tmp_path: Path) -> None:
    tool = fake_tool(tmp_path, rename=RENAME, breaking=line)
    found = shapesolve.validate(PROGRAM, "builtin.module(rename,breaking)", tool=tool, pass_seconds=2, execute=False)
    assert [each.standing for each in found.steps] == [Standing.IDENTICAL, standing]
    assert reason in found.steps[1].reason
    assert found.exit_code == (1 if standing.is_finding else 3)


def test_passes_after_a_broken_one_are_not_run(tmp_path: Path) -> None:
    tool = fake_tool(tmp_path, breaking="os.abort()")
    found = shapesolve.validate(PROGRAM, "builtin.module(breaking,after)", tool=tool)
    assert [each.standing for each in found.steps] == [Standing.CRASHED, Standing.NOT_RUN]


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        ("no-such-program", "is no program that can be found"),
        (__file__, "is not executable"),
        ("true", "wrote no module for an empty one"),
        ("false", "ended on an empty module: exit code 1"),
    ],
)
def test_a_tool_that_cannot_be_run_is_an_input_error(tool: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as raised:
        shapesolve.validate(PROGRAM, "builtin.module(cse)", tool=tool)
    assert raised.value.where == "--tool"


@pytest.mark.parametrize("name", ["mlir-opt-16", "mlir-opt-19", "mlir-opt-22"])
def test_other_versions_of_mlir(name: str) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    found = shapesolve.validate(PROGRAM, "builtin.module(func.func(cse),canonicalize)", tool=name)
    assert found.exit_code == 0
    assert found.runner.startswith(f"{name} (version {name[-2:]}.")
    with pytest.raises(InputError, match="'nonesuch' does not refer to a registered pass") as raised:
        shapesolve.validate(PROGRAM, "builtin.module(cse,nonesuch)", tool=name)
    assert raised.value.where == "--pipeline:1:20"
