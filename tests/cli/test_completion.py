"""Completion in shells, tried in a real one, and the manual page."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from shapesolve import __version__
from shapesolve.cli.arguments import make_parser
from shapesolve.cli.command_tree import arguments_of, commands
from shapesolve.cli.main import main
from shapesolve.cli.man import manual_page

Words = Callable[..., list[str]]

PARSER = make_parser(__version__)


@pytest.fixture
def script(capfd: pytest.CaptureFixture[str], request: pytest.FixtureRequest) -> str:
    pytest.importorskip("shtab")
    assert main(["completion", getattr(request, "param", "bash")]) == 0
    return capfd.readouterr().out


@pytest.fixture
def completed(script: str, tmp_path: Path) -> Words:
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    (tmp_path / "script").write_text(script)
    (tmp_path / "model.mlir").write_text("")
    (tmp_path / "models").mkdir()

    def words(*line: str) -> list[str]:
        """Words that bash offers for the last one of a command line."""
        (name,) = re.findall(r"^complete .*-F (\S+) shapesolve$", script, re.MULTILINE)
        quoted = " ".join(f"'{each}'" for each in ("shapesolve", *line))
        code = f'. ./script; COMP_WORDS=({quoted}); COMP_CWORD={len(line)}; {name}; printf "%s\\n" "${{COMPREPLY[@]}}"'
        run = subprocess.run(["bash", "--norc", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert not run.stderr
        return run.stdout.split()

    return words


@pytest.mark.process
def test_bash_completes_commands_options_values_and_files(completed: Words) -> None:
    assert completed("ch") == ["check"]
    assert set(completed("")) == set(commands(PARSER))
    assert "--format" in completed("check", "--f") and "--function" in completed("check", "--f")
    assert completed("check", "--format", "git") == ["github", "gitlab"]
    assert set(completed("check", "mod")) == {"model.mlir", "models"}
    assert set(completed("check", "model.mlir", "--sarif", "mod")) == {"model.mlir", "models"}
    assert completed("check", "--certify", "mod") == ["models"]
    assert completed("completion", "b") == ["bash"]


@pytest.mark.process
def test_bash_knows_every_option(completed: Words) -> None:
    for name, command in commands(PARSER).items():
        shown = {word for each in arguments_of(command) for word in each.option_strings}
        assert set(completed(name, "-")) >= shown, name


@pytest.mark.parametrize("script", ["zsh", "fish"], indirect=True)
def test_other_shells_get_every_command_and_option(script: str) -> None:
    for name, command in commands(PARSER).items():
        assert name in script
        for each in arguments_of(command):
            assert all(word.lstrip("-") in script for word in each.option_strings)


def test_a_missing_package_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == 2
    assert 'pip install "shapesolve[completion]"' in capfd.readouterr().err
    assert main(["completion", "csh"]) == 2


def test_the_manual_page_has_every_command_and_option(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["man"]) == 0
    page = capfd.readouterr().out
    assert page == manual_page(PARSER)
    plain = page.replace("\\-", "-")
    for name, command in commands(PARSER).items():
        section = re.split(
            r"^\.S[SH] ", plain.partition(f".SS shapesolve {name}\n")[2], maxsplit=1, flags=re.MULTILINE
        )[0]
        for each in arguments_of(command):
            assert all(f"\\fB{word}\\fR" in section for word in each.option_strings), (name, each.option_strings)


@pytest.mark.process
@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_the_manual_page_is_sound_for_groff() -> None:
    command = ["groff", "-man", "-Tutf8", "-ww", "-rLL=100n"]
    run = subprocess.run(command, input=manual_page(PARSER), capture_output=True, text=True, check=True)
    assert not run.stderr
    shown = re.sub(r"\x1b\[\d+m|.\x08", "", run.stdout)
    assert "shapesolve check [options] FILE ..." in shown
    assert "// ----- separates modules" in " ".join(shown.split())
    assert re.search(r"^EXIT STATUS\n\s+0  everything is proved", shown, re.MULTILINE)
