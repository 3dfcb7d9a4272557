"""Test that the verifier gives the same on symbols as on numbers, and the pages' pseudo-code as well."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import of_atom, variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import TRUE
from shapesolve.traits.inference_tables import (
    DYNAMIC,
    PAGE_CODE,
    UPSTREAM,
    TypeExtent,
    TypeShape,
    any_extent,
    infer_dim,
    shape_of_text,
    shape_text,
    static,
)
from shapesolve.traits.profiles import PROFILES
from shapesolve.traits.verifier import Effect, TypedValue, infer_result_shape, infer_shape, verify

Text = int | None  # an extent: a number, or None for `?`


def _infer_dim(dim0: Text, dim1: Text) -> Text:
    """The pseudo-code of the page by hand. Raises LookupError where no case matches, ValueError for an error."""
    match dim0, dim1:
        case (None, None) | (None, 1) | (1, 1):
            return dim0
        case (int(a), None | 1) if a > 1:
            return dim0
        case (None | 1, int(b)) if b > 1:
            return dim1
        case (1, None):
            return dim1
        case (int(a), int(b)) if a > 1 and b > 1:
            if a != b:
                raise ValueError
            return dim0
        case _:
            raise LookupError


def _extent(text: Text) -> TypeExtent:
    return DYNAMIC if text is None else static(text)


@pytest.mark.parametrize("pair", list(product((None, 0, 1, 2, 3), repeat=2)))
@pytest.mark.covers("trait.*.infer_dim")
def test_infer_dim_is_the_pseudo_code(pair: tuple[Text, Text]) -> None:
    inferred = infer_dim(_extent(pair[0]), _extent(pair[1]), PAGE_CODE)
    try:
        expected = _infer_dim(*pair)
    except LookupError:
        assert not inferred.covered
        return
    except ValueError:
        assert inferred.covered
        assert not inferred.fits
        return
    assert inferred.covered
    assert inferred.fits
    assert str(inferred.extent) == ("?" if expected is None else str(expected))


@pytest.mark.parametrize(
    ("operands", "result"),
    [("4 2x3x4", "2x3x4"), ("? 1", "?"), ("* 2x? ?x3", "2x3"), ("() ()", "()"), ("* *", "*"), ("?x1x3 2x1", "?x2x3")],
)
@pytest.mark.covers("trait.*.expand_rank")
@pytest.mark.covers("trait.*.infer_shape")
@pytest.mark.covers("trait.*.infer_result_shape")
@pytest.mark.covers("inference.from_traits")
def test_infer_result_shape(operands: str, result: str) -> None:
    inferred = infer_result_shape([shape_of_text(text) for text in operands.split()], UPSTREAM)
    assert shape_text(inferred.shape) == result
    assert inferred.fits is TRUE


def test_static_sizes_may_be_symbols() -> None:
    n = variable("n", 2)
    inferred = infer_shape((static(n), DYNAMIC), (static(1), static(n)), PAGE_CODE)
    assert inferred.shape is not None
    assert [extent.size for extent in inferred.shape] == [n, n] or all(e.size is n for e in inferred.shape)
    assert inferred.fits is TRUE


def test_extent_0_is_in_no_row_of_the_page() -> None:
    values = [TypedValue(shape_of_text(text)) for text in ("0", "1", "0")]
    broken = verify(values[:2], values[2:], PROFILES["page-today"].default).broken
    assert broken is not None
    assert (broken.clause, broken.effect) == ("C4", Effect.UNSPECIFIED)


def test_vectors_broadcast_on_the_pages_and_are_unchecked_in_mlir() -> None:
    vectors = [TypedValue(shape_of_text(text), "vector") for text in ("3", "2", "3")]
    mixed = [TypedValue(shape_of_text("3"), "vector"), TypedValue(shape_of_text("3"))]
    page, mlir = PROFILES["page-today"].default, PROFILES["mlir-22"].default
    assert [getattr(verify(vectors[:2], vectors[2:], rules).broken, "clause", "") for rules in (page, mlir)] == [
        "C5",
        "",
    ]
    assert [getattr(verify(mixed, mixed[:1], rules).broken, "clause", "") for rules in (page, mlir)] == ["", "C3"]
    assert "every version of MLIR refuses" in verify(mixed, mixed[:1], page).remarks[0]


EXTENTS = st.sampled_from((None, 0, 1, 2, 3))
SHAPES = st.lists(EXTENTS, max_size=2).map(tuple)


@examples(150)
@given(operands=st.lists(SHAPES, min_size=1, max_size=3), result=SHAPES, name=st.sampled_from(sorted(PROFILES)))
def test_symbols_say_what_numbers_say(operands: list[tuple[Text, ...]], result: tuple[Text, ...], name: str) -> None:
    """Types of symbols are verified first, and the symbols get their values afterwards."""
    sizes: dict[Variable, int] = {}

    def symbolic(texts: tuple[Text, ...], prefix: str) -> TypeShape:
        made: list[TypeExtent] = []
        for index, text in enumerate(texts):
            extent = any_extent(f"{prefix}{index}")
            flag = variable(f"{prefix}{index}.dynamic", 0, 1)
            sizes.update(dict.fromkeys(flag.variables, int(text is None)))
            sizes.update(dict.fromkeys(extent.size.variables, 7 if text is None else text))
            made.append(extent)
        return tuple(made)

    for profile in (PROFILES[name],):
        for rules in (profile.default, profile.rules_for("tosa.add"), profile.rules_for("tosa.mul")):
            numbers = [TypedValue(tuple(map(_extent, texts))) for texts in operands]
            symbols = [TypedValue(symbolic(texts, f"o{place}_")) for place, texts in enumerate(operands)]
            plain = verify(numbers, [TypedValue(tuple(map(_extent, result)))], rules)
            general = verify(symbols, [TypedValue(symbolic(result, "r"))], rules)
            assert holds(general.accepted, sizes) == (plain.broken is None)


def test_symbols_are_size_variables() -> None:
    assert isinstance(any_extent("d").size.atom, Variable)
    assert of_atom(Variable.of("d")) is any_extent("d").size
