"""PyTorch's guards as text of the size language."""

from __future__ import annotations

import math

import pytest

from shapesolve.preconditions.python_guards import extent_of, guard_text, identifier, normalized_claims
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope


def extent(name: str, dimension: int) -> str | None:
    return {("x", 0): "B", ("x", 1): "T", ("cache_k_0", 2): "T + 1"}.get((name, dimension))


@pytest.mark.parametrize(
    ("guard", "text"),
    [
        ("L['x'].size()[1] == ((-1) + L['cache']['k'][0].size()[2])", "T == ((-1) + (T + 1))"),
        ("2 <= L['x'].size()[0] <= 64", "2 <= B and B <= 64"),
        ("L['x'].size()[0] % 8 == 0", "(B % 8) == 0"),
        ("L['x'].size()[0] // 2 != 1 or not L['x'].size()[1] < 3", "((B // 2) != 1) or (not (T < 3))"),
        ("max(L['x'].size()[0], 3) > 1", "max(B, 3) > 1"),
        ("-L['x'].size()[0] < 0", "(0 - B) < 0"),
        ("torch.sym_max(0, (-1) + L['x'].size()[1]) != 1", "max(0, ((-1) + T)) != 1"),
        ("2*torch.sym_min(L['x'].size()[0], 3) == 6", "(2 * min(B, 3)) == 6"),
        ("torch.sym_sum(L['x'].size()[0], 3) == 6", None),
        ("math.trunc(0.5*torch.sym_float(L['x'].size()[0])) == 1", "((1*B) // 2) == 1"),
        ("math.ceil(torch.sym_float(L['cache']['k'][0].size()[2])*1.5) == 1", "((3*(T + 1) + 1) // 2) == 1"),
        ("math.trunc(0.1*torch.sym_float(L['x'].size()[0])) == 1", None),
        ("math.trunc(0.5*torch.sym_float((-1) + L['x'].size()[0])) == 1", None),
        ("math.trunc((-0.5)*torch.sym_float(L['x'].size()[0])) == 1", None),
        ("L['x'].stride()[0] == 1", None),
        ("L['z'].size()[0] == 1", None),
        ("2 - L['x'].size()[0] ** 2 == 4", "(2 - (B*B)) == 4"),
        ("L['x'].size()[0] ** 99 == 4", None),
        ("L['x'].size()[0] == True", None),
        ("__import__('os').system('true') == 0", None),
        ("L['x'].size()[0] ==", None),
    ],
)
def test_a_python_guard_is_read_as_a_claim(guard: str, text: str | None) -> None:
    assert guard_text(guard, extent) == text


@pytest.mark.parametrize("size", range(12))
def test_a_guard_means_what_python_means(size: int) -> None:
    guard = "2 * (L['x'].size()[0] // 3) - 1 <= L['x'].size()[0] % 4 and not L['x'].size()[0] == 5"
    text = guard_text(guard, extent)
    assert text is not None
    scope = Scope.free()
    formula = parse_formula(text, scope)
    (variable,) = formula.variables
    assert holds(formula, {variable: size}) is (2 * (size // 3) - 1 <= size % 4 and size != 5)


@pytest.mark.slow
@pytest.mark.parametrize("size", range(9))
@pytest.mark.parametrize("factor", [0.25, 0.5, 1.5, 2.0, 0.75])
@pytest.mark.parametrize("word", ["trunc", "floor", "ceil"])
def test_a_rounded_product_is_what_python_makes_of_it(word: str, factor: float, size: int) -> None:
    text = guard_text(f"math.{word}({factor}*torch.sym_float(L['x'].size()[0])) == L['x'].size()[1]", extent)
    assert text is not None
    formula = parse_formula(text, Scope.free())
    expected = getattr(math, word)(factor * float(size))
    found = [
        made
        for made in range(20)
        if holds(formula, {each: {"B": size, "T": made}[each.name] for each in formula.variables})
    ]
    assert found == [expected]


def test_identifier_makes_a_name_of_any_text() -> None:
    assert identifier("B") == "B"
    assert identifier("2 tokens") == "_2_tokens"
    assert identifier("max") == "max_"
    assert identifier("T", frozenset(["T"])) == "T_"


def test_extent_of_reads_a_source_of_torch_or_gives_none() -> None:
    assert extent_of("L['x'].size()[1]") == ("x", 1)
    assert extent_of("L['args'][0]['k'].size()[2]") == ("args_0_k", 2)
    assert extent_of("L['x'].stride()[1]") is None
    assert extent_of("][") is None


def test_a_claim_whose_normal_form_is_too_long_stays_as_it_is() -> None:
    """Image sizes of a window attention gave such a guard, which could not be read again."""
    places = " + ".join(f"some{number} // {number + 2}" for number in range(9))
    text = "*".join([f"({places})"] * 3) + " >= 1"
    assert normalized_claims([text, text]) == (text,)
    parse_formula(text, Scope.free())
