"""Cache of reports: the same output, and a new report where anything changes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli.conftest import ADD

from shapesolve import __version__
from shapesolve.cli.arguments import parse_command_line
from shapesolve.cli.main import run

pytestmark = pytest.mark.process

REUSED = "from the cache"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("a.mlir", "b.mlir"):
        Path(name).write_text(ADD)
    return tmp_path


def check(*options: str) -> tuple[int, str, str]:
    """A check in a process of its own: a cache is only for these."""
    command = [sys.executable, "-m", "shapesolve", "check", "--no-execute", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def reused(result: tuple[int, str, str]) -> int:
    line = next(each for each in result[2].splitlines() if " files in " in each)
    return int(line.split("; ")[1].split()[0]) if REUSED in line else 0


def check_here(capfd: pytest.CaptureFixture[str], *options: str) -> tuple[int, str, str]:
    """A check that takes this process for its own."""
    arguments = parse_command_line(__version__, ["check", "--no-execute", "-j", "1", *options])
    arguments.alone, arguments.configuration = True, None
    code = run(arguments)
    out, err = capfd.readouterr()
    return code, out, err


def test_a_second_run_starts_no_server_for_executions(place: Path) -> None:
    command = [sys.executable, "-m", "shapesolve", "check", "-j", "2", "."]
    first, second = (subprocess.run(command, capture_output=True, text=True, check=False) for _ in range(2))
    assert REUSED not in first.stderr and REUSED in second.stderr
    assert (first.returncode, first.stdout) == (second.returncode, second.stdout)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "options", [(), ("--format=concise",), ("--json=-",), ("--format=sarif",), ("--format=junit", "-v")]
)
def test_a_second_run_says_the_same(options: tuple[str, ...], place: Path) -> None:
    first = check(".", *options)
    second = check(".", *options)
    assert (reused(first), reused(second)) == (0, 2)
    if "--format=junit" not in options:  # which states the seconds
        assert first[:2] == second[:2]
    assert first[0] == second[0] == 1
    assert (place / ".shapesolve_cache" / ".gitignore").read_text() == "*\n"


@pytest.mark.exhaustive
def test_whatever_changes_a_report_changes_its_key(place: Path) -> None:
    check(".")
    assert reused(check(".", "--no-cache")) == 0
    assert reused(check(".", "--assume", "x[0] == y[0]")) == 0
    assert reused(check(".", "--ignore", "tosa-add-broadcast")) == 0
    Path("a.mlir").write_text(ADD + "\n")
    assert reused(check(".")) == 1
    Path("f.toml").write_text('[add]\nrelations = ["x[0] == y[0]"]\n')
    assert [check(".", "--facts=f.toml")[0] for _ in range(2)] == [0, 0]
    Path("f.toml").write_text("[add]\n")
    assert check(".", "--facts=f.toml")[0] == 1
    # A report that is written beside the text is not the one that replaces it.
    assert ": error: " in check(".", f"--json={place / 'r.json'}")[1]


@pytest.mark.parametrize("first", ["full", "github"])
def test_another_format_checks_nothing_again(
    first: str, place: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    Path("b.mlir").write_text(ADD.replace("return", "// shapesolve: ignore[no-such-code] none\n  return"))
    Path("c.mlir").write_text(ADD.replace("?", "4"))
    assert reused(check_here(capfd, ".", f"--format={first}")) == 0
    for form in ("full", "concise", "json", "sarif", "github", "gitlab"):
        again = check_here(capfd, ".", f"--format={form}")
        assert reused(again) == 3, form
        assert again[:2] == check_here(capfd, ".", f"--format={form}", "--no-cache")[:2]


def test_another_terminal_or_verbosity_checks_nothing_again(
    place: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "%a_name_of_many_characters_that_fills_the_line"
    Path("b.mlir").write_text(
        ADD.replace("%x", long).replace("return", "// shapesolve: ignore[no-such-code] none\n  return")
    )
    assert reused(check_here(capfd, ".")) == 0
    shown: set[str] = set()
    for options in ((), ("-v",), ("-q",), ("--color=always",), ("-v", "--color=always")):
        for width in ("50", "120"):
            monkeypatch.setenv("COLUMNS", width)
            again = check_here(capfd, ".", *options)
            assert reused(again) == 2, options
            assert again[:2] == check_here(capfd, ".", *options, "--no-cache")[:2]
            shown.add(again[1])
    assert len(shown) == 9  # a summary alone is narrow


@pytest.mark.parametrize("damage", ["{", "[]", '[{"layouts": {"": [["__init__", [], {}]]}}]'])
def test_a_damaged_entry_counts_as_none(damage: str, place: Path) -> None:
    first = check(".")
    entries = sorted(Path(".shapesolve_cache").rglob("*.json"))
    assert len(entries) == 2
    entries[0].write_text(damage)
    again = check(".")
    assert reused(again) == 1 and again[:2] == first[:2]


def test_failures_and_single_files_are_not_kept(place: Path) -> None:
    Path("b.mlir").write_text("func.func @f(")
    assert check("a.mlir")[0] == 1
    assert not Path(".shapesolve_cache").exists()
    assert [check(".")[0] for _ in range(2)] == [2, 2]
    assert len(list(Path(".shapesolve_cache").rglob("*.json"))) == 1


@pytest.mark.skipif(os.name == "nt" or os.getuid() == 0, reason="permissions")
def test_a_directory_that_cannot_be_written_is_no_error(place: Path) -> None:
    place.chmod(0o500)
    try:
        assert check(".")[0] == 1
    finally:
        place.chmod(0o700)
