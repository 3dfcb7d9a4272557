"""Test that adds the atom of CONTRIBUTING to a copy of the package, complete and with each part omitted."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Collection
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

import shapesolve

pytestmark = pytest.mark.process

ROOT = Path(shapesolve.__file__).parents[1]
EVALUATION, TRANSLATION = "shapesolve/symbolic/evaluation.py", "shapesolve/solver/z3/translation.py"
DEFINITION, CALLS = "shapesolve/symbolic/distances.py", "shapesolve/symbolic/functions.py"

TRIAL = """
from itertools import product
from shapesolve import Proved, Refuted, prove
from shapesolve.certificates.smtlib_terms import Terms
from shapesolve.symbolic.dims import dim, dims
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.symbolic.visitors import atoms_within
from shapesolve.symbolic.formulas import conjunction, equal, implies, negation
from shapesolve.symbolic.parser import parse_formula, parse_size
from shapesolve.symbolic.derivations import Record
from shapesolve.symbolic.scope import Scope
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.preprocessing.division import DivisionEliminator
from shapesolve.symbolic.visitors import Instantiation

A, B, C = dims("A B C")
names = [size.atom for size in (A, B, C)]
scope = Scope.closed({"A": A, "B": B, "C": C})
size = parse_size("distance(A, B//2)", scope)
assert str(size) == "distance(A, B//2)" and parse_size(str(size), scope) is size and size.bounds() == (0, None)
assert size.variables == {names[0], names[1]} and any(str(atom) == "B//2" for atom in atoms_within(size))
for a, b in product(range(7), repeat=2):
    sizes = {names[0]: a, names[1]: b}
    assert evaluate(size, sizes) == abs(a - b // 2)
    assert Instantiation({names[0]: dim(a), names[1]: dim(b)}).size(size) is dim(abs(a - b // 2))

propagator = Propagator()
propagator.assume(equal(A, B // 2 + 5), "given")
assert propagator.prove(equal(size, 5)) is not None, "the equality is put into the atom"
(quotient,) = DivisionEliminator().purify(equal(size, 3)).definitions[:1]
assert names[1] in quotient.variables, "the division inside is found"

claims = [
    "distance(A, C) <= distance(A, B) + distance(B, C)", "distance(A, B) <= max(A, B)", "distance(A, B) < max(A, B)",
    "distance(2*(A//2), A) <= 1", "distance(A//2, B//2) <= distance(A, B)", "distance(A, B) % 2 == (A + B) % 2",
    "distance(A, B) == 0 -> A == B", "distance(A, B)*distance(A, B) == A*A - 2*A*B + B*B", "distance(A, B) != 3",
    "select(distance(A, B) == 0, A, B) == B", "distance(distance(A, B), B) == A", "column([A, B], distance(A, B)) <= 1",
]
refuted = set()
for text in claims:
    claim = parse_formula(text, scope)
    verdict = prove(claim)
    fails = [each for each in product(range(5), repeat=3) if not holds(claim, dict(zip(names, each)))]
    assert isinstance(verdict, Refuted if fails else Proved), (text, verdict)
    if fails:
        refuted.add(text)
        assert not holds(claim, dict(verdict.sizes))
assert len(refuted) == 4, refuted
terms = Terms(Record())
said = terms.formula(parse_formula("distance(A, B)**2 == 1", scope))
opaque = "|distance(A, B) ?|"
assert terms.declarations.count(f"(declare-const {opaque} Int)") == 1 and said.count(opaque) == 2
print("fine")
"""


@dataclass(frozen=True, slots=True)
class Edit:
    """Edit of a file: replaces the lines ``old`` by ``new``; an empty ``old`` creates the file."""

    file: str
    old: str
    new: str


def documented() -> tuple[Edit, ...]:
    """The edits that CONTRIBUTING shows."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition("## Add an atom")[2].partition("\n## ")[0]
    code, changes = (
        re.search(r"```python\n# (\S+)\n(.*?)```", section, re.S),
        re.search(r"```diff\n(.*?)```", section, re.S),
    )
    assert code is not None and changes is not None
    edits = [Edit(code[1], "", code[2])]
    for file in re.split(r"^--- ", changes[1], flags=re.M)[1:]:
        name, _, hunks = file.partition("\n")
        for hunk in hunks.split("@@\n"):
            lines = hunk.splitlines()
            old = "".join(f"{line[1:]}\n" for line in lines if line[0] in " -")
            edits.append(Edit(name, old, "".join(f"{line[1:]}\n" for line in lines if line[0] in " +")))
    return tuple(edits)


def copied(target: Path, without: Collection[Edit] = (), edits: tuple[Edit, ...] = documented()) -> Path:
    """A copy of the package with the edits, but for some of them."""
    shutil.copytree(ROOT / "shapesolve", target / "shapesolve", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(
        ROOT / "constraints", target / "shapesolve/constraints", ignore=shutil.ignore_patterns("__pycache__")
    )
    for edit in edits:
        if edit in without:
            continue
        path = target / edit.file
        before = path.read_text(encoding="utf-8") if edit.old else ""
        assert not edit.old or before.count(edit.old) == 1, f"{edit.file} has not once:\n{edit.old}"
        path.write_text(before.replace(edit.old, edit.new) if edit.old else edit.new, encoding="utf-8")
    return target


def tried(package: Path) -> subprocess.CompletedProcess[str]:
    environment = {"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1", "PATH": ""}
    return subprocess.run(
        [sys.executable, "-c", TRIAL],
        cwd=package,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def of(file: str) -> list[Edit]:
    return [edit for edit in documented() if edit.file == file]


def case_of(file: str) -> list[Edit]:
    return [edit for edit in of(file) if "case Distance" in edit.new]


def test_the_documented_atom_takes_four_files_and_goes_all_the_way(tmp_path: Path) -> None:
    assert {edit.file for edit in documented()} == {DEFINITION, EVALUATION, TRANSLATION, CALLS}
    done = tried(copied(tmp_path))
    assert done.returncode == 0 and done.stdout == "fine\n", done.stderr


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (
            EVALUATION,
            "UnhandledKindError: evaluation does not know the kind Distance, of which `distance(A, B//2)` is one",
        ),
        (TRANSLATION, "UnhandledKindError: the translation to z3 does not know the kind Distance, of which `distance("),
    ],
)
def test_a_forgotten_meaning_is_refused(file: str, words: str, tmp_path: Path) -> None:
    done = tried(copied(tmp_path, without=case_of(file)))
    assert done.returncode == 1
    assert words in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("duty", ["spelled", "rebuilt"])
def test_a_forgotten_duty_is_refused_where_the_atom_is_defined(duty: str, tmp_path: Path) -> None:
    package = copied(tmp_path)
    definition = package / DEFINITION
    definition.write_text(definition.read_text(encoding="utf-8").replace(f"def {duty}(", f"def un{duty}("), "utf-8")
    done = tried(package)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"TypeError: the atom Distance does not say how it is {duty}"


@pytest.mark.exhaustive
@pytest.mark.skipif(find_spec("pyright") is None, reason="pyright is not installed")
def test_the_type_checker_names_the_files_where_a_kind_is_forgotten(tmp_path: Path) -> None:
    package = copied(tmp_path, without=[*case_of(EVALUATION), *of(TRANSLATION)])
    (package / "pyproject.toml").write_text('[tool.pyright]\ntypeCheckingMode = "strict"\n', encoding="utf-8")
    files = [EVALUATION, TRANSLATION, DEFINITION, CALLS]
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, *files],
        cwd=package,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode not in (0, 1):
        pytest.skip(f"pyright does not start: {done.stderr[:200]}")
    wrong = [line for line in done.stdout.splitlines() if " error: " in line]
    assert len(wrong) == 2, done.stdout
    for line, file in zip(sorted(wrong), (TRANSLATION, EVALUATION), strict=True):
        assert file in line and 'Argument of type "Distance"' in line and 'of type "Never"' in line
