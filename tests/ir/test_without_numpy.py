"""Test that MLIR's bindings import numpy only where user code may need it, and that it stays available."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.process

ALONE = """
import sys
from shapesolve.ir import bindings
bindings.assume_exclusive_process()
bindings.ir()
print("numpy" in sys.modules)
import numpy
print(numpy.arange(3).sum())
"""

NOT_ALONE = """
from shapesolve.ir import bindings
ir = bindings.ir()
print(ir.AttrBuilder.contains("F64ElementsAttr"))
"""

THERE_ALREADY = """
import numpy
from shapesolve.ir import bindings
bindings.assume_exclusive_process()
print(bindings.ir().AttrBuilder.contains("F64ElementsAttr"))
print(numpy is __import__("numpy"))
"""

COMMAND = """
import sys
from shapesolve.cli.main import run
from shapesolve.cli.arguments import make_parser
from shapesolve.ir import bindings
bindings.assume_exclusive_process()
run(make_parser("0").parse_args(["check", "--quiet", "--no-execute", "examples/linear.mlir"]))
print(sorted(name for name in sys.modules if name == "numpy"))
"""


def lines_printed(program: str) -> list[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()


def test_a_command_does_not_import_numpy_and_others_still_can() -> None:
    assert lines_printed(ALONE) == ["False", "3"]
    assert lines_printed(COMMAND)[-1] == "[]"


def test_who_uses_the_bindings_as_well_has_all_of_them() -> None:
    assert lines_printed(NOT_ALONE) == ["True"]
    assert lines_printed(THERE_ALREADY) == ["True", "True"]
