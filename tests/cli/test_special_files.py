"""Things that stand where a file is expected: pipes, sockets, devices, closed streams, full disks, damaged settings.

Each ends with exit code 2 and a line that names it, or is left out where a directory is searched; no file is lost.
`test_environment.py` has the limits and signals, `test_many_bad_inputs.py` the contents of programs and options.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from shapesolve.cli.worker_pool import CrashedWorker, can_fork_loaded, map_in_processes

from .conftest import ADD, Command
from .test_many_bad_inputs import contents

pytestmark = pytest.mark.skipif(os.name == "nt", reason="pipes with names, and a POSIX shell")

SAFE = ADD.replace("%x, %y :", "%x, %x :")
QUIET = "--no-execute --quiet --no-cache"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "add.mlir").write_text(ADD)
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "safe.mlir").write_text(SAFE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


# Found in a directory -------------------------------------------------------------------------------------------------


@pytest.mark.process  # a socket with a name is a server
@pytest.mark.parametrize("name", ["d", "d/*", "d/*.mlir", "**/*.mlir"])
def test_pipes_and_sockets_in_a_directory_are_left_out(name: str, folder: Path, command: Command) -> None:
    os.mkfifo("d/pipe.mlir")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("d/socket.mlir")
        said = command("check", name, *QUIET.split(), "-j1")
    assert said.code == int(name.startswith("**")), said.err
    assert "safe.mlir: 1 check" in said.out and "pipe" not in said.unwrapped and "socket" not in said.unwrapped


@pytest.mark.process
@pytest.mark.parametrize("name", ["pyproject.toml", "shapesolve.toml", ".gitignore", ".shapesolve_cache"])
def test_pipes_with_the_names_of_settings_are_not_read(name: str, folder: Path, command: Command) -> None:
    os.mkfifo(name)
    said = command("check", "d", "add.mlir", "--no-execute", "--quiet")
    assert said.code == 1 and "safe.mlir: 1 check" in said.out


def test_a_link_that_leads_nowhere_is_named(folder: Path, command: Command) -> None:
    Path("d/link.mlir").symlink_to("nowhere")
    said = command("check", "d", *QUIET.split(), "-j1")
    assert said.code == 2 and "d/link.mlir: there is no such file" in said.err and "safe.mlir: 1 check" in said.out


@pytest.mark.parametrize(
    "pattern", [b"[z-a]", b"[[[", b"**[**", b"\\", b"!", b"a\0b", b"\xff\xfe", b"*a" * 3000, b"/" * 3000]
)
def test_patterns_of_git_that_match_nothing_leave_nothing_out(pattern: bytes, folder: Path, command: Command) -> None:
    Path("d/.gitignore").write_bytes(b"left-out.mlir\n" + pattern + b"\n")
    Path("d/left-out.mlir").write_text(ADD)
    said = command("check", "d", *QUIET.split(), "-j1")
    assert said.code == 0, said.err
    assert "safe.mlir: 1 check" in said.out and "left-out" not in said.out


def test_a_pattern_of_ours_that_means_nothing_is_refused(folder: Path, command: Command) -> None:
    said = command("check", "d", "--exclude", "[z-a]")
    assert said.code == 2 and "a pattern of files to leave out: " in said.err


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names are text")
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("option", ["--html=out", "--json=out", "--sarif=out", "--format=junit", "--format=gitlab"])
def test_a_name_that_is_no_text_in_a_report(option: str, jobs: str, folder: Path, command: Command) -> None:
    shutil.copy("add.mlir", os.fsdecode(b"d/\xff.mlir"))
    said = command("check", "d", *QUIET.split(), "-j", jobs, option)
    assert said.code == 1, said.err
    if option.endswith("=out"):
        assert b"tosa.add" in Path("out").read_bytes()


@pytest.mark.process
@pytest.mark.skipif(not can_fork_loaded, reason="files are checked in this process")
def test_an_error_in_one_job_is_the_result_of_that_job() -> None:
    def work(number: int, _slot: int) -> int:
        return 6 // number

    first, *others = map_in_processes(work, 3, 2)
    assert isinstance(first, CrashedWorker) and "ZeroDivisionError: " in first.how
    assert others == [6, 3]


# Settings that cannot be read -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\0", "this is not TOML"),
        (b"quiet = true\nquiet = true\n", "this is not TOML: Cannot overwrite"),
        (b"select = '\xe9'\n", "this is not UTF-8 text"),
        (b"a = " + b"[" * 100_000, "this is not TOML"),
        (b"max-size = " + b"9" * 5000, "this is not TOML"),
        (b"budget = 1979-05-27\n", ":1: budget is a number"),
        (b"\njobs = 'many'\n", ":2: jobs is a number"),
        (b"timeout = nan\n", "--timeout: nan is not more than 0"),
        (b"cache = 1\n", ":1: cache is true or false"),
        (b"select = [[]]\n", ":1: select is"),
        (b"[per-file]\n'*' = 3\n", ":2: the settings of `*` are a table"),
        (b"models = [{}]\n", ":1: `{}` is no model"),
    ],
    ids=lambda each: str(each)[:30],
)
def test_a_damaged_configuration_is_named(content: bytes, words: str, folder: Path, command: Command) -> None:
    Path("shapesolve.toml").write_bytes(content)
    before = contents(folder)
    said = command("check", "add.mlir", *QUIET.split())
    assert said.code == 2 and words in said.err and "Traceback" not in said.err, said.err
    assert contents(folder) == before


@pytest.mark.parametrize(
    "text", ["[" * 200_000, "[" * 5000 + "]" * 5000, '{"a": ' * 5000, "9" * 5000, "NaN", '"\\ud800"']
)
def test_a_damaged_baseline_is_named(text: str, folder: Path, command: Command) -> None:
    Path("b.json").write_text(text)
    said = command("check", "add.mlir", *QUIET.split(), "--baseline=b.json")
    assert said.code == 2 and "--baseline: b.json" in said.err and "Traceback" not in said.err, said.err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("module {" * 3000 + "}" * 3000, "brackets are nested more than 500 deep"),
        (f"func.func @f() attributes {{a = {'[' * 5000}{']' * 5000}}} {{ return }}", "brackets are nested"),
        (f"func.func @f(%a: {'tuple<' * 5000}i1{'>' * 5000}) {{ return }}", "brackets are nested"),
        (f"func.func @f() {{ return loc({'fused[' * 3000}unknown{']' * 3000}) }}", "brackets are nested"),
        ('func.func @f() attributes {a = "\0"} { return }', "this is a binary file"),
        ("// expect: \0\nfunc.func @f() { return }", "this is a binary file"),
    ],
    ids=lambda each: repr(each[:20]),
)
@pytest.mark.parametrize("name", ["check", "test"])
def test_a_text_that_no_tool_writes_is_refused(
    name: str, content: str, words: str, folder: Path, command: Command
) -> None:
    Path("deep.mlir").write_text(content)
    said = command(name, "deep.mlir")
    assert said.code == 2 and f"deep.mlir: {words}" in said.err, said.err


@pytest.mark.parametrize("text", ["(" * 20_000 + "x[0] == 1", "x[0] + " * 15_000 + "1 == 1", "x[0] == 9**9**9**9"])
def test_an_assumption_that_no_one_writes_is_refused(text: str, folder: Path, command: Command) -> None:
    said = command("check", "add.mlir", *QUIET.split(), "--assume", text)
    assert said.code == 2 and "--assume: " in said.err, said.err[:300]


# Streams and disks ----------------------------------------------------------------------------------------------------

READERS = {
    "prune": "prune - -o -",
    "refine": "refine - add.mlir",
    "facts": "facts -",
    "baseline": "baseline - -o b.json",
    "test": "test -",
    "contract": "contract -",
    "shape-of": "shape-of -",
    "sizes": "sizes -",
    "lower": "lower -",
    "verify": "verify -",
}
WRITERS = ["rules", "man", "completion bash", "facts add.mlir", "contract add.mlir", "shape-of add.mlir", "init --help"]
OUTPUTS = [
    f"check add.mlir {QUIET} --json=o/x",
    f"check add.mlir {QUIET} --sarif=o/x",
    f"check add.mlir {QUIET} --html=o/x",
    f"check add.mlir {QUIET} --certify=o",
    f"check add.mlir {QUIET} --dump-queries=o",
    "prune d/safe.mlir -o o/x",
    "prune add.mlir --harden --in-place",
    "prune d add.mlir -o o",
    "baseline add.mlir --no-execute -o o/x",
    "init",
    "reduce add.mlir --keep true -o o/x",
    "shape-of add.mlir -o o/x",
    "contract add.mlir -o o/x",
    "facts add.mlir -o o/x",
]


def shell(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a shell script in which ``$S`` is the program."""
    env = {**os.environ, "S": f"{sys.executable} -m shapesolve"}
    return subprocess.run(
        ["sh", "-c", script], cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip


CLOSED = "error: the output could not be written: standard output is closed"
SCRIPTS = [
    *((f"$S {line} <&-", "error: <stdin>: standard input is closed") for line in READERS.values()),
    *((f"$S {line} >&-", CLOSED) for line in WRITERS),
    *((f"$S {name} <&-", f"error: {name}: standard input is closed") for name in ("lsp", "mcp")),
    *((f"$S {name} >&-", f"error: {name}: standard output is closed") for name in ("lsp", "mcp")),
    ("$S serve --host ''", "error: --host: the name of the host is empty"),
    *(
        (f"mkfifo p; $S check add.mlir {QUIET} {option}=p", "p is not a regular file")
        for option in ("--json", "--sarif")
    ),
    ("mkfifo p; $S prune d/safe.mlir -o p", "error: -o: p is not a regular file"),
    ("mkdir g; cd g; rmdir ../g; $S check x.mlir", "error: the current directory does not exist any more"),
    (f"$S check /proc/self/mem {QUIET}", "error: /proc/self/mem: "),
    ("$S prune d/safe.mlir -o /dev/zero", "error: -o: /dev/zero is not a regular file"),
    (f"$S check /dev/null {QUIET}", "error: /dev/null: "),
]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("script", "words"), SCRIPTS, ids=[script for script, _ in SCRIPTS])
def test_streams_that_are_none(script: str, words: str, folder: Path) -> None:
    if "/proc" in script and not os.path.exists("/proc/self/mem"):
        pytest.skip("no such file here")
    result = shell(script, folder)
    assert result.returncode == 2, result
    assert words in result.stderr and "internal error" not in result.stderr, result.stderr


@pytest.mark.process
def test_the_null_device_may_be_written_without_force(folder: Path, command: Command) -> None:
    for line in ("prune d/safe.mlir", "contract d/safe.mlir", "facts d/safe.mlir"):
        said = command(*line.split(), "-o", os.devnull)
        assert said.code == 0, said.err
    assert not os.path.isfile(os.devnull)


@pytest.mark.exhaustive
@pytest.mark.parametrize("line", OUTPUTS)
def test_a_disk_without_room_keeps_what_it_has(line: str, folder: Path) -> None:
    """A file may have no byte (``ulimit -f 0``), as on a disk without room."""
    (folder / "o").mkdir()
    before = contents(folder)
    result = shell(f"ulimit -f 0; $S {line}", folder)
    assert result.returncode == 2, result
    assert re.search("error: .*(File too large|No usable temporary directory)", result.stderr), result.stderr
    assert {name: text for name, text in contents(folder).items() if text is None or text} == before


@pytest.mark.exhaustive
def test_two_processes_that_write_one_file(folder: Path) -> None:
    for line, name in (
        (f"check add.mlir {QUIET} --html=out", "out"),
        ("prune add.mlir --harden --in-place", "add.mlir"),
    ):
        alone = folder / "alone"
        alone.mkdir()
        shutil.copy(folder / "add.mlir", alone)
        shell(f"$S {line}", alone)
        shell(f"$S {line} & $S {line}; wait", folder)
        assert (folder / name).read_bytes() == (alone / name).read_bytes()
        shutil.rmtree(alone)
