"""Conditions on data that a model states by ``torch._check``: believed, as those on sizes are."""

from __future__ import annotations

from typing import Any

import pytest

import shapesolve

torch: Any = pytest.importorskip("torch")

pytestmark = [pytest.mark.slow, pytest.mark.frontends]

Dim: Any = torch.export.Dim


class Head(torch.nn.Module):
    """Takes as many rows as a number says, which is stated to be one of rows."""

    def forward(self, x: Any, n: Any) -> Any:
        k = n.item()
        torch._check(k > 3)
        torch._check(k <= x.shape[0])
        return x[:k].reshape(k, -1) + 1


class Halves(torch.nn.Module):
    """Needs an even number of rows, behind a statement about a number."""

    def forward(self, x: Any, n: Any) -> Any:
        torch._check(n.item() > 3)
        return x.reshape(2, x.shape[0] // 2, -1) * n


class Sum(torch.nn.Module):
    """States the most of a sum of two numbers, of which either may be negative, and asserts it of one of them."""

    def forward(self, x: Any, n: Any) -> Any:
        k = n[0].item()
        torch._check(k + n[1].item() <= x.shape[0])
        torch.ops.aten._assert_scalar(k <= 64, "at most 64")
        return x + k


class Some(torch.nn.Module):
    """States of the number of rows what is stated of a multiple of another size."""

    def forward(self, x: Any, mask: Any) -> Any:
        k = mask.sum().item()
        torch._check(k >= 2)
        torch._check(k <= x.shape[0])
        return x.reshape(4, -1)[:, :3], x[:k]


NUMBER = (torch.ones(8, 3), torch.tensor(5))


def test_what_is_stated_of_a_number_is_believed_and_listed() -> None:
    report = shapesolve.torch.check(Head(), NUMBER, {"x": {0: Dim("B")}, "n": None})
    assert report.exit_code == 0
    text = " ".join(report.text().split())
    assert "data is as torch._check in the model states (--distrust)" in text
    assert "exporter-model-fails" not in text


def test_bounds_that_pytorch_derives_from_it_are_believed() -> None:
    """PyTorch asserts that the number is at most 64 before it asserts what the model states."""
    sizes = {"x": {0: Dim("B", min=4, max=64)}, "n": None}
    report = shapesolve.torch.check(Head(), NUMBER, sizes)
    assert report.exit_code == 0


def test_a_size_may_have_a_name_like_those_of_pytorch() -> None:
    report = shapesolve.torch.check(Head(), NUMBER, {"x": {0: Dim("s0", min=4, max=64)}, "n": None})
    assert report.exit_code == 0


def test_what_does_not_bound_a_number_where_another_is_negative_is_not_believed_to() -> None:
    numbers = torch.tensor([69, -5])
    with pytest.raises(RuntimeError):
        Sum()(torch.ones(64, 3), numbers)
    report = shapesolve.torch.check(
        Sum(), (torch.ones(8, 3), torch.tensor([5, 2])), {"x": {0: Dim("B", min=4, max=64)}, "n": None}
    )
    (finding,) = report.refuted
    assert finding.obligation.op.name == "torch.aten._assert_scalar"


def test_it_is_believed_in_the_lowering_too() -> None:
    report = shapesolve.torch.check(Head(), NUMBER, {"x": {0: Dim("B")}, "n": None}, level="linalg")
    assert report.exit_code == 0
    assert "data is as torch._check in the model states (--distrust)" in " ".join(report.text().split())


def test_it_is_checked_where_nothing_is_trusted() -> None:
    options = shapesolve.Options(distrust=True, execute=False)
    report = shapesolve.torch.check(Head(), NUMBER, {"x": {0: Dim("B")}, "n": None}, options=options)
    assert any(each.obligation.op.name == "torch.aten._assert_scalar" for each in report.refuted)


def test_a_bug_behind_it_is_still_found_and_raises() -> None:
    report = shapesolve.torch.check(Halves(), NUMBER, {"x": {0: Dim("B")}, "n": None})
    (finding,) = report.refuted
    assert "B % 2 == 0" in report.text()
    assert finding.original_raises


def test_symbols_that_became_multiples_are_followed() -> None:
    model = (torch.ones(8, 3), torch.ones(8, dtype=torch.int64))
    report = shapesolve.torch.check(Some(), model, {"x": {0: 4 * Dim("B")}, "mask": {0: Dim("K")}})
    assert report.exit_code == 0
