"""Bad inputs of single commands that were found by hand: links in circles, one file for two outputs, empty names.

`test_many_bad_inputs.py` holds the tables of bad inputs of all commands.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.conftest import Command
from cli.test_many_bad_inputs import contents, folder, refuses

__all__ = ["folder"]

CIRCLE = "loop.mlir"
QUIET = ["check", "IN", "--no-execute", "--quiet"]


@pytest.fixture
def circle(folder: Path) -> Path:
    """A link that leads back to itself, in a folder of its own beside a program."""
    path = folder / "circle" / CIRCLE
    path.parent.mkdir()
    path.symlink_to(CIRCLE)
    (path.parent / "safe.mlir").write_bytes((folder / "IN").read_bytes())
    return path


@pytest.mark.parametrize("option", ["--json=", "--sarif=", "--html=", "--reproducer="])
def test_an_output_that_leads_back_to_itself(option: str, circle: Path, folder: Path, command: Command) -> None:
    refuses(command, folder, [*QUIET, f"{option}{circle}"], f"{option[:-1]}: .*leads back to itself")
    assert circle.is_symlink()


def test_the_files_beside_a_link_that_leads_back_are_checked(circle: Path, command: Command) -> None:
    output = command("check", "circle", "--no-execute", "--quiet", "--no-cache")
    assert output.code == 2 and "loop.mlir: " in output.err and "symbolic links" in output.err
    assert "safe.mlir: 1 check" in output.out


@pytest.mark.parametrize(
    ("first", "second"), [("json", "html"), ("sarif", "html"), ("html", "reproducer"), ("json", "sarif")]
)
def test_two_outputs_in_one_file(first: str, second: str, folder: Path, command: Command) -> None:
    line = [*QUIET, f"--{first}=out", f"--{second}=./out"]
    refuses(command, folder, line, f"--{second}: the same file is given to --{first}")


@pytest.mark.parametrize("format_", ["concise", "github", "gitlab", "junit", "json", "sarif"])
def test_a_page_and_a_format_on_standard_output(format_: str, folder: Path, command: Command) -> None:
    refuses(command, folder, [*QUIET, "--html=-", "--format", format_], "standard output takes one")


@pytest.mark.parametrize("name", ["check", "prune", "test", "baseline"])
def test_an_empty_name_is_not_the_current_directory(name: str, folder: Path, command: Command) -> None:
    line = {"prune": ["prune", "", "-o", "out"], "baseline": ["baseline", "", "-o", "out"]}.get(name, [name, ""])
    refuses(command, folder, line, "the name of an input is empty")


@pytest.mark.parametrize(
    "text", ["[tool]\nshapesolve = 3\n", "tool = 'tool.shapesolve'\n", "[[tool.shapesolve]]\nquiet = true\n"]
)
def test_a_configuration_that_is_no_table(text: str, folder: Path, command: Command) -> None:
    (folder / "pyproject.toml").write_text(text)
    refuses(command, folder, QUIET, "pyproject.toml: tool.shapesolve is a table")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("shapesolve.toml", "[check]\nselect = ['tosa']\n", ":1: `check` is no table .* keys .`select`. at the top"),
        ("shapesolve.toml", "[baseline]\nnosuch = 1\n", ":1: `baseline` is no table .* at the top of the file"),
        ("shapesolve.toml", "[check]\n", ":1: `check` is no table .* write its keys at the top"),
        ("shapesolve.toml", "[prune]\nmin-size = 1\n", ":1: `prune` is no table "),
        ("shapesolve.toml", "[tool.shapesolve]\nmin-size = 1\n", "is for pyproject.toml: write its keys at the top"),
        ("shapesolve.toml", "['models/*.mlir']\nassume = ['x[0] >= 1']\n", 'did you mean .per-file."models/.\\.mlir"'),
        ("shapesolve.toml", "[per_file.'a.mlir']\nassume = []\n", "did you mean `per-file`"),
        ("shapesolve.toml", "min_size = 1\n", "did you mean `min-size`"),
        ("shapesolve.toml", "check = 3\n", ":1: `check` is no option"),
        (
            "pyproject.toml",
            "\n[tool.shapesolve.check]\nignore = ['tosa']\n",
            "toml:2: `check` is no table .* in .tool.shap",
        ),
    ],
)
def test_a_table_that_stands_in_the_wrong_place(
    name: str, text: str, words: str, folder: Path, command: Command
) -> None:
    (folder / name).write_text(text)
    refuses(command, folder, QUIET, words)


@pytest.mark.parametrize("text", ["# shapesolve is used\n[tool\n", "dependencies = ['shapesolve']\n[tool.other]\n"])
def test_a_project_that_only_names_shapesolve_has_no_configuration(text: str, folder: Path, command: Command) -> None:
    (folder / "pyproject.toml").write_text(text)
    before = contents(folder)
    output = command(*QUIET, "--json")
    assert output.code == 1 and len(json.loads(output.out)["files"]) == 1
    assert contents(folder) == before


@pytest.mark.process
@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--save", "TEXT"], "--save: TEXT is no directory"),
        (["--save", "TEXT/x"], "--save: TEXT/x: Not a directory"),
        (["--tool", "mlir-opt '"], "--tool: .*No closing quotation"),
    ],
)
def test_a_pipeline_that_cannot_be_run(more: list[str], words: str, folder: Path, command: Command) -> None:
    refuses(command, folder, ["validate", "IN", "-p", "builtin.module(cse)", *more], words)


def test_an_expectation_behind_code(folder: Path, command: Command) -> None:
    text = (folder / "IN").read_text().replace("\n", " // expect: refuted\n", 1)
    (folder / "IN").write_text(text)
    refuses(command, folder, ["test", "IN"], "IN:1: an expectation stands on a line of its own")
    (folder / "IN").write_text('func.func @f() { "a.b"() {c = "// expect: x"} : () -> () return }\n')
    refuses(command, folder, ["test", "IN"], "IN: the file expects nothing")


def test_a_value_of_an_option_that_takes_none(folder: Path, command: Command) -> None:
    refuses(command, folder, ["contract", "IN", "--json=DIR"], "--json: takes no value, and 'DIR' is given")
