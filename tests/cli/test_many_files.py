"""Tests of directories, patterns and several files: the search, the summary, and the results kept on interruption."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest
from cli.conftest import ADD, Command
from support.hard_programs import sums_of_cubes

from shapesolve.cli.file_discovery import find_sources
from shapesolve.errors import InputError

SAFE = """\
func.func @safe(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.add %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


def write(place: Path, **files: str) -> None:
    for name, text in files.items():
        path = place / f"{name.replace('__', '/')}.mlir"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def names(*given: str, exclude: tuple[str, ...] = (), gitignore: bool = True) -> list[str]:
    return [each.name for each in find_sources(given, exclude, gitignore=gitignore)]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    write(tmp_path, b=SAFE, a__x=SAFE, a__y=SAFE, build__z=SAFE, a__deep__w=SAFE)
    for name in ("a/model.PT2", "a/net.onnx", "a/code.mlirbc", "a/notes.md", "a/.hidden.mlir"):
        Path(name).write_text("")
    for hidden in (".venv", "node_modules"):
        write(tmp_path / hidden, p=SAFE)
    return tmp_path


def test_a_directory_is_searched_in_the_order_of_names(tree: Path) -> None:
    here = ["a/code.mlirbc", "a/deep/w.mlir", "a/model.PT2", "a/net.onnx", "a/x.mlir", "a/y.mlir"]
    assert names(".") == [*here, "b.mlir", "build/z.mlir"]
    assert names("a", "b.mlir", "a/x.mlir") == [*here[:4], here[5], "b.mlir", "a/x.mlir"]


def test_git_ignore_files_are_respected(tree: Path) -> None:
    Path(".gitignore").write_text("build/\n*.onnx\n/a/deep\n# a comment\ny.mlir\n")
    Path("a/.gitignore").write_text("!y.mlir\nx.mlir\n")
    (tree / ".git" / "info").mkdir()
    (tree / ".git" / "info" / "exclude").write_text("*.mlirbc\n")
    assert names(".") == ["a/model.PT2", "a/y.mlir", "b.mlir"]
    assert "build/z.mlir" in names(".", gitignore=False)
    # One that is asked for is searched all the same.
    assert names("build", "a/x.mlir", "a/deep/*.mlir") == ["build/z.mlir", "a/x.mlir", "a/deep/w.mlir"]
    assert names("**/x.mlir", gitignore=False) == ["a/x.mlir"]
    with pytest.raises(InputError, match=r"no file matches; one file is left out by \.gitignore"):
        names("**/x.mlir")


def test_patterns_of_git_ignore_files_above_the_repository_do_not_count(tree: Path) -> None:
    (tree / "a" / ".git").mkdir()
    Path(".gitignore").write_text("*.mlir\n")
    assert [each for each in names("a") if each.endswith(".mlir")] == ["a/deep/w.mlir", "a/x.mlir", "a/y.mlir"]


def test_many_stars_are_matched_at_once_or_refused(tree: Path) -> None:
    assert names(".", exclude=("*" * 60 + ".mlir",)) == names(".", exclude=("*.mlir", "!none"))
    assert names(".", exclude=("a/" + "*" * 60 + "/y.mlir",)) == names(".", exclude=("a/**/y.mlir",))
    assert names(".", exclude=("a/***y.mlir",)) == names(".", exclude=("a/*y.mlir",))
    with pytest.raises(InputError, match=r"more than 10 separate `\*`"):
        names(".", exclude=("*a" * 60,))
    (tree / ".gitignore").write_text("# " + "* " * 60 + "\n" + "*a" * 60 + "\nb.mlir\n")
    assert "b.mlir" not in names(".")


def test_files_are_excluded_by_patterns(tree: Path) -> None:
    assert names(".", exclude=("a/*", "!a/y.mlir")) == ["a/y.mlir", "b.mlir", "build/z.mlir"]
    assert names("b.mlir", exclude=("*.mlir",)) == ["b.mlir"]


def test_a_link_to_a_directory_is_not_followed(tree: Path) -> None:
    Path("a/deep/up").symlink_to(tree)
    assert len(names("a")) == 6


@pytest.mark.parametrize("name", ["empty", "*.pt2", "a/*.txt"])
def test_nothing_found_is_an_error(tree: Path, name: str, command: Command) -> None:
    Path("empty").mkdir()
    result = command("check", "b.mlir", name)
    assert result.code == 2 and result.err.startswith(f"error: {name}: ") and not result.out


def test_a_folder_is_checked_and_summed_up(tmp_path: Path, command: Command) -> None:
    write(
        tmp_path, add=ADD, safe=SAFE, broken="func.func @f(", empty="module {\n}\n", nothing="func.func @g() {return}"
    )
    result = command("check", str(tmp_path), "--no-execute")
    assert result.code == 2
    assert "safe.mlir: 1 check of sizes: 1 proved" in result.out and ": error: tosa.add needs " in result.out
    assert "broken.mlir:1:13: expected non-function type" in result.err
    lines = result.err.splitlines()
    table = [line.split("  ") for line in lines[lines.index("") + 1 :]]
    assert table[0][0].startswith("5 files in ")
    rows = {cells[1]: [each.strip() for each in cells[2:] if each.strip()][:-1] for cells in table[2:]}
    assert rows == {
        "refuted": ["1", "1", "0", "1", "0", "0"],
        "proved": ["1", "1", "1", "0", "0", "0"],
        "nothing to check": ["1", "0", "0", "0", "0", "0"],
        "without a function": ["1", "0", "0", "0", "0", "0"],
        "could not be checked": ["1", "0", "0", "0", "0", "0"],
        "in all": ["5", "2", "1", "1", "0", "0"],
    }


def test_a_file_without_a_function_is_an_error_only_where_it_is_named(tmp_path: Path, command: Command) -> None:
    write(tmp_path, empty="module {\n}\n", safe=SAFE)
    assert command("check", str(tmp_path)).code == 0
    assert command("check", str(tmp_path / "*.mlir")).code == 0
    assert command("check", str(tmp_path / "empty.mlir"), str(tmp_path / "safe.mlir")).code == 2


def test_the_quiet_summary_is_one_line(tmp_path: Path, command: Command) -> None:
    write(tmp_path, add=ADD, safe=SAFE)
    result = command("check", "-q", "--no-execute", str(tmp_path))
    assert len(result.out.splitlines()) == 2
    assert result.err.startswith("2 files in ") and result.err.endswith("s: 1 refuted, 1 proved\n")
    assert not command("check", "-q", "--no-execute", str(tmp_path / "add.mlir")).err


@pytest.mark.exhaustive
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks")
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interruption_keeps_the_finished_reports(tmp_path: Path, jobs: int) -> None:
    hard = tmp_path / "z.mlir"
    write(tmp_path, a=ADD, b=SAFE, z=sums_of_cubes())
    target = tmp_path / "report.json"
    command = [sys.executable, "-m", "shapesolve", "check", str(tmp_path), f"-j{jobs}", "--no-execute"]
    process = subprocess.Popen(
        [*command, f"--json={target}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    assert process.stdout is not None
    text = ""
    while "b.mlir: 1 check of sizes" not in text:
        text += process.stdout.readline()
    sleep(1)
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "2 files in " in errors and "1 not checked: interrupted" in errors and "interrupted" in errors
    written = target.read_text()
    assert "b.mlir" in written and '"exit_code": 130' in written and hard.name not in written


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="loaded processes are forked on Linux only")
def test_very_many_files_get_a_process_each(
    tmp_path: Path,
) -> None:
    for number in range(3):
        (tmp_path / f"f{number}.mlir").write_text(ADD, encoding="utf-8")
    process = "import os, shapesolve.cli.checked_files as files\nfiles.MOST_IN_ONE_PROCESS = {}\n"
    expected = (
        "checked = files.checked_file\n"
        "def noted(*given, **named):\n    os.write(2, b'process %d\\n' % os.getpid())\n"
        "    return checked(*given, **named)\n"
        "files.checked_file = noted\n"
        "import sys\nfrom shapesolve.cli.main import main\nsys.exit(main())\n"
    )
    options = ("-j", "1", "--no-execute", "--no-cache")
    found: dict[int, tuple[int, str]] = {}
    for most in (2, 500):
        done = subprocess.run(
            [sys.executable, "-c", process.format(most) + expected, "check", str(tmp_path), *options],
            capture_output=True,
            text=True,
            check=False,
        )
        numbers = [line for line in done.stderr.splitlines() if line.startswith("process ")]
        assert len(numbers) == 3, done.stderr
        found[most] = len(set(numbers)), done.stdout.rpartition("3 files in")[0]
    assert (found[2][0], found[500][0]) == (3, 1)
    assert found[2][1] == found[500][1]
