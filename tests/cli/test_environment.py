"""Test that in any environment a command ends with a documented exit code and a sentence, never with a traceback."""

from __future__ import annotations

import faulthandler
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import pytest
from support.hard_programs import sums_of_cubes

from shapesolve.cli import supervisor
from shapesolve.cli.supervisor import Terminated, report_progress, supervise
from shapesolve.execution.execution import Outcome
from shapesolve.execution.runner import execute

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell closes the streams"),
]


def shell(script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a shell script in which ``$S`` is the program."""
    env = {**os.environ, "S": f"{sys.executable} -m shapesolve", **environment}
    return subprocess.run(["sh", "-c", script], capture_output=True, text=True, timeout=120, env=env, check=False)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("script", "code", "words"),
    [
        ("$S check {0} >&-", 2, "error: the output could not be written: standard output is closed"),
        ("$S check --json {0} >&-", 2, "error: the output could not be written: standard output is closed"),
        ("$S prune {0} -o - >&-", 2, "error: the output could not be written: standard output is closed"),
        ("$S --help >&-", 2, "error: the output could not be written: standard output is closed"),
        ("$S --version >&-", 2, "error: the output could not be written: standard output is closed"),
        ("$S check - <&-", 2, "error: <stdin>: standard input is closed"),
        ("$S check missing.mlir 2>&-", 2, ""),
        ("$S check {0} -q 2>&-", 1, ""),
        ("$S check {0} -q <&-", 1, ""),
        ("$S check {0} >&- 2>&- <&-", 2, ""),
        ("ulimit -n 8; $S check {0}", 2, "error: only 8 files may be open at once (ulimit -n); 16 are needed"),
        ("ulimit -n 16; $S check {0} -q", 1, ""),
        ("ulimit -v 300000; $S check {0}", 2, "error: the memory is limited to 292 MB (ulimit -v); 400 MB are needed"),
        ("TMPDIR=/nonexistent $S check {0} -q", 1, ""),
        ("TMPDIR=/nonexistent $S explain {0}:2 --color never", 1, ""),
        ("env -u HOME $S check {0} -q", 1, ""),
        ("LC_ALL=C PYTHONIOENCODING=ascii PYTHONUTF8=0 $S check {0} -q", 1, ""),
    ],
)
def test_closed_streams_and_limits_have_their_exit_codes(script: str, code: int, words: str, add: Path) -> None:
    result = shell(script.format(add))
    assert result.returncode == code
    assert result.stderr.strip() == words


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full disk to write to")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["check {0}", "--help", "check --help", "prune {0} -o -"])
def test_output_to_a_full_disk_ends_with_one_line(command: str, unbuffered: str, add: Path) -> None:
    result = shell(f"$S {command.format(add)} >/dev/full", PYTHONUNBUFFERED=unbuffered)
    assert result.returncode == 2
    assert result.stderr == "error: the output could not be written: No space left on device\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full disk to write to")
def test_exit_codes_stay_where_the_error_stream_is_full(add: Path) -> None:
    assert shell("$S check missing.mlir 2>/dev/full").returncode == 2
    assert shell(f"$S check {add} -q 2>/dev/full").returncode == 1


def test_a_working_directory_that_is_gone(add: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    assert shell(f"cd {gone}; rmdir {gone}; $S check {add} -q").returncode == 1


def test_a_name_that_no_encoding_has(tmp_path: Path) -> None:
    result = shell(f"$S check {tmp_path}/$(printf '\\377').mlir", LC_ALL="C", PYTHONIOENCODING="ascii")
    assert result.returncode == 2
    assert "there is no such file" in result.stderr


# Signals -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def busy(tmp_path: Path) -> subprocess.Popen[bytes]:
    path = tmp_path / "busy.mlir"
    path.write_text(sums_of_cubes())
    started = subprocess.Popen(
        [sys.executable, "-m", "shapesolve", "check", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    sleep(1.5)
    return started


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("number", "words"), [(signal.SIGTERM, b"\nterminated\n"), (signal.SIGINT, b"\ninterrupted\n")]
)
def test_a_signal_ends_with_its_exit_code_and_a_line(
    busy: subprocess.Popen[bytes], number: signal.Signals, words: bytes
) -> None:
    busy.send_signal(number)
    out, err = busy.communicate(timeout=30)
    assert (busy.returncode, out, err) == (128 + number, b"", words)


IN_PASSING = """
import os, signal, sys, time
from shapesolve.cli import supervisor
from shapesolve.cli.supervisor import raise_on_signals

class Late:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.1)

supervisor._UNTIL_AGAIN = float(sys.argv[1])
signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever started this may ignore it
raise_on_signals()
try:
    thing = Late()
    del thing
    time.sleep(5)
    print("went on")
except KeyboardInterrupt:
    print("ended")
"""


@pytest.mark.parametrize("until_again", ["0.001", "0.000001"])
def test_asked_to_end_while_an_object_is_put_away(until_again: str) -> None:
    """Python prints and drops an exception raised in a finalizer, and z3's objects are finalized all the time.

    The shorter time ends while the exception is being printed, as the longer one does on a busy machine.
    """
    command = [sys.executable, "-c", IN_PASSING, until_again]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    assert (done.stdout, done.stderr) == ("ended\n", "")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it takes a second to be noticed")
def test_nothing_outlives_the_process_that_was_killed(busy: subprocess.Popen[bytes]) -> None:
    """The pipes close at once, or whoever waits for their end would wait for the work too."""
    busy.kill()
    began = monotonic()
    busy.communicate(timeout=30)
    assert monotonic() - began < 5


# A command that is ended by something else ---------------------------------------------------------------------------


def killed(number: signal.Signals) -> Callable[[], int]:
    def command() -> int:
        faulthandler.disable()  # of the tests
        os.kill(os.getpid(), number)
        sleep(30)
        return 0

    return command


def left() -> int:
    os._exit(1)  # as a library does that is short of memory


def deaf() -> int:
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, signal.SIG_IGN)
    sleep(30)
    return 0


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (killed(signal.SIGSEGV), "error: the process crashed in native code (SIGSEGV); please report it"),
        (killed(signal.SIGABRT), "error: the process crashed in native code (SIGABRT); please report it"),
        (killed(signal.SIGKILL), "error: the process was killed, as the system does when there is not enough memory"),
        (killed(signal.SIGXCPU), "error: the process used up the processor time that the system allows it (ulimit -t)"),
        (left, "error: a library ended the process (exit code 1)"),
    ],
)
def test_a_crashed_command_exits_with_2_and_one_line(
    command: Callable[[], int], words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert supervise(command) == 2
    assert capfd.readouterr().err == f"{words}\n"


@pytest.mark.parametrize("code", [0, 1, 2, 3, 130])
def test_the_exit_code_of_a_command_is_handed_on(code: int) -> None:
    assert supervise(lambda: code) == code


def test_work_that_hears_nothing_is_ended(capfd: pytest.CaptureFixture[str]) -> None:
    assert supervise(deaf, seconds=0.5) == 2
    assert "error: the time limit of the command was reached" in capfd.readouterr().err


def busy_for_a_second() -> int:
    for _ in range(5):
        sleep(0.2)
        report_progress()
    return 3


def test_work_that_gets_on_is_let_be() -> None:
    """A file of many functions is reported on for longer than the time limit."""
    assert supervise(busy_for_a_second, seconds=0.5, grace=5.0) == 3
    assert supervise(busy_for_a_second, seconds=0.5, grace=0.05) == 2


def test_no_process_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refused)
    assert supervise(lambda: 3) == 3


def test_executions_where_no_process_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "run", refused)
    done = execute("func.func @f() { return }", "f", [], runtime_checks=False)
    assert done.outcome is Outcome.NOT_EXECUTABLE
    assert done.message == "no process to run it in could be started: Resource temporarily unavailable"


def test_a_second_signal_does_not_raise_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second Ctrl-C, or the copy of it that the waiting process forwards, finds nobody who minds."""
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        supervisor.raise_on_signals()
        with pytest.raises(Terminated):
            os.kill(os.getpid(), signal.SIGTERM)
            sleep(1)
        os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGINT)
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
