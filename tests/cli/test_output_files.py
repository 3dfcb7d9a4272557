"""Test that files are written completely or not at all, and never over a file of another origin."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest
from support.hard_programs import sums_of_cubes

from shapesolve.cli.arguments import separate_bare_documents
from shapesolve.cli.output_files import check_target, write
from shapesolve.errors import InputError

from .conftest import Command


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out"
    target.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left"):
        write(str(target), "new", "-o")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out"
    target.write_text("old")

    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(str(target), "new", "-o")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_permissions_are_kept_and_new_files_follow_the_umask(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old")
    old.chmod(0o640)
    before = os.umask(0o027)
    try:
        write(str(old), "x", "-o")
        write(str(new), "x", "-o")
    finally:
        os.umask(before)
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert stat.S_IMODE(new.stat().st_mode) == 0o640


def test_a_link_is_written_through(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    link.symlink_to(real)
    write(str(link), "new", "-o")
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_the_input_by_another_name_is_still_the_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "a.mlir"
    source.write_text("x")
    os.link(source, tmp_path / "hard")
    (tmp_path / "soft").symlink_to(source)
    monkeypatch.chdir(tmp_path)
    for name in ("a.mlir", "./a.mlir", "hard", "soft", str(source), f"../{tmp_path.name}/a.mlir"):
        with pytest.raises(InputError, match="is the input"):
            check_target(name, "-o", inputs=["a.mlir"], force=True)


def test_output_files_that_may_be_replaced(tmp_path: Path) -> None:
    target = tmp_path / "r.json"
    check_target(str(target), "--json", inputs=[], ours=b"mark")
    target.write_text("")
    check_target(str(target), "--json", inputs=[], ours=b"mark")
    target.write_text('{"format": "mark"}')
    check_target(str(target), "--json", inputs=[], ours=b"mark")
    target.write_text("mine")
    with pytest.raises(InputError, match="exists already"):
        check_target(str(target), "--json", inputs=[], ours=b"mark")
    check_target(str(target), "--json", inputs=[], ours=b"mark", force=True)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("check a.mlir --json", "check a.mlir --json=-"),
        ("check --json a.mlir", "check --json=- a.mlir"),
        ("check --json a.mlir b.mlir", "check --json=- a.mlir b.mlir"),
        ("check --json r.json a.mlir", "check --json r.json a.mlir"),
        ("check a.mlir --json -", "check a.mlir --json -"),
        ("check a.mlir --json --quiet", "check a.mlir --json=- --quiet"),
        ("--traceback check --json a.mlir", "--traceback check --json=- a.mlir"),
        ("check -- --json a.mlir", "check -- --json a.mlir"),
        ("rules --json tosa.add", "rules --json tosa.add"),
        ("prune --json a.mlir -o b", "prune --json a.mlir -o b"),
        ("check --sarif a.mlir b.ONNX", "check --sarif=- a.mlir b.ONNX"),
        ("check --sarif r.txt a.mlir --sarif", "check --sarif r.txt a.mlir --sarif"),
        ("refine a.mlir --sarif b.mlir", "refine a.mlir --sarif b.mlir"),
    ],
)
def test_a_bare_option_takes_no_file_of_the_input(line: str, meant: str) -> None:
    assert separate_bare_documents(line.split()) == meant.split()


def test_queries_of_two_files_do_not_mix(add: Path, tmp_path: Path, command: Command) -> None:
    other = tmp_path / "other.mlir"
    other.write_text(add.read_text())
    command("check", str(add), str(other), "--no-execute", "--dump-queries", str(tmp_path / "q"))
    assert sorted(path.name for path in (tmp_path / "q").iterdir()) == ["1-add", "2-other"]


@pytest.mark.process
def test_ctrl_c_ends_a_busy_solver(tmp_path: Path) -> None:
    """Ctrl-C works while the solver is busy, here for longer than the test waits."""
    path = tmp_path / "hard.mlir"
    path.write_text(sums_of_cubes())
    started = subprocess.Popen(
        [sys.executable, "-m", "shapesolve", "check", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A suite that was started in the background ignores the signal, and so would what it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    sleep(1.5)
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=60)
    assert started.returncode == 130
    assert (out, err) == (b"", b"\ninterrupted\n")
