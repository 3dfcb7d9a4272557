"""The example of CONTRIBUTING, done: an operation that nobody knew is added in two files, and every command serves it.

It is done on a copy of the registry from which the operation was taken away.
"""

from __future__ import annotations

import ast
import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import shapesolve

PAGE = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
(RULE,) = re.findall(r"```python\n(@rule\(.*?)```", PAGE, re.DOTALL)
CASE = re.findall(r"```mlir\n(.*?)```", PAGE, re.DOTALL)[0]
(OPERATION,) = re.findall(r'@rule\("([\w.]+)"', RULE)

#: What the page leaves out: the imports at the top of every module of rules.
IMPORTS = """
from shapesolve.symbolic.shapes import shape
from shapesolve.ir.program import Operation
from shapesolve.rules import PURE, Claim, OpSemantics, RuleContext, Tensor, rule
"""

CHECKED = CASE.replace(
    "  return %0",
    """  %c1 = arith.constant 1 : index
  %h = tensor.dim %0, %c1 : tensor<1x?x?xf32>
  %d = tensor.dim %a, %c1 : tensor<1x?x?xf32>
  %same = arith.cmpi eq, %h, %d : index
  cf.assert %same, "another number of rows"
  return %0""",
)

SERVED = """
import sys
from pathlib import Path
import shapesolve
from shapesolve import Proved, Refuted, check, prune, refine
sys.path.insert(0, sys.argv[1])
from support.case_files import read_case

case, checked = Path(sys.argv[2]), Path(sys.argv[3])
(failing,) = [each for each in check(case).checked_obligations if isinstance(each.verdict, Refuted)]
(expected,) = [each for each in read_case(case).expectations if each.what == "refuted"]
assert failing.obligation.clause == expected.clause, failing.obligation
sizes = {variable.text: size for variable, size in failing.verdict.sizes.items()}
assert (sizes["a[2]"], sizes["b[1]"]) == (2, 3), sizes
assert failing.confirmation is not None and failing.confirmation.execution is not None, "it was not executed"

assert not any(each.removed for each in prune(checked).checks), "undefined behavior is no licence"
assert any(each.removed for each in prune(checked, assume=["a[2] == b[1]"]).checks), "nothing was pruned"
(same,) = refine(checked, case, execute=False, allow_lost_checks=True)
assert same.word == "proved", same
print("served")
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package whose registry does not know the operation."""
    root = tmp_path_factory.mktemp("house")
    without = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(shapesolve.__file__).parent, root / "shapesolve", ignore=without)
    own = root / "shapesolve" / "constraints"
    registry = importlib.import_module("shapesolve.constraints")
    shutil.copytree(Path(str(registry.__file__)).parent, own, ignore=without, dirs_exist_ok=True)
    (file,) = (path for path in own.rglob("*.py") if f'@rule("{OPERATION}"' in path.read_text(encoding="utf-8"))
    text = file.read_text(encoding="utf-8")
    (known,) = (
        each
        for each in ast.parse(text).body
        if isinstance(each, ast.FunctionDef) and f"@rule('{OPERATION}'" in "\n".join(ast.unparse(each).splitlines()[:1])
    )
    lines = text.splitlines()
    first = min(each.lineno for each in known.decorator_list)
    del lines[first - 1 : known.end_lineno]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return root


def run(house: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    surroundings = {**os.environ, "PYTHONPATH": str(house)}
    return subprocess.run(
        [sys.executable, *arguments], env=surroundings, cwd=house, capture_output=True, text=True, timeout=300
    )


@pytest.mark.slow
def test_an_operation_is_added_in_two_files(house: Path) -> None:
    case, checked = house / "case.mlir", house / "checked.mlir"
    case.write_text(CASE, encoding="utf-8")
    checked.write_text(CHECKED, encoding="utf-8")
    served = ("-c", SERVED, str(Path(__file__).parents[1]), str(case), str(checked))
    assert "served" not in run(house, *served).stdout  # nobody knows the operation yet
    (house / "shapesolve" / "constraints" / "products_of_mine.py").write_text(IMPORTS + RULE, encoding="utf-8")
    found = run(house, *served)
    assert found.stdout.strip() == "served", found.stderr
