"""A pytest plugin: ``.mlir`` files as tests, and the mark ``shapesolve`` of tests that need a safe program.

Loaded in every run of pytest where shapesolve is installed; so it imports the library when a test needs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from shapesolve.errors import InputError, RefutedError

if TYPE_CHECKING:
    from shapesolve.checker.report import Report

MARK = """\
shapesolve(program, *, assume=(), shapes=(), functions=(), min_size=0, execute=True, allow_undecided=False): \
fail the test unless the program (a path beside the test's file, or the text of MLIR) is safe for all sizes; \
the fixture shape_report is its report"""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option and the setting that make files tests."""
    group = parser.getgroup("shapesolve")
    group.addoption("--shapesolve", action="store_true", help="check the .mlir files among the tests for all sizes")
    parser.addini("shapesolve_files", "patterns of .mlir files that are always checked", type="args", default=[])
    parser.addini("shapesolve_allow_undecided", "whether undecided files pass", type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark."""
    config.addinivalue_line("markers", MARK)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a file of MLIR if the option or a pattern says so."""
    if file_path.suffix not in (".mlir", ".mlirbc"):
        return None
    config = parent.config
    patterns: list[str] = config.getini("shapesolve_files")
    relative = file_path.relative_to(config.rootpath) if file_path.is_relative_to(config.rootpath) else file_path
    if config.getoption("--shapesolve") or any(fnmatch(str(relative), each) for each in patterns):
        return cast(Any, MlirFile).from_parent(parent, path=file_path)
    return None


class MlirFile(pytest.File):
    """A file of MLIR: one test."""

    def collect(self) -> Iterator[pytest.Item]:
        """Return the test that checks the file."""
        yield cast(Any, MlirItem).from_parent(self, name="shapes")


class MlirItem(pytest.Item):
    """The check of one file."""

    def runtest(self) -> None:
        """Check the file.

        Raises:
            RefutedError: It is not safe for all sizes.
            InputError: It cannot be read.
        """
        from shapesolve.testing.assertions import assert_shape_safe

        assert_shape_safe(self.path, allow_undecided=self.config.getini("shapesolve_allow_undecided"))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show the report alone, without the Python stack of the checker."""
        if isinstance(excinfo.value, RefutedError | InputError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the place of the test and its title."""
        return self.path, None, f"shapes: {self.path.name}"


_REPORT = pytest.StashKey["Report"]()


@pytest.hookimpl(trylast=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Check the programs of a test's marks before it runs."""
    for mark in item.iter_markers("shapesolve"):
        if not mark.args:
            raise pytest.UsageError('the mark shapesolve takes a program: @pytest.mark.shapesolve("model.mlir")')
        for program in mark.args:
            _check(item, program, dict(mark.kwargs))


def _check(item: pytest.Item, program: Any, options: dict[str, Any]) -> None:
    from shapesolve.testing.assertions import assert_shape_safe

    is_path = isinstance(program, Path) or (isinstance(program, str) and "\n" not in program)
    try:
        report = assert_shape_safe(item.path.parent / program if is_path else program, **options)
    except (RefutedError, InputError) as error:
        pytest.fail(str(error), pytrace=False)
    item.stash[_REPORT] = report


@pytest.fixture
def shape_report(request: pytest.FixtureRequest) -> Report:
    """Return the report of the program in the test's mark ``shapesolve``, the last one if there are several."""
    item: pytest.Item = request.node
    if item.get_closest_marker("shapesolve") is None:
        raise pytest.UsageError("the fixture shape_report needs the mark shapesolve")
    if _REPORT not in item.stash:  # fixtures are made before the hook above runs
        pytest_runtest_setup(item)
    return item.stash[_REPORT]
