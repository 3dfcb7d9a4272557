"""Configuration of a project: options, settings of files, and errors with their lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.conftest import ADD, Command

from shapesolve.cli.configuration import find, read, with_configuration
from shapesolve.cli.lsp import configured_models
from shapesolve.errors import InputError


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    for name in ("models/a.mlir", "kernels/b.mlir"):
        Path(name).parent.mkdir()
        Path(name).write_text(ADD)
    return tmp_path


def test_the_innermost_configuration_counts(project: Path) -> None:
    (project.parent / "shapesolve.toml").write_text("min-size = 1")
    assert find(project / "models") is None
    Path("pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert find(project) is None
    Path("pyproject.toml").write_text("[tool.shapesolve]\nmin-size = 1\n")
    assert find(project / "models") == str(project / "pyproject.toml")
    Path("shapesolve.toml").write_text("")
    assert find(project) == "shapesolve.toml"
    (project.parent / "shapesolve.toml").unlink()


def test_options_come_before_those_of_the_command_line(project: Path) -> None:
    Path("shapesolve.toml").write_text("""\
min-size = 2
assume = ["x[0] == y[0]", "x[0] >= 3"]
facts = ["f.toml"]
execute = false
gitignore = true
fail-on = "refuted"
""")
    options = [
        "--min-size=2",
        "--assume=x[0] == y[0]",
        "--assume=x[0] >= 3",
        f"--facts={Path('f.toml')}",
        "--no-execute",
    ]
    given = ["--traceback", "check", "a.mlir", "--min-size", "4"]
    expected = ["--traceback", "check", "--config=shapesolve.toml", *options, "--fail-on=refuted", *given[2:]]
    assert with_configuration(given) == expected
    assert with_configuration(["baseline", "."]) == ["baseline", "--config=shapesolve.toml", *options, "."]
    for other in (["check", "--help"], ["check", "--no-config", "a.mlir"], ["prune", "a.mlir"], ["--version"], []):
        assert with_configuration(other) == other


def test_models_are_for_the_editor_alone(project: Path) -> None:
    Path("shapesolve.toml").write_text('models = ["models/net.py:make"]\n')
    assert with_configuration(["check", "a.mlir"]) == ["check", "--config=shapesolve.toml", "a.mlir"]
    (model,) = configured_models(str(project / "models" / "other.py"))
    assert (model.source, model.file) == ("models/net.py:make", str(project / "models" / "net.py"))
    Path("shapesolve.toml").write_text('models = [{model = "net.py:Net", inputs = ["x=f32[B,8]"]}]\n')
    (module,) = configured_models(str(project / "net.py"))
    assert module.command[-2:] == ("net.py:Net", "x=f32[B,8]")
    for wrong in (
        '"models/net.py"',
        '"net:make"',
        '"net.py:2"',
        "1",
        "{inputs = []}",
        '{model = "n.py:N", input = []}',
    ):
        Path("shapesolve.toml").write_text(f"min-size = 1\nmodels = [{wrong}]\n")
        with pytest.raises(InputError) as error:
            read("shapesolve.toml")
        assert error.value.where == "shapesolve.toml:2"


@pytest.mark.slow
def test_options_and_settings_of_files_apply(project: Path, command: Command) -> None:
    assert command("check", ".", "--no-execute").code == 1
    Path("pyproject.toml").write_text("""\
[tool.shapesolve]
execute = false
[tool.shapesolve.per-file."models/"]
assume = ["x[0] == y[0]"]
[tool.shapesolve.per-file."b.mlir"]
ignore = ["tosa-add-broadcast"]
""")
    result = command("check", ".")
    assert result.code == 0
    assert "x[0] == y[0]" in result.out and "left out: 1 tosa-add-broadcast" in result.out
    assert command("check", ".", "--no-config", "--no-execute").code == 1
    Path("models/f.toml").write_text('[add]\nrelations = ["x[0] == y[0]"]\n')
    Path("shapesolve.toml").write_text('execute = false\n[per-file."*.mlir"]\nfacts = ["models/f.toml"]\n')
    assert command("check", ".").code == 0
    assert command("check", ".", "--config", "pyproject.toml").code == 0


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("min-size = 1\nmin_size = 2", 2, "`min_size` is no option; did you mean `min-size`?"),
        ('\n\nassume = "x"', 3, "assume is a list of texts"),
        ("budget = true", 1, "budget is a number"),
        ("execute = 1", 1, "execute is true or false"),
        ("fail-on = []", 1, "fail-on is a text"),
        ('rules = ["x.py"]', 1, "rules are run as Python"),
        ('[per-file."a.mlir"]\nbudget = 3', 2, "`budget` is no setting of single files"),
        ('\n[per-file."' + "a*" * 30 + 'b.mlir"]\nignore = ["x"]', 2, "has more than 10 separate `*` between two `/`"),
        ("[per-file]\n'a.mlir' = 3", 2, "the settings of `a.mlir` are a table"),
    ],
)
def test_an_error_names_its_line(text: str, line: int, words: str, project: Path, command: Command) -> None:
    Path("shapesolve.toml").write_text(text)
    with pytest.raises(InputError) as error:
        read("shapesolve.toml")
    assert error.value.where == f"shapesolve.toml:{line}" and words in error.value.message
    result = command("check", "models")
    assert result.code == 2 and result.err.startswith(f"error: shapesolve.toml:{line}: ")


def test_errors_in_toml_and_in_values(project: Path, command: Command) -> None:
    Path("shapesolve.toml").write_text("a = ")
    assert "this is not TOML" in command("check", "models").err
    assert command("check", "models", "--config", "missing.toml").err.startswith("error: missing.toml: ")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "line", "option"),
    [
        ('format = "xml"', 1, "--format=xml"),
        ("seed = 1\nmin-size = 1.5", 2, "--min-size=1.5"),
        ("max-size = 1\nmin-size = 3", 2, "--min-size=3"),
        ('\nassume = [\n  "y[0] == 1",\n  "x[0] ++",\n]', 2, "--assume=x[0] ++"),
        ('shape = ["q=[N]"]', 1, "--shape=q=[N]"),
        ('select = ["nothing-has-this"]', 1, "--select=nothing-has-this"),
        ('carrier = ["what"]', 1, "--carrier=what"),
        ('function = ["nowhere"]', 1, "--function=nowhere"),
        ('facts = ["missing.toml"]', 1, "--facts=missing.toml"),
        ('library = ["missing.mlir"]', 1, "--library=missing.mlir"),
        ('baseline = "missing.json"', 1, "--baseline=missing.json"),
        (
            'seed = 2\n[per-file."b.mlir"]\nassume = []\n[per-file."a.mlir"]\nassume = ["y[0] ++"]',
            5,
            "--assume=y[0] ++",
        ),
    ],
)
def test_a_wrong_value_is_found_at_its_line(text: str, line: int, option: str, project: Path, command: Command) -> None:
    Path("shapesolve.toml").write_text(text)
    result = command("check", "models/a.mlir")
    assert result.code == 2
    assert f"{option} stands in shapesolve.toml:{line}; --no-config leaves the configuration out\n" in result.err
    assert "stands in" not in command("check", "models/a.mlir", "--no-config", "--select", "nothing-has-this").err


def test_lines_are_those_of_the_own_table(project: Path, command: Command) -> None:
    Path("pyproject.toml").write_text('[tool.ruff]\nselect = ["E"]\n\n[tool.shapesolve]\nselect = ["no-such-code"]\n')
    assert "--select=no-such-code stands in pyproject.toml:5;" in command("check", "models").err
    Path("pyproject.toml").write_text('[tool.ruff]\nselect = ["E"]\n\n[tool.shapesolve]\nselect = 3\n')
    assert command("check", "models").err.startswith("error: pyproject.toml:5: select is a list of texts")
    Path("pyproject.toml").write_text(
        '[tool.shapesolve]\nignore = ["x"]\n[tool.shapesolve.per-file."*"]\nignore = ["no-such"]\n'
    )
    assert "error: pyproject.toml:2: " not in command("check", "models", "--select", "shape").err
    Path("shapesolve.toml").write_text('[per-file."*"]\nignore = ["no-such"]\n')
    assert command("check", "models").err.startswith("error: shapesolve.toml:2: no finding can have the code")


def test_init_writes_comments_that_are_options(project: Path, command: Command) -> None:
    assert command("init").code == 0
    assert read("shapesolve.toml").options == ()
    lines = Path("shapesolve.toml").read_text().splitlines()[1:]
    Path("shapesolve.toml").write_text("\n".join(each.removeprefix("#").strip() for each in lines))
    assert {key for key, _ in read("shapesolve.toml").options} >= {"min-size", "assume", "fail-on"}
    assert [each.pattern for each in read("shapesolve.toml").per_file] == ["models/*.mlir"]
    assert command("init").code == 2
    assert command("init", "--pyproject").code == 2
    Path("pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert command("init", "--pyproject").code == 0
    assert Path("pyproject.toml").read_text().startswith("[project]\nname = 'x'\n\n[tool.shapesolve]\n")
    assert read("pyproject.toml").options == ()
    assert command("init", "--pyproject").code == 2
