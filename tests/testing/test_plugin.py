"""The pytest plugin, in runs of pytest inside this process."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.pytest_runs import PLUGIN, run

from shapesolve import InputError, RefutedError
from shapesolve.testing import assert_shape_safe

pytestmark = pytest.mark.process

if TYPE_CHECKING:
    from _pytest.pytester import Pytester

pytest_plugins = ["pytester"]

SAFE = """
func.func @same(%a: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = tosa.add %a, %a : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}
"""
UNSAFE = """
func.func @two(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
UNKNOWN = """
func.func @unknown(%a: tensor<?xf32>) -> tensor<4xf32> {
  %0 = "my.op"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  %b = tosa.const_shape {values = dense<[4]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %1 = tosa.reshape %0, %b : (tensor<?xf32>, !tosa.shape<1>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""


@pytest.fixture
def files(pytester: Pytester) -> Path:
    for name, text in (("safe", SAFE), ("unsafe", UNSAFE), ("unknown", UNKNOWN)):
        (pytester.path / f"{name}.mlir").write_text(text, encoding="utf-8")
    return pytester.path


@pytest.mark.usefixtures("files")
def test_files_are_tests_if_the_option_says_so(pytester: Pytester) -> None:
    result = run(pytester, "--shapesolve")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(
        [
            "not safe for all sizes: *unsafe.mlir: 1 check*",
            "*unsafe.mlir:3:8: error: tosa.add*",
            "FAILED unsafe.mlir*not safe*",
        ]
    )
    assert "Traceback" not in result.stdout.str()
    assert "assertions.py" not in result.stdout.str()
    assert run(pytester).ret is pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.mark.usefixtures("files")
def test_files_are_tests_if_a_pattern_names_them(pytester: Pytester) -> None:
    pytester.makeini("[pytest]\nshapesolve_files = un*.mlir\nshapesolve_allow_undecided = true\n")
    run(pytester).assert_outcomes(passed=1, failed=1)


def test_a_file_that_cannot_be_read_fails_with_its_place(pytester: Pytester) -> None:
    (pytester.path / "broken.mlir").write_text("func.func @f() {\n  nonsense\n}\n", encoding="utf-8")
    result = run(pytester, "--shapesolve")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*broken.mlir:2:*"])
    assert "Traceback" not in result.stdout.str()


@pytest.mark.usefixtures("files")
def test_a_mark_gives_the_report_of_its_file(pytester: Pytester) -> None:
    pytester.makepyfile(
        f"""
        import pytest

        @pytest.mark.shapesolve("safe.mlir")
        def test_safe(shape_report):
            assert shape_report.exit_code == 0
            assert not shape_report.refuted

        @pytest.mark.shapesolve("safe.mlir", "unsafe.mlir")
        def test_unsafe():
            raise AssertionError("a test does not run if its program is not safe")

        @pytest.mark.shapesolve("unsafe.mlir", assume=["a[0] == b[0]"])
        def test_assumed(shape_report):
            assert shape_report.functions[0].name == "two"

        @pytest.mark.shapesolve({UNSAFE!r}, shapes=["a=[4]", "b=[4]"])
        def test_text():
            pass

        @pytest.mark.shapesolve("unknown.mlir", allow_undecided=True)
        def test_undecided():
            pass

        @pytest.mark.shapesolve("missing.mlir")
        def test_missing():
            pass

        @pytest.mark.shapesolve
        def test_nothing_named():
            pass

        def test_without_a_mark(shape_report):
            pass
        """
    )
    result = run(pytester, "--strict-markers", "-rA")
    result.assert_outcomes(passed=4, errors=4)
    result.stdout.fnmatch_lines(["*unsafe.mlir:3:8: error: tosa.add*"])
    text = result.stdout.str()
    assert "missing.mlir" in text
    assert "takes a program" in text
    assert "needs the mark shapesolve" in text
    assert "does not run" not in text.partition("short test summary")[2]


def test_the_plugin_loads_nothing(pytester: Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_light():
            loaded = {each for each in sys.modules if each.startswith("shapesolve.")}
            assert not loaded & {"shapesolve.api", "shapesolve.solver", "shapesolve.options", "z3"}, loaded
        """
    )
    pytester.runpytest_subprocess(*PLUGIN, "-p", "no:cacheprovider").assert_outcomes(passed=1)


def test_assert_shape_safe() -> None:
    assert assert_shape_safe(SAFE).exit_code == 0
    with pytest.raises(RefutedError, match=r"tosa\.add") as caught:
        assert_shape_safe(UNSAFE, execute=False)
    assert isinstance(caught.value, AssertionError)
    assert assert_shape_safe(UNSAFE, assume="a[0] == b[0]").exit_code == 0
    with pytest.raises(RefutedError, match="undecided"):
        assert_shape_safe(UNKNOWN, execute=False)
    assert assert_shape_safe(UNKNOWN, execute=False, allow_undecided=True).exit_code == 3
    with pytest.raises(InputError):
        assert_shape_safe(SAFE, functions="other")
