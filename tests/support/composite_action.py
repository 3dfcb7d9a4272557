"""A runner of composite actions of GitHub on this machine: the steps of an ``action.yml``, in order, as documented.

Expressions are the contexts that name a value (``inputs.paths``, ``github.action_path``, ``steps.ID.outputs.NAME``).
Actions that a step uses are given as functions. What is not known is an error, and never skipped.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
_SHELLS = {"bash": ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail")}
_FILES = ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")
_STEP_KEYS = {"name", "id", "uses", "with", "shell", "env", "run", "working-directory"}

Used = Callable[[Mapping[str, str], dict[str, str]], None]
"""An action that a step uses, given its inputs and the environment of the later steps, which it may change."""


@dataclass
class Step:
    """Result of a step."""

    name: str
    code: int = 0
    out: str = ""
    err: str = ""


@dataclass
class Run:
    """Results of the steps of an action. A step that fails is the last."""

    steps: list[Step] = field(default_factory=list[Step])

    @property
    def code(self) -> int:
        """Exit code of the last step."""
        return self.steps[-1].code


def run_action(
    folder: Path, workspace: Path, scratch: Path, given: Mapping[str, str], used: Mapping[str, Used], **variables: str
) -> Run:
    """Run the action in a folder as the step of a job whose checkout is the workspace.

    Args:
        given: The ``with`` of the step.
        used: The actions that steps may use, by their name with the version.
        variables: Environment of the job.
    """
    import yaml

    action: dict[str, Any] = yaml.safe_load((folder / "action.yml").read_text("utf-8"))
    assert action["runs"]["using"] == "composite" and "outputs" not in action
    declared: dict[str, dict[str, Any]] = action.get("inputs", {})
    assert set(given) <= set(declared), "an input that is not declared is only warned about"
    missing = [name for name, each in declared.items() if each.get("required") and name not in given]
    assert not missing, f"{missing} must be given"
    contexts = {f"inputs.{name}": given.get(name, str(each.get("default", ""))) for name, each in declared.items()}
    contexts["github.action_path"] = str(folder)
    # Steps do not inherit the inputs: a composite action has no variables INPUT_...
    environment = {
        **os.environ,
        **variables,
        "GITHUB_WORKSPACE": str(workspace),
        "GITHUB_ACTIONS": "true",
        "CI": "true",
    }
    done = Run()
    for step in action["runs"]["steps"]:
        assert set(step) <= _STEP_KEYS, f"keys of a step that this runner does not know: {set(step) - _STEP_KEYS}"
        result = _step(step, contexts, environment, workspace, scratch, used)
        done.steps.append(result)
        if result.code:
            break
    return done


def _step(
    step: Mapping[str, Any],
    contexts: dict[str, str],
    environment: dict[str, str],
    workspace: Path,
    scratch: Path,
    used: Mapping[str, Used],
) -> Step:
    name = str(step.get("name", step.get("uses")))
    if "uses" in step:
        used[step["uses"]]({key: _expanded(each, contexts) for key, each in step["with"].items()}, environment)
        return Step(name)
    files = {each: scratch / each.lower() for each in _FILES}
    for each in files.values():
        each.write_text("")
    script = scratch / "step.sh"
    script.write_text(_expanded(step["run"], contexts), encoding="utf-8")
    own = {key: _expanded(str(value), contexts) for key, value in step.get("env", {}).items()}
    ran = subprocess.run(
        [*_SHELLS[step["shell"]], str(script)],
        cwd=workspace / step.get("working-directory", "."),
        env={**environment, **own, **{each: str(path) for each, path in files.items()}},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if "id" in step:
        outputs = _assignments(files["GITHUB_OUTPUT"])
        contexts.update({f"steps.{step['id']}.outputs.{key}": value for key, value in outputs.items()})
    environment.update(_assignments(files["GITHUB_ENV"]))
    environment["PATH"] = os.pathsep.join((*files["GITHUB_PATH"].read_text().split(), environment["PATH"]))
    return Step(name, ran.returncode, ran.stdout, ran.stderr)


def _assignments(file: Path) -> dict[str, str]:
    """Return the lines ``NAME=VALUE`` of a file of commands."""
    return dict(line.split("=", 1) for line in file.read_text("utf-8").splitlines())


def _expanded(text: str, contexts: Mapping[str, str]) -> str:
    """Return a text with the values of its expressions."""
    return _EXPRESSION.sub(lambda found: contexts[found[1]], str(text))
