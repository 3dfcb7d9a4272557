"""The action of GitHub, run step by step as a job runs it: installed from its folder, checked, annotated."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
import venv
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from cli.conftest import ADD
from support.composite_action import Run, Used, run_action

pytest.importorskip("yaml")

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.skipif(os.name == "nt", reason="bash"),
    pytest.mark.skipif(shutil.which("git") is None, reason="git lists the files of the action"),
]

ROOT = Path(__file__).parents[2]

Job = Callable[..., Run]
"""The action as a step, given what stands under ``with``."""


@pytest.fixture(scope="module")
def action(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout of the repository, as the runner of GitHub downloads it."""
    folder = tmp_path_factory.mktemp("action")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    needed = ("shapesolve", "constraints", "pyproject.toml", "README.md", "LICENSE", "action.yml")
    for name in filter(None, listed.split("\0")):
        if name.split("/")[0] in needed and (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def set_up_python(tmp_path_factory: pytest.TempPathFactory) -> Used:
    """The action that sets Python up: an environment in which only what the wheel depends on is already there."""
    place = tmp_path_factory.mktemp("python") / "venv"
    venv.create(place, with_pip=True)
    for each in (place / "lib").glob("python*/site-packages/setuptools*"):
        shutil.rmtree(each)  # an older one than the project builds with
    site = next((place / "lib").glob("python*/site-packages"))
    (site / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")

    def used(inputs: Mapping[str, str], environment: dict[str, str]) -> None:
        assert float(inputs["python-version"].removeprefix("3.")) >= 10
        environment["PATH"] = f"{place / 'bin'}:{environment['PATH']}"

    return used


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    (folder / "mlir" / "deep").mkdir(parents=True)
    (folder / "mlir" / "add.mlir").write_text(ADD)
    (folder / "mlir" / "deep" / "safe.mlir").write_text(ADD.replace("%x, %y :", "%x, %x :"))
    return folder


@pytest.fixture
def job(action: Path, set_up_python: Used, workspace: Path, tmp_path: Path) -> Job:
    def run(**given: str) -> Run:
        scratch = tmp_path / "scratch"
        scratch.mkdir(exist_ok=True)
        # pip as the action calls it, but for an index, which tests do not ask.
        alone = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_DEPS": "1", "PYTHONDONTWRITEBYTECODE": ""}
        return run_action(action, workspace, scratch, given, {"actions/setup-python@v5": set_up_python}, **alone)

    return run


def test_a_job_installs_checks_annotates_and_fails(job: Job, workspace: Path) -> None:
    done = job(paths="mlir/", arguments="--no-execute --fail-on refuted", sarif="shapes.sarif")
    names = [(each.name, each.code) for each in done.steps]
    assert names == [("actions/setup-python@v5", 0), ("install shapesolve", 0), ("shapesolve check", 1)], done.steps[
        -1
    ].err
    annotations = [line for line in done.steps[-1].out.splitlines() if line.startswith("::")]
    assert len(annotations) == 1 and annotations[0].startswith("::error file=mlir/add.mlir,line=2,")
    (log,) = json.loads((workspace / "shapes.sarif").read_text())["runs"]
    (place,) = (each["locations"][0]["physicalLocation"] for each in log["results"] if each["level"] == "error")
    assert place["artifactLocation"]["uri"] == "mlir/add.mlir"


def test_a_job_on_safe_programs_passes_without_a_report(job: Job, workspace: Path) -> None:
    done = job(paths="mlir/deep mlir/**/safe.mlir")
    assert (len(done.steps), done.code) == (3, 0), done.steps
    assert "::error" not in done.steps[-1].out
    assert not list(workspace.glob("*.sarif"))


def test_a_job_that_names_nothing_to_check_fails_with_a_message(job: Job) -> None:
    done = job(paths="nosuch/")
    assert done.code == 2 and "nosuch" in done.steps[-1].err


def test_inputs_are_never_run(job: Job, workspace: Path) -> None:
    hostile = '"; touch owned; `touch owned`; $(touch owned) #'
    done = job(paths=f"mlir/ {hostile}", arguments=hostile, sarif=f"{hostile}.sarif")
    assert done.code == 2
    owned = job(paths="mlir/", extras=f"]{hostile}")
    assert owned.code != 0 and owned.steps[-1].name == "install shapesolve"
    assert not list(workspace.rglob("owned"))


def test_files_of_another_extra_are_asked_for(job: Job) -> None:
    """Without an index the extra's packages are not installed, but its name is read by pip."""
    done = job(paths="mlir/deep", extras="serve,lsp")
    assert done.steps[1].code == 0, done.steps[1].err
    assert "does not provide the extra" not in done.steps[1].err
