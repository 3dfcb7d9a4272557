"""Contracts in the words of PyTorch and JAX mean the contract: by brute force over small sizes, read by stand-ins."""

from __future__ import annotations

import ast
import operator
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from support.small_contracts import small
from support.small_programs import PROGRAMS

from shapesolve import contract
from shapesolve.contracts.contract import FunctionContract
from shapesolve.diagnosis.frameworks import jax_contract, torch_contract
from shapesolve.domain.values import Tensor
from shapesolve.reports.jax_contract import jax_lines
from shapesolve.reports.torch_contract import python_claim, torch_lines
from shapesolve.simplification.affine import affine_sizes
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope
from shapesolve.symbolic.shape_kinds import RankedShape

EXAMPLES = Path(__file__).parents[2] / "examples"
MOST = {1: 12, 2: 7, 3: 6, 4: 4}


def vectors(found: FunctionContract, least: int) -> list[dict[Variable, int]]:
    """Small sizes, and contents and numbers that may be negative."""
    variables = found.report.trace.input_variables
    ranges = [range(least if v.lower == 0 else -2, MOST.get(len(variables), 2) + 1) for v in variables]
    return [dict(zip(variables, chosen, strict=True)) for chosen in product(*ranges)]


def is_met(found: FunctionContract, sizes: Mapping[Variable, int]) -> bool:
    return all(holds(each.formula, sizes) for each in found.conditions)


# PyTorch -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StandInDim:
    """``factor * name + offset``, as ``torch.export.Dim`` has it."""

    name: str
    min: int = 0
    max: int = 2**63
    factor: int = 1
    offset: int = 0

    def __rmul__(self, factor: int) -> StandInDim:
        assert factor > 0
        return StandInDim(self.name, self.min, self.max, factor * self.factor, factor * self.offset)

    def __add__(self, offset: int) -> StandInDim:
        return StandInDim(self.name, self.min, self.max, self.factor, self.offset + offset)

    def __sub__(self, offset: int) -> StandInDim:
        return self + -offset


class Failed(Exception):
    """``torch._check`` failed."""


def check(condition: bool) -> None:
    if not condition:
        raise Failed


def run_for_torch(lines: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    torch, export = ModuleType("torch"), ModuleType("torch.export")
    vars(torch).update(_check=check, sym_max=max, sym_min=min, sym_not=operator.not_, export=export)
    vars(export)["Dim"] = StandInDim
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "torch.export", export)
    names: dict[str, Any] = {}
    text = "\n".join(["import torch", "from torch.export import Dim", *lines])
    exec(compile(text, "contract.py", "exec"), names)
    return names


def fits(shapes: Mapping[str, Mapping[int, StandInDim | int]], arguments: Mapping[str, Any]) -> bool:
    """Return whether there are sizes behind the Dims that give the arguments' extents."""
    roots: dict[str, int] = {}
    for name, extents in shapes.items():
        for number, wanted in (extents or {}).items():
            extent = arguments[name].shape[number]
            if isinstance(wanted, int):
                if extent != wanted:
                    return False
                continue
            root, rest = divmod(extent - wanted.offset, wanted.factor)
            if rest or not wanted.min <= root <= wanted.max or roots.setdefault(wanted.name, root) != root:
                return False
    return True


def tensor(value: Tensor, sizes: Mapping[Variable, int]) -> Any:
    assert isinstance(value.shape, RankedShape)
    held = [evaluate(each, sizes) for each in value.elements or () if hasattr(each, "terms")]  # pyright: ignore
    flat = [SimpleNamespace(item=lambda number=number: number) for number in held]
    return SimpleNamespace(shape=[evaluate(each, sizes) for each in value.shape.dims], flatten=lambda: flat)


def passes(checks: Callable[..., None] | None, arguments: Mapping[str, Any]) -> bool:
    try:
        if checks is not None:
            checks(*arguments.values())
    except Failed:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_dims_and_checks_admit_exactly_what_the_contract_does(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = small(name)
    lines = torch_lines(torch_contract(found))
    names = run_for_torch(lines, monkeypatch)
    shapes: dict[str, Any] = next((value for key, value in names.items() if key.endswith("_dynamic_shapes")), {})
    checks = next((value for key, value in names.items() if key.endswith("_checks")), None)
    unsaid = any("not said" in line for line in lines)
    for sizes in vectors(found, 0):
        values = found.report.trace.inputs
        arguments = {
            name: tensor(value, sizes) if isinstance(value, Tensor) else evaluate(value, sizes)  # pyright: ignore
            for name, value in zip(shapes, values, strict=True)
        }
        admitted = fits(shapes, arguments) and passes(checks, arguments)
        assert admitted == is_met(found, sizes) or (unsaid and admitted), (sizes, lines)


@pytest.mark.slow
def test_few_conditions_have_no_torch_check() -> None:
    unsaid = [name for name in PROGRAMS if any("not said" in line for line in torch_lines(torch_contract(small(name))))]
    assert len(unsaid) <= 3, unsaid


def test_the_unet_is_multiples() -> None:
    (found,) = contract(EXAMPLES / "unet.mlir", shapes=["arg0=[N, 1, H, W]"], assume=["H <= 512", "N >= 1"]).functions
    assert torch_lines(torch_contract(found))[3:] == [
        'N = Dim("N", min=1)',
        '_H = Dim("_H", max=128)',
        '_W = Dim("_W")',
        "forward_dynamic_shapes = {",
        '    "arg0": {0: N, 2: 4*_H, 3: 4*_W},',
        "}",
        "# The Dims say all of it.",
    ]


CONDITIONS = [
    ["a % 4 == 0", "a % 6 == 0"],
    ["a % 4 == 2", "b == 2*a + 1"],
    ["3*a == 2*b", "b <= 10"],
    ["a == b + 2", "b == c + 1", "c % 3 == 1"],
    ["a == b", "a % 2 == 0", "b % 3 == 0", "b >= 5", "a <= 14"],
    ["a + b == 7", "c == 3", "c >= 2"],
    ["2*a + 1 == b", "b % 3 == 0", "b <= 15"],
    ["a % 4 == 1", "a % 2 == 0"],
    ["a == b", "b == a", "a != 0"],
    ["a >= 3 and b <= 4 and a % 2 == 0"],
    ["a*b <= 9", "a == 2*c", "c == b or c == 1"],
    ["a >= 4", "a <= 4", "b == 3*a"],
    ["a <= 3", "a >= 5"],
]


@pytest.mark.parametrize("texts", CONDITIONS, ids=" and ".join)
def test_sizes_of_few_others_and_inexpressible_ones_mean_the_conditions(texts: Sequence[str]) -> None:
    scope = Scope.free()
    conditions = [parse_formula(each, scope) for each in texts]
    variables = sorted({v for each in conditions for v in each.variables}, key=lambda each: each.text)
    found = affine_sizes(variables, conditions)
    for chosen in product(range(13), repeat=len(variables)):
        sizes = dict(zip(variables, chosen, strict=True))
        shapes = {"x": {number: stand_in(found.sizes[v]) for number, v in enumerate(variables)}}
        there = fits(shapes, {"x": SimpleNamespace(shape=chosen)}) and all(
            holds(each, sizes) for each in found.inexpressible
        )
        assert there == all(holds(each, sizes) for each in conditions), (sizes, found)


def stand_in(affine: Any) -> StandInDim | int:
    if affine.root is None:
        return affine.offset
    upper = 2**63 if affine.root.upper is None else affine.root.upper
    # The identity of a root, not its name: that is made unique when it is printed.
    return StandInDim(str(id(affine.root)), affine.root.lower, upper, affine.factor, affine.offset)


@pytest.mark.parametrize(
    "text",
    [
        "a*b - 2*(a - b) <= 7",
        "ceildiv(a, 3)*2 == b",
        "-a // 2 == -b or not (a == 1) and b == 2",
        "a < b <= 4",
        "min(a, b, 3) == max(a, 1)",
        "a**2 == b -> b % 3 == 1",
        "compatible(a, b)",
        "compatible(a, b, 3)",
        "ceildiv(a, 2)**2 == b",
    ],
)
def test_a_claim_in_python_means_the_same(text: str) -> None:
    scope = Scope.free()
    formula: Formula = parse_formula(text, scope)
    written = python_claim(text, lambda part: part.word)
    assert written is not None
    torch = SimpleNamespace(sym_max=max, sym_min=min, sym_not=operator.not_)
    variables = sorted(formula.variables, key=lambda each: each.text)
    for chosen in product(range(8), repeat=len(variables)):
        sizes = dict(zip(variables, chosen, strict=True))
        names = {each.name: size for each, size in sizes.items()}
        assert bool(eval(written, {"torch": torch, **names})) == holds(formula, sizes), written


@pytest.mark.parametrize(
    "text", ["a // b == 1", "broadcastable([a], [b])", "rank(a) == 2", "select(a == 1, b, a) == 2"]
)
def test_conditions_without_a_python_form_are_left_out(text: str) -> None:
    assert python_claim(text, lambda part: part.word) is None


def test_a_division_by_a_size_is_stated_behind_a_check_that_it_is_positive() -> None:
    text = """
func.func @f(%x: tensor<?xf32>, %h: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %p = arith.cmpi sge, %h, %c1 : index
  cf.assert %p, "heads"
  %r = arith.remui %d, %h : index
  %q = arith.cmpi eq, %r, %c0 : index
  cf.assert %q, "equal parts"
  return %r : index
}"""
    (function,) = contract(text).functions
    assert torch_lines(torch_contract(function))[-2:] == [
        "    torch._check(h >= 1)",
        "    torch._check(x.shape[0] % h == 0)",
    ]


def test_nothing_is_claimed_of_dims_where_no_condition_was_found() -> None:
    text = 'func.func @f(%x: f32) {\n %p = arith.cmpf oeq, %x, %x : f32\n cf.assert %p, "a number"\n return\n}'
    (function,) = contract(text).functions
    assert not any("The Dims say all of it" in line for line in torch_lines(torch_contract(function)))


# JAX -----------------------------------------------------------------------------------------------------------------


def for_jax(found: FunctionContract) -> tuple[tuple[str | None, ...], tuple[str, ...], bool]:
    lines = jax_lines(jax_contract(found))
    names: dict[str, Any] = {}
    for statement in ast.parse("\n".join(lines)).body:
        assert isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
        names[statement.targets[0].id.rpartition("_")[2]] = ast.literal_eval(statement.value)
    return names.get("shapes", ()), names.get("constraints", ()), any("not said" in line for line in lines)


def meaning(text: str, names: Mapping[str, int]) -> Any:
    words = {"mod": lambda a, b: a % b, "floordiv": lambda a, b: a // b, "max": max, "min": min}  # pyright: ignore
    return eval(text.replace("^", "**"), {**words, **names})


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_constraints_admit_exactly_what_the_contract_does(name: str) -> None:
    found = small(name, 1)
    shapes, constraints, unsaid = for_jax(found)
    for sizes in vectors(found, 1):
        names: dict[str, int] = {}
        for value, text in zip(found.report.trace.inputs, shapes, strict=bool(shapes)):
            if text is not None:
                assert isinstance(value, Tensor) and isinstance(value.shape, RankedShape)
                for extent, word in zip(value.shape.dims, filter(None, text.split(", ")), strict=True):
                    names[word] = evaluate(extent, sizes)
        admitted = all(meaning(each, names) for each in constraints)
        assert admitted == is_met(found, sizes) or (unsaid and admitted), (sizes, constraints)


def test_constraints_of_the_unet() -> None:
    (found,) = contract(EXAMPLES / "unet.mlir", shapes=["arg0=[N, 1, H, W]"], min_size=1).functions
    assert for_jax(found) == (("N, 1, H, W",), ("mod(H, 4) == 0", "mod(W, 4) == 0"), False)


@pytest.mark.frontends
@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_jax_accepts_the_contract(name: str) -> None:
    export = pytest.importorskip("jax.export")
    shapes, constraints, _ = for_jax(small(name, 1))
    scope = export.SymbolicScope(constraints)
    for each in filter(None, shapes):
        assert "_" not in each.split(", ")
        export.symbolic_shape(each, scope=scope)


@pytest.mark.frontends
def test_pytorch_accepts_the_contract() -> None:
    torch = pytest.importorskip("torch")
    (found,) = contract(EXAMPLES / "unet.mlir", shapes=["arg0=[N, 1, H, W]"], assume=["H <= 512"]).functions
    names: dict[str, Any] = {"torch": torch, "Dim": torch.export.Dim}
    exec("\n".join(torch_lines(torch_contract(found))), names)

    class Halves(torch.nn.Module):
        def forward(self, arg0: Any) -> Any:
            return arg0.view(-1, 4)

    shapes = names["forward_dynamic_shapes"]
    program = torch.export.export(Halves(), (torch.zeros(2, 1, 8, 8),), dynamic_shapes=shapes)
    assert (
        max(int(each.upper) for each in program.range_constraints.values() if each.is_int and each.upper < 2**40) == 512
    )


# What follows from the rest is not said again ------------------------------------------------------------------------

ADDED = """func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>) {
  %0 = stablehlo.add %x, %y : tensor<?xf32>
  return
}"""
KNOWN = ("z[0] >= x[0] + 1", "z[0] >= x[0]", "z[0]*x[0] >= x[0]", "x[0] >= 2", "z[0] + y[0] >= 3")


def test_checks_are_what_nothing_else_says() -> None:
    (found,) = contract(ADDED, assume=KNOWN).functions
    checks = [each.strip() for each in torch_lines(torch_contract(found)) if "_check(" in each]
    assert checks == ["torch._check(z.shape[0] > x.shape[0])"]


def test_constraints_are_what_nothing_else_says_and_the_bounds_of_sizes() -> None:
    (found,) = contract(ADDED, assume=KNOWN).functions
    constraints = [each.strip(' ",') for each in jax_lines(jax_contract(found)) if ">=" in each or "==" in each]
    assert [each for each in constraints if not each.startswith("#")] == ["z_0 >= x_0 + 1", "x_0 >= 2", "x_0 == y_0"]
