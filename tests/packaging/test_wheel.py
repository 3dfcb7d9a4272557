"""A wheel built from the repository works on its own, and finds the rules of other packages."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

pytestmark = pytest.mark.exhaustive

ROOT = Path(__file__).parents[2]

RULES = '''
"""Rules of another package."""

from shapesolve import Claim, OpSemantics, compatible, rule


@rule("acme.glue", example="acme/glue.mlir")
def glue(op, see):
    """Glues two tensors.

    (C1) Their first extents are equal.
    """
    a, b = see.dims(op.operands[0]), see.dims(op.operands[1])
    return OpSemantics(results=(see.tensor(op.operands[0]),), requires=(Claim("C1", a[0] == b[0], "they differ"),))
'''

PROJECT = """
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[project]
name = "acme-rules"
version = "1"
[project.entry-points."shapesolve.rules"]
acme = "acme_rules"
[tool.setuptools]
py-modules = ["acme_rules"]
"""

PROGRAM = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "acme.glue"(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, check=False)


def wheel_of(project: Path, out: Path) -> Path:
    built = run(
        *(sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet"),
        *("--wheel-dir", out, project),
        cwd=out,
    )
    assert built.returncode == 0, built.stderr
    return max(out.glob("*.whl"), key=lambda path: path.stat().st_mtime_ns)


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with only the wheel in it; its dependencies are those of this one."""
    folder = tmp_path_factory.mktemp("outside")
    clone = folder / "source"
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    for name in filter(None, listed.stdout.split("\0")):
        if (
            name.split("/")[0] in ("shapesolve", "constraints", "pyproject.toml", "README.md", "LICENSE")
            and (ROOT / name).exists()
        ):
            target = clone / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((ROOT / name).read_bytes())
    wheel = wheel_of(clone, folder)
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    installed = run(python, "-m", "pip", "install", "--quiet", "--no-deps", wheel, cwd=folder)
    assert installed.returncode == 0, installed.stderr
    site = next((folder / "venv" / "lib").glob("python*/site-packages"))
    (site / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    (folder / "program.mlir").write_text(PROGRAM, encoding="utf-8")
    return folder


def test_the_wheel_carries_the_engine_and_the_rules(outside: Path) -> None:
    where = run(
        outside / "venv" / "bin" / "python",
        "-c",
        "import shapesolve, shapesolve.constraints as c; print(shapesolve.__file__); print(c.__file__)",
        cwd=outside,
    )
    assert where.returncode == 0, where.stderr
    assert all(str(outside) in line for line in where.stdout.splitlines())


def test_the_wheel_carries_the_licence(outside: Path) -> None:
    asked = "from importlib.metadata import files, metadata as m; print(m('shapesolve')['License-Expression']); "
    asked += "print(*(each for each in files('shapesolve') if each.name == 'LICENSE'))"
    answer = run(outside / "venv" / "bin" / "python", "-c", asked, cwd=outside)
    assert answer.returncode == 0, answer.stderr
    licence, where = answer.stdout.splitlines()
    assert licence == "Apache-2.0 WITH LLVM-exception"
    assert where.endswith("LICENSE")


def test_the_command_checks_a_program(outside: Path) -> None:
    result = run(outside / "venv" / "bin" / "shapesolve", "check", ROOT / "examples" / "linear.mlir", cwd=outside)
    assert result.returncode == 1, result.stdout + result.stderr
    assert "tensor.cast" in result.stdout


def test_rules_of_another_package_are_used(outside: Path) -> None:
    command = (outside / "venv" / "bin" / "shapesolve", "check", "--no-execute", outside / "program.mlir")
    before = run(*command, cwd=outside)
    assert before.returncode == 3
    assert "no rule describes it" in before.stdout
    project = outside / "acme"
    project.mkdir()
    (project / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (project / "acme_rules.py").write_text(RULES, encoding="utf-8")
    wheel = wheel_of(project, outside)
    installed = run(outside / "venv" / "bin" / "python", "-m", "pip", "install", "--no-deps", wheel, cwd=outside)
    assert installed.returncode == 0, installed.stderr
    after = run(*command, cwd=outside)
    assert after.returncode == 1, after.stdout + after.stderr
    assert "a[0] == b[0]" in after.stdout
