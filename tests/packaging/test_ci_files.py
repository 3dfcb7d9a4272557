"""The action of GitHub, the hooks of pre-commit and the configuration on the page do what they say."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from cli.conftest import ADD

from shapesolve.cli.configuration import read

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    programs = tmp_path / "bin"
    programs.mkdir()
    script = programs / "shapesolve"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m shapesolve "$@"\n')
    script.chmod(0o700)
    (tmp_path / "add.mlir").write_text(ADD)
    return tmp_path


def run(place: Path, script: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{place / 'bin'}:{os.environ['PATH']}", **variables}
    return subprocess.run(
        ["bash", "-e", "-c", script], cwd=place, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(os.name == "nt", reason="bash")
def test_the_step_of_the_action(place: Path) -> None:
    action = (ROOT / "action.yml").read_text("utf-8")
    (step,) = re.findall(r"      run: \|\n((?:        .*\n)+)", action)
    assert "${{" not in step  # inputs are never part of the script
    result = run(place, step, CHECK_PATHS="*.mlir", CHECK_ARGUMENTS="--no-execute", CHECK_SARIF="out.sarif")
    assert result.returncode == 1, result.stderr
    assert result.stdout.startswith("::error file=add.mlir,line=2,col=8,")
    assert "tosa-add-broadcast" in (place / "out.sarif").read_text()
    hostile = run(place, step, CHECK_PATHS="$(touch owned) ; touch owned", CHECK_ARGUMENTS="", CHECK_SARIF="")
    assert hostile.returncode == 2 and not (place / "owned").exists()


@pytest.mark.skipif(os.name == "nt", reason="bash")
def test_hooks_of_pre_commit_are_commands_that_exist(place: Path) -> None:
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
    entries = re.findall(r"- id: (\S+)\n(?:  .*\n)*?  entry: (.*)\n", hooks)
    assert [name for name, _ in entries] == ["shapesolve-check", "shapesolve-test"]
    for (_, entry), words in zip(entries, ("[tosa-add-broadcast]", "the file expects nothing"), strict=True):
        assert shlex.split(entry)[0] == "shapesolve"
        result = run(place, f"{entry} add.mlir")
        assert result.returncode != 0 and words in result.stdout + result.stderr


def test_the_configuration_of_the_page(tmp_path: Path) -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    path = tmp_path / "shapesolve.toml"
    path.write_text(text)
    assert len(read(str(path)).options) == 4
