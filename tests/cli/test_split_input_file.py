"""`--split-input-file`: every part by itself, with the lines of the file."""

from __future__ import annotations

from pathlib import Path

from cli.conftest import ADD, Command
from cli.test_prune_command import TWICE

from shapesolve.ir.reader import read_text
from shapesolve.ir.split_files import MARKER, split_text

BROKEN = "\nfunc.func @add(\n"
PARTS = f"// RUN\n{MARKER}\n{ADD}\n{MARKER}\n{BROKEN}{MARKER} \n#map = affine_map<(d0) -> (d0)>\n"


def test_parts_know_their_lines() -> None:
    text = f"a\nb\n{MARKER}\nc // {MARKER}\n  {MARKER}\n{MARKER}\n"
    assert [(each.text, each.line) for each in split_text(text)] == [
        ("a\nb\n", 0),
        (f"c // {MARKER}\n  {MARKER}\n", 3),
        ("", 6),
    ]


def test_lines_are_those_of_the_file(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "parts.mlir"
    path.write_text(PARTS)
    result = command("check", str(path), "--split-input-file", "--no-execute")
    assert result.code == 2
    assert f"{path}:4: error: tosa.add" in result.unwrapped.replace(f"{path}:4:8:", f"{path}:4:")
    assert f"{path}:10:16: " in result.err
    assert "expected" in result.err
    path.write_text(PARTS.replace(BROKEN, "\n"))
    assert command("check", str(path), "--split-input-file", "--no-execute").code == 1
    assert command("check", "-", "--split-input-file", "--no-execute", stdin=path.read_bytes()).code == 1


def test_a_file_whose_parts_have_no_function(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "empty.mlir"
    path.write_text(f"module {{\n}}\n{MARKER}\n")
    result = command("check", str(path), "--split-input-file")
    assert result.code == 2 and "no part of this file has a function" in result.err
    assert command("check", str(tmp_path), "--split-input-file").code == 0


def test_parts_are_pruned_one_by_one(tmp_path: Path, command: Command) -> None:
    path, target = tmp_path / "parts.mlir", tmp_path / "out.mlir"
    kept = "// nothing here\nfunc.func @g() {\n  return\n}\n"
    path.write_text(f"{TWICE}{MARKER}\n{kept}{MARKER}\n{TWICE}")
    result = command("prune", str(path), "-o", str(target), "--split-input-file")
    assert result.code == 0 and "4 checks, 2 removed, 2 kept" in result.unwrapped
    assert 'lines 6, 22: cf.assert "first"' in result.out
    parts = target.read_text().split(f"{MARKER}\n")
    assert parts[1] == kept
    for each in (parts[0], parts[2]):
        assert each.count("cf.assert") == 1 and read_text(each).functions.keys() == {"f"}


def test_several_files_are_pruned_into_a_directory(tmp_path: Path, command: Command) -> None:
    place, out = tmp_path / "in", tmp_path / "out"
    (place / "sub").mkdir(parents=True)
    (place / "a.mlir").write_text(TWICE)
    (place / "sub" / "a.mlir").write_text(TWICE)
    (place / "empty.mlir").write_text("module {\n}\n")
    (place / "broken.mlir").write_text("func.func @f(")
    result = command("prune", str(place), "-o", str(out))
    assert result.code == 2 and "broken.mlir:1:" in result.err
    assert sorted(str(each.relative_to(out)) for each in out.rglob("*.mlir")) == ["a.mlir", "sub/a.mlir"]
    assert all(each.read_text().count("cf.assert") == 1 for each in out.rglob("*.mlir"))
    (place / "broken.mlir").unlink()
    again = command("prune", str(place), "-o", str(out))
    assert again.code == 2 and "exists already; --force replaces it" in again.err
    assert command("prune", str(place), "-o", str(out), "--force").code == 0
    assert command("prune", str(place), "-o", str(out), "--force", "--fail-on=kept").code == 1


def test_a_file_is_pruned_in_place(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "a.mlir"
    path.write_text(TWICE)
    assert command("prune", "--in-place", str(path)).code == 0
    pruned = path.read_text()
    assert pruned.count("cf.assert") == 1
    changed = path.stat().st_mtime_ns
    again = command("prune", "--in-place", str(path))
    assert again.code == 0
    assert again.out.rstrip().endswith("unchanged")
    assert (path.read_text(), path.stat().st_mtime_ns) == (pruned, changed)
