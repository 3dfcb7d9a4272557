"""Test that texts read in one MLIR context do not affect each other; those that would are read in their own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from shapesolve.ir import bindings, reader
from shapesolve.ir.reader import context_for, read_text

SHORT = "func.func @f(%a: tensor<?xf32>) { return }"
WITH_RESOURCES = """func.func @f() -> tensor<2xf32> {
  %0 = arith.constant dense_resource<weights> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
{-# dialect_resources: { builtin: { weights: "0x040000000000803F00000040" } } #-}
"""


def printed(text: str) -> str:
    return str(bindings.ir().Module.parse(text, context_for(text)))


def test_short_texts_share_one() -> None:
    assert context_for(SHORT) == context_for(SHORT.replace("f32", "f64"))


def test_names_of_resources_stay_as_they_are() -> None:
    assert printed(WITH_RESOURCES) == printed(WITH_RESOURCES)
    context = context_for(SHORT)
    first, second = (str(bindings.ir().Module.parse(WITH_RESOURCES, context)) for _ in range(2))
    assert first != second, "they could share a context now"


def test_a_long_text_has_its_own() -> None:
    assert context_for(SHORT + " " * (1 << 16)) != context_for(SHORT)


def test_files_per_shared_context_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "_shared", reader._Shared())
    monkeypatch.setattr(reader, "_MOST_IN_ALL", 3 * len(SHORT))
    found = [context_for(SHORT) for _ in range(7)]
    assert [found.index(each) for each in found] == [0, 0, 0, 3, 3, 3, 6]


def test_every_thread_has_its_own() -> None:
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(context_for, SHORT).result() != context_for(SHORT)


def test_a_text_that_is_refused_leaves_nothing_behind() -> None:
    before = printed(SHORT)
    for wrong in ("func.func @f(%a: tensor<?xf32>) {", SHORT + SHORT, '"of.nobody"() : () -> ()'):
        try:
            printed(wrong)
        except bindings.ir().MLIRError:
            continue
    assert printed(SHORT) == before
    assert [*read_text(SHORT).functions] == ["f"]
