"""Rules of the user's that do not end are ended at the time limit of the command, with the line that runs."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cli.conftest import Command

from shapesolve.cli.rule_interruption import interrupting_rules
from shapesolve.deadline import NEVER, Deadline
from shapesolve.errors import TimeLimitError

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers on this platform")

ENDLESS_FILE = "while True:\n    pass\n"
ENDLESS_RULE = '''\
from shapesolve.rules import rule


@rule("my.op", example="m.mlir")
def my_op(op, ctx):
    """Go on for ever, whatever is raised.

    (C1) Nothing.
    """
    while True:
        try:
            sum(range(1000))
        except ValueError:
            pass
'''
PROGRAM = """\
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "my.op"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "lines"), [(ENDLESS_FILE, (1, 2)), (ENDLESS_RULE, (10, 11, 12))])
def test_an_endless_rule_ends_with_its_line(
    rules: str, lines: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.mlir").write_text(PROGRAM)
    Path("own.py").write_text(rules)
    before = signal.getsignal(signal.SIGALRM)
    with interrupting_rules(["own.py"], Deadline.after(0.05)):
        result = command("check", "m.mlir", "--rules", "own.py", "--no-execute")
    assert result.code == 2
    words = "the time limit of the command was reached here, in a rule that does not end\n"
    assert result.err in [f"error: m.mlir: own.py:{line}: {words}" for line in lines]
    assert signal.getsignal(signal.SIGALRM) is before and signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.process
def test_the_command_line_sets_the_timer(tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text(PROGRAM)
    (tmp_path / "own.py").write_text(ENDLESS_FILE)
    line = [sys.executable, "-m", "shapesolve", "contract", "m.mlir", "--rules", "own.py", "--timeout", "0.5"]
    result = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 2 and "in a rule that does not end" in result.stderr


def test_other_code_runs_on() -> None:
    with interrupting_rules(["own.py"], Deadline.after(0.01)):
        for _ in range(3):
            signal.pause()  # returns after a signal whose handler raises nothing


@pytest.mark.slow
def test_without_a_limit_there_is_no_timer() -> None:
    with interrupting_rules(["own.py"], NEVER):
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    with pytest.raises(TimeLimitError), interrupting_rules([__file__], Deadline.after(0.01)):
        while True:
            pass
