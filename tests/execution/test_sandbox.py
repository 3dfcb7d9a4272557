"""Tests of the sandbox: a confined process can compute and answer, whatever code it runs, and do nothing else."""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from shapesolve.execution import runner, sandbox
from shapesolve.execution.execution import Outcome
from shapesolve.execution.runner import execute
from shapesolve.execution.worker import confined

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have the limits only"),
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]


def in_force() -> sandbox.Confinement:
    """Return the confinement that this machine's kernel supports, as found in a child process."""

    def ask(writing: int) -> None:
        found = sandbox.confine_run(writing)
        os.write(writing, bytes([found.files, found.system_calls]))

    ending = sandbox.run_forked(ask, timeout_seconds=20, memory_bytes=1 << 28)
    return sandbox.Confinement(*map(bool, ending.written))


@pytest.fixture(scope="module")
def kernel() -> sandbox.Confinement:
    found = in_force()
    if not found.system_calls:
        pytest.skip("this kernel filters no system calls")
    return found


def attempt(work: Callable[[], object], seconds: float = 20) -> str:
    """Run ``work`` in a confined process and return ``done``, or the error."""

    def tried(writing: int) -> None:
        try:
            work()
            answer = "done"
        except OSError as error:
            answer = errno.errorcode.get(error.errno or 0, "error")
        except MemoryError:
            answer = "no memory"
        except ValueError:
            answer = "refused"
        os.write(writing, answer.encode())

    ending = sandbox.run_forked(confined(tried), timeout_seconds=seconds, memory_bytes=1 << 28)
    return ending.written.decode() or sandbox.signal_name(ending.signal)


def test_a_confined_process_computes_and_answers(kernel: sandbox.Confinement) -> None:
    assert attempt(lambda: sum(bytearray(1 << 20)) + len(mmap.mmap(-1, 1 << 20))) == "done"


def test_no_file_comes_to_be(kernel: sandbox.Confinement, tmp_path: Path) -> None:
    path = tmp_path / "made"
    makers: list[Callable[[], object]] = [
        path.touch,
        path.mkdir,
        lambda: path.symlink_to("x"),
        lambda: os.mkfifo(path),
        lambda: os.open(path, os.O_CREAT | os.O_WRONLY),
        lambda: os.link("/etc/hostname", path),
    ]
    for make in makers:
        assert attempt(make) in ("EPERM", "EACCES", "EMFILE")
    assert not path.exists() and not path.is_symlink()


def test_no_file_goes_or_changes(kernel: sandbox.Confinement, tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_text("kept", encoding="utf-8")
    before = path.stat().st_mode
    for harm in (path.unlink, lambda: path.rename(tmp_path / "b"), lambda: path.chmod(0), lambda: os.truncate(path, 0)):
        assert attempt(harm) in ("EPERM", "EACCES")
    assert (path.read_text(encoding="utf-8"), path.stat().st_mode) == ("kept", before)


@pytest.mark.parametrize("file", ["/etc/hostname", "/etc/passwd", "/proc/self/environ", "/dev/zero", __file__])
def test_a_confined_process_reads_no_file(kernel: sandbox.Confinement, file: str) -> None:
    assert attempt(lambda: os.open(file, os.O_RDONLY)) in ("EPERM", "EACCES", "EMFILE")


def test_nothing_is_connected_to(kernel: sandbox.Confinement) -> None:
    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX):
        assert attempt(lambda family=family: socket.socket(family)) in ("EPERM", "EACCES", "EMFILE")


def test_no_process_starts_or_ends(kernel: sandbox.Confinement) -> None:
    me = os.getpid()
    assert attempt(os.fork) in ("EPERM", "EAGAIN")
    assert attempt(lambda: os.execv("/bin/true", ["true"])) in ("EPERM", "EACCES")
    assert attempt(lambda: os.kill(me, signal.SIGTERM)) == "EPERM"
    assert attempt(lambda: os.posix_spawn("/bin/true", ["true"], {})) in ("EPERM", "EACCES", "EAGAIN", "ENOSYS")


def test_no_code_comes_into_being(kernel: sandbox.Confinement) -> None:
    executable = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
    assert attempt(lambda: mmap.mmap(-1, 4096, prot=executable)) == "EPERM"

    def turn_data_into_code() -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        region = mmap.mmap(-1, 4096)
        address = ctypes.addressof(ctypes.c_char.from_buffer(region))
        if libc.mprotect(ctypes.c_void_p(address), 4096, 5):
            raise OSError(ctypes.get_errno(), "")

    assert attempt(turn_data_into_code) == "EPERM"


def test_other_descriptors_are_closed(kernel: sandbox.Confinement, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    assert attempt(lambda: os.write(writing, b"x")) == "EPERM"
    os.close(writing)
    assert os.read(reading, 1) == b""
    os.close(reading)


def test_limits_are_not_raised_again(kernel: sandbox.Confinement) -> None:
    import resource

    for which in (resource.RLIMIT_FSIZE, resource.RLIMIT_AS, resource.RLIMIT_NPROC):
        assert attempt(lambda which=which: resource.setrlimit(which, (1 << 40, 1 << 40))) == "refused"


def test_a_hundred_gigabytes_are_not_there() -> None:
    assert attempt(lambda: bytearray(100 << 30)) == "no memory"
    assert attempt(lambda: mmap.mmap(-1, 100 << 30)) == "ENOMEM"


@pytest.mark.exhaustive
def test_time_ends_even_for_those_who_ignore_it() -> None:
    def for_ever() -> None:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.signal(signal.SIGPROF, signal.SIG_IGN)
        signal.signal(signal.SIGXCPU, signal.SIG_IGN)
        while True:
            pass

    started = time.monotonic()
    assert attempt(for_ever, seconds=1) in ("SIGALRM", "SIGKILL")
    assert time.monotonic() - started < 60


def test_answers_have_an_end() -> None:
    def shout(writing: int) -> None:
        while True:
            os.write(writing, bytes(1 << 16))

    ending = sandbox.run_forked(confined(shout), timeout_seconds=60, memory_bytes=1 << 28)
    assert (ending.written, ending.timed_out) == (b"", True)


LOWERING = """
import os, socket, subprocess, sys
from shapesolve.execution import sandbox, protocol, worker
request = protocol.Request(b"", "f", (), False, 1, 5.0, 1 << 20, 20.0)
worker._confine(request)
def tried(work):
    try:
        work()
        return "done"
    except (OSError, MemoryError) as error:
        return type(error).__name__
print(tried(lambda: open(sys.argv[1], "w")))
print(tried(lambda: open(sys.argv[2], "a").write("x" * 10)))
print(tried(lambda: os.unlink(sys.argv[2])))
print(tried(lambda: open("/etc/hostname")))
print(tried(lambda: socket.create_connection(("127.0.0.1", 1))))
print(tried(lambda: subprocess.run(["/bin/true"])))
print(tried(lambda: os.kill(os.getppid(), 0)))
print(tried(lambda: bytearray(100 << 30)))
"""


def test_the_process_that_lowers_reaches_nothing_either(kernel: sandbox.Confinement, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("kept", encoding="utf-8")
    finished = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(LOWERING), str(tmp_path / "made"), str(kept)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    answer = finished.stdout.split()
    assert len(answer) == 8, finished.stderr
    assert not kernel.files or answer[3] == answer[6] == "PermissionError"
    assert answer[:3] == ["PermissionError"] * 3 and answer[4:6] == ["PermissionError"] * 2
    assert answer[7] == "MemoryError"
    assert kept.read_text(encoding="utf-8") == "kept" and not (tmp_path / "made").exists()


#: The child, without either look at the program: what it is given is in the LLVM dialect already, and is called.
BLIND = """
from shapesolve.ir import bindings
from shapesolve.execution import worker, entry_point
from shapesolve.execution.lowering import pass_pipeline

def unseen(text, function, executable, **named):
    with bindings.new_context():
        module = bindings.ir().Module.parse(text)
    number = entry_point.Port("i32", None)
    return pass_pipeline.Lowered(module, "f", entry_point.Signature((), (number,)), ())

worker.lower = unseen
"""
OPEN_TO_ALL = "worker._confine = lambda request: None\nworker.confined = lambda work: work\n"

CALLS = {
    "creat": "llvm.call @creat(%path, %mode) : (!llvm.ptr, i32) -> i32",
    "mkdir": "llvm.call @mkdir(%path, %mode) : (!llvm.ptr, i32) -> i32",
    "system": "llvm.call @system(%command) : (!llvm.ptr) -> i32",
    "symlink": "llvm.call @symlink(%command, %path) : (!llvm.ptr, !llvm.ptr) -> i32",
}


def hostile(call: str, path: Path) -> str:
    command = f"touch {path}"
    return f"""
    llvm.mlir.global internal constant @path("{path}\\00")
    llvm.mlir.global internal constant @command("{command}\\00")
    llvm.func @creat(!llvm.ptr, i32) -> i32
    llvm.func @mkdir(!llvm.ptr, i32) -> i32
    llvm.func @symlink(!llvm.ptr, !llvm.ptr) -> i32
    llvm.func @system(!llvm.ptr) -> i32
    llvm.func @_mlir_ciface_f() -> i32 {{
      %path = llvm.mlir.addressof @path : !llvm.ptr
      %command = llvm.mlir.addressof @command : !llvm.ptr
      %mode = llvm.mlir.constant(438 : i32) : i32
      %r = {call}
      llvm.return %r : i32
    }}"""


@pytest.mark.parametrize("name", CALLS)
def test_unverified_machine_code_makes_no_file(
    name: str, kernel: sandbox.Confinement, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "made"
    monkeypatch.setattr(runner, "_CHILD", ("-c", f"{BLIND}worker.main()\n"))
    execution = execute(hostile(CALLS[name], path), "f", [], runtime_checks=False)
    assert execution.outcome is Outcome.RETURNED and execution.result_extents in {(-1,), (127 << 8,)}
    assert not path.exists() and not path.is_symlink()


def test_the_same_code_makes_a_file_where_nothing_is_confined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "made"
    monkeypatch.setattr(runner, "_CHILD", ("-c", f"{BLIND}{OPEN_TO_ALL}worker.main()\n"))
    execution = execute(hostile(CALLS["mkdir"], path), "f", [], runtime_checks=False)
    assert (execution.outcome, execution.result_extents) == (Outcome.RETURNED, (0,))
    assert path.is_dir()


SEEN_BY_THE_CHILD = """
import os, sys
from shapesolve.execution import protocol
request = protocol.decode_request(sys.stdin.buffer.read())
said = " ".join([*sorted(os.environ), *os.listdir("."), *os.listdir("/proc/self/fd"), os.getcwd()])
sys.stdout.buffer.write(protocol.encode_event("refused", reason=said))
"""


def test_the_child_inherits_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "x")
    monkeypatch.setattr(runner, "_CHILD", ("-c", SEEN_BY_THE_CHILD))
    kept = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(kept, True)
    answer = execute("", "f", [], runtime_checks=False).message.split()
    os.close(kept)
    *names, directory = answer
    descriptors = [each for each in names if each.isdecimal()]
    assert set(descriptors) <= {"0", "1", "2", "3"}
    allowed = {"PYTHONPATH", "LC_CTYPE", *runner._NEEDED_TO_START}
    assert set(names) - set(descriptors) <= allowed
    assert not Path(directory).exists() and Path(directory) != Path.cwd()
