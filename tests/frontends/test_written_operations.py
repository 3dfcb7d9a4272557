"""Test of operations that PyTorch's export decomposes into more permissive ones: checked as the model states them."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import shapesolve
from shapesolve.options import Options
from shapesolve.solver.verdicts import Proved, Refuted
from shapesolve.symbolic.evaluation import holds

torch: Any = pytest.importorskip("torch")

pytestmark = [pytest.mark.slow, pytest.mark.frontends]


class Changed(torch.nn.Module):
    """Adds or copies rows to places that the model states."""

    def __init__(self, operation: str, places: tuple[int, ...]) -> None:
        super().__init__()
        self.operation, self.places = operation, places

    def forward(self, x: Any, rows: Any) -> Any:
        return getattr(x, self.operation)(0, torch.tensor(self.places), rows)


def verdicts(model: Any) -> dict[str, set[type]]:
    dims = {0: torch.export.Dim("N", max=9)}
    program = torch.export.export(
        model, (torch.zeros(5, 3), torch.zeros(len(model.places), 3)), dynamic_shapes={"x": dims, "rows": None}
    )
    report = shapesolve.torch.check(program, options=Options(level="torch", execute=False))
    found: dict[str, set[type]] = {}
    for each in report.checked_obligations:
        if each.obligation.op.name == "torch.aten.index_put":
            found.setdefault(each.obligation.clause, set()).add(type(each.verdict))
    return found


def operations(report: Any) -> list[Any]:
    return [each.obligation.op for each in report.checked_obligations]


def returns(call: Any) -> bool:
    try:
        call()
    except Exception:
        return False
    return True


@pytest.mark.parametrize("operation", ["index_add", "index_copy"])
def test_a_negative_place_is_refused_as_pytorch_refuses_it(operation: str) -> None:
    assert not returns(lambda: Changed(operation, (-1, 0))(torch.zeros(5, 3), torch.ones(2, 3)))
    assert verdicts(Changed(operation, (-1, 0)))["C9"] == {Refuted}
    assert Refuted not in verdicts(Changed(operation, (1, 0)))["C3"]


def test_index_add_does_not_broadcast() -> None:
    for extents in product((1, 2, 3), repeat=2):
        model = Changed("index_add", (0, 1))
        fits = returns(lambda: model(torch.zeros(5, 3), torch.ones(extents)))  # noqa: B023
        assert fits == (extents == (2, 3))
    assert verdicts(Changed("index_add", (0, 1)))["C3"] == {Proved}


class Sampled(torch.nn.Module):
    """Reads an image at places that it computes."""

    def __init__(self, mode: str) -> None:
        super().__init__()
        self.mode = mode

    def forward(self, image: Any, boxes: Any) -> Any:
        step = torch.linspace(-1, 1, 4)
        x = (boxes[:, 0, None] + step * boxes[:, 2, None])[:, None].expand(-1, 4, 4)
        y = (boxes[:, 1, None] + step * boxes[:, 3, None])[:, :, None].expand(-1, 4, 4)
        grid = torch.stack((x, y), -1)
        return torch.nn.functional.grid_sample(image, grid, mode=self.mode, align_corners=False)


@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
def test_places_of_a_grid_are_no_demand_on_data(mode: str) -> None:
    """PyTorch takes any number for a place; its decomposition reads the image by an index."""
    n, inputs = torch.export.Dim("N", max=9), (torch.zeros(2, 3, 8, 9), torch.full((2, 4), torch.inf))
    shapes = {"image": {0: n, 2: torch.export.Dim.AUTO}, "boxes": {0: n}}
    assert returns(lambda: Sampled(mode)(*inputs))
    program = torch.export.export(Sampled(mode), inputs, dynamic_shapes=shapes)
    report = shapesolve.torch.check(program, options=Options(level="torch", execute=False))
    assert report.exit_code == 0 and report.count(Proved) == len(report.checked_obligations) > 0
    assert "torch.aten.grid_sampler" in {each.name.removesuffix("_2d") for each in operations(report)}


class Chunked(torch.nn.Module):
    """Splits one dimension into several."""

    def __init__(self, at: int, sizes: tuple[int, ...]) -> None:
        super().__init__()
        self.at, self.sizes = at, sizes

    def forward(self, x: Any) -> Any:
        return x.unflatten(self.at, [size or x.shape[self.at] // 4 for size in self.sizes])


@pytest.mark.parametrize(("at", "sizes"), [(1, (0, 4)), (1, (4, -1)), (0, (0, 4)), (2, (2, -1)), (1, (1, 0, 2, 2))])
def test_a_dimension_is_split_whatever_the_others_are(at: int, sizes: tuple[int, ...]) -> None:
    """PyTorch refuses it for an empty batch, too, of which a view with as many elements says nothing."""
    auto, model = torch.export.Dim.DYNAMIC, Chunked(at, sizes)
    program = torch.export.export(model, (torch.zeros(8, 12, 6),), dynamic_shapes=({0: auto, 1: auto, 2: auto},))
    report = shapesolve.torch.check(program, options=Options(level="torch", execute=False, distrust=True))
    (claim,) = [each.obligation.claim for each in report.checked_obligations if each.obligation.clause == "C2"]
    for extents in product((0, 1, 2, 3, 4, 6, 8), repeat=3):
        sizes_there = {each: extents[int(each.text[-1])] for each in claim.variables}  # x_0, x_1, x_2
        ends = returns(lambda: model(torch.zeros(extents)))  # noqa: B023
        assert holds(claim, sizes_there) == ends, extents


class Bordered(torch.nn.Module):
    """Puts elements of a tensor around it."""

    def __init__(self, mode: str, spatial: int) -> None:
        super().__init__()
        self.mode, self.padding = mode, (3, 2) * spatial

    def forward(self, x: Any) -> Any:
        return torch.nn.functional.pad(x, self.padding, mode=self.mode)


@pytest.mark.parametrize(("mode", "spatial"), [*product(("reflect", "replicate"), (1, 2, 3))])
def test_what_is_mirrored_is_smaller_than_the_extent(mode: str, spatial: int) -> None:
    """PyTorch's decomposition mirrors more than once, and reads the tensor in its bounds then."""
    dynamic, model = dict.fromkeys((0, *range(2, spatial + 2)), torch.export.Dim.DYNAMIC), Bordered(mode, spatial)
    program = torch.export.export(model, (torch.zeros(2, 3, *[9] * spatial),), dynamic_shapes=(dynamic,))
    report = shapesolve.torch.check(program, options=Options(level="torch", execute=False, distrust=True))
    claims = [each.obligation.claim for each in report.checked_obligations]
    kind = {"reflect": "reflection", "replicate": "replication"}[mode]
    assert any(kind in each.name for each in operations(report))
    for extents in product((0, 1, 2, 3, 4, 5) if spatial < 3 else (2, 3, 4), repeat=spatial):
        places = {str(at): extent for at, extent in enumerate((2, 3, *extents))} | dict(
            zip("HW", extents, strict=False)
        )
        sizes_there = {each: places[each.text[-1]] for claim in claims for each in claim.variables}  # x_2, x_H
        ends = returns(lambda: model(torch.zeros(2, 3, *extents)))  # noqa: B023
        assert all(holds(claim, sizes_there) for claim in claims) == ends, extents
