"""Messages about programs that MLIR does not lower."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from shapesolve import check
from shapesolve.execution.execution import describe_diagnostics


def printed_of(message: str) -> str:
    first = SimpleNamespace(message=message, notes=[], location=None)
    return describe_diagnostics(SimpleNamespace(error_diagnostics=[first]))


def test_an_operation_is_not_printed_in_full() -> None:
    printed = '%1 = "tosa.conv2d"(%arg0) <{pad = array<i64: 1, 1>}> : (tensor<?xf32>) -> tensor<?xf32>'
    assert printed_of(f"failed to legalize operation 'tosa.conv2d': {printed}") == (
        "failed to legalize operation 'tosa.conv2d'"
    )
    marked = "failed to legalize operation 'tosa.abs' that was explicitly marked illegal"
    assert printed_of(f'{marked}: "tosa.abs"() : () -> ()') == marked


def test_other_messages_stay_as_they_are() -> None:
    for message in ("op was not bufferized: %0 is in use", "operation 'x.y' wants: a shape"):
        assert printed_of(message) == message


@pytest.mark.process
def test_an_operation_without_a_lowering_is_named_and_not_the_casts_around_it() -> None:
    text = """
    func.func @f(%a: tensor<?x?xf32>, %d: tensor<?x?x8x4xf32>) -> tensor<?x?x8x4xf32> {
      %p = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %d : tensor<?x?xf32> -> tensor<?x?x8x4xf32>
      return %p : tensor<?x?x8x4xf32>
    }"""
    said = check(text).text(verbose=True)
    assert "linalg.pack (line 3, column 12) has no executable form" in said and "unrealized" not in said
