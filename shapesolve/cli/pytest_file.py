"""``shapesolve sizes --pytest``: a test with the sizes as parameters."""

from __future__ import annotations

import re

from shapesolve.cli.reproducer_script import import_lines
from shapesolve.execution.execution import Input, TensorInput
from shapesolve.frontends.open import model_in
from shapesolve.reports.model_text import ModelText
from shapesolve.reports.sizes import target_text
from shapesolve.test_generation.vectors import Expected, FunctionSizes, SizesReport, TestVector

_CALLS = """\
def test_{name}_at_sizes(call, raises):
    if raises:
        with pytest.raises(Exception):
            call()
    else:
        call()
"""


def pytest_text(report: SizesReport) -> str:
    """Return a file of pytest: calls of the model where it was run, else decorators with the shapes."""
    has_calls = any(vector.call for function in report.functions for vector in function.vectors)
    lines = [f"# Made by: shapesolve sizes {report.program.file} --pytest"]
    source = model_in(report.program.file) if has_calls else None
    imports = [] if source is None else import_lines(source)
    lines += ["import pytest", "import torch", *imports, ""] if has_calls else ["import pytest", ""]
    for function in report.functions:
        is_own = ModelText(report.program, function.trace.function).is_own
        lines += ["", *(_calls(function, report, is_own) if has_calls else _shapes(function, is_own))]
    return "\n".join(lines).rstrip() + "\n"


def _calls(function: FunctionSizes, report: SizesReport, is_own: bool) -> list[str]:
    lines = ["@pytest.mark.parametrize(", '    ("call", "raises"),', "    ["]
    shown: set[int] = set()
    for vector in function.vectors:
        lines += _comments(vector, shown, is_own)
        if not vector.call or vector.disagrees:
            lines.append("        # left out: it cannot be written as a call, or it did not end as proved")
            continue
        raises = vector.model_run is not None and vector.model_run.raised
        lines.append(f"        pytest.param(lambda: {vector.call}, {raises}, id={_identifier(vector)!r}),")
    name = re.sub(r"\W+", "_", report.program.file.rpartition(":")[2]).strip("_")
    return [*lines, "    ],", ")", *_CALLS.format(name=name).splitlines()]


def _shapes(function: FunctionSizes, is_own: bool) -> list[str]:
    arguments = function.trace.function.arguments
    names = [_word(each.name, number) for number, each in enumerate(arguments)]
    name = re.sub(r"\W+", "_", function.trace.function.name)
    heads = ", ".join(f'"{each}"' for each in (*names, "fails"))
    lines = [f"{name}_at_sizes = pytest.mark.parametrize(", f"    ({heads}),", "    ["]
    shown: set[int] = set()
    for vector in function.vectors:
        lines += _comments(vector, shown, is_own)
        if vector.expected in (Expected.OPEN, Expected.NOT_EXPORTED) or vector.disagrees:
            lines.append("        # left out: its result is not known from the sizes alone")
            continue
        values = ", ".join(_value(each) for each in vector.arguments)
        fails = vector.expected is Expected.FAILS
        lines.append(f"        pytest.param({values + ', ' if values else ''}{fails}, id={_identifier(vector)!r}),")
    return [*lines, "    ],", ")"]


def _comments(vector: TestVector, shown: set[int], is_own: bool) -> list[str]:
    """Return comments on the targets that no vector before covers."""
    new = [each for each in vector.covers if id(each) not in shown]
    shown.update(map(id, new))
    texts = dict.fromkeys(" ".join(target_text(each, is_own=is_own).split()) for each in new)
    return [f"        # {each}" for each in texts]


def _identifier(vector: TestVector) -> str:
    return "-".join(f"{each.text}={size}".replace(" ", "") for each, size in vector.sizes.items())


def _value(given: Input) -> str:
    if isinstance(given, TensorInput):
        return repr(tuple(given.extents)) if given.values is None else repr(list(given.values))
    return repr(given.value)


def _word(name: str, number: int) -> str:
    bare = name.lstrip("%")
    return bare if bare.isidentifier() else f"arg{number}"
