"""Loss of static shapes by a shape function, decided at small ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from shapesolve.domain.fresh_variables import FreshVariables, variables_of
from shapesolve.domain.values import Abstract, Tensor, Unmodeled
from shapesolve.ir.program import SHAPE_TYPE, SHAPE_TYPES, Attribute, ShapedType, Type
from shapesolve.shape_functions.argument_passing import is_extent_tensor
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import FALSE
from shapesolve.symbolic.shape_kinds import RankedShape

if TYPE_CHECKING:
    from shapesolve.shape_functions.shape_function import ShapeFunction

_RANKS = (2, 1, 3, 4, 0, 5, 6, 7, 8)
"""The ranks of an operand, and lengths of a list, that are tried; the last ones only where operands are few."""

_MAX_COMBINATIONS = 128

_SIZES = (2, 1)
"""The extents at which a function is asked that is not followed for all."""


def can_lose_static_shapes(function: ShapeFunction, types: Sequence[Type]) -> bool:
    """Return whether a result may have unknown extents although those of all operands are known.

    That is so where it depends on numbers or on contents. A function that fails for all ranks that are tried is said to
    lose them, too.

    Args:
        types: The types of the arguments that take operands.
    """
    named = {
        name: argument.type
        for argument, name in zip(function.function.arguments, function.attributes, strict=True)
        if name
    }
    ranks_of, values_of = [_ranks(each) for each in types], [_attributes(each) for each in named.values()]
    while prod(map(len, (*ranks_of, *values_of))) > _MAX_COMBINATIONS:
        most = max(map(len, (*ranks_of, *values_of))) - 1
        ranks_of, values_of = [each[:most] for each in ranks_of], [each[:most] for each in values_of]
    is_known: bool | None = None
    for ranks in product(*ranks_of):
        for given in product(*values_of):
            attributes: dict[str, Attribute] = dict(zip(named, given, strict=True))
            answer = _is_known(function, types, ranks, attributes)
            if answer is False:
                return True
            is_known = is_known or answer
    return not is_known


def _is_known(
    function: ShapeFunction,
    types: Sequence[Type],
    ranks: Sequence[int],
    attributes: Mapping[str, Attribute],
    extent: int | None = None,
) -> bool | None:
    """Return whether the extents of operands of these ranks determine all results; None where the function fails.

    ``extent`` is that of all of them; None for any.
    """
    unknowns, known = FreshVariables(), set[Variable]()
    operands = [_operand(type, rank, extent, unknowns, known) for type, rank in zip(types, ranks, strict=True)]
    applied = function.applied(operands, attributes, unknowns)
    if any(claim.formula is FALSE for claim in applied.claims):
        return None
    is_followed = not any(isinstance(each, Unmodeled) for each in applied.results)
    if is_followed and all(variables_of(each) <= known for each in applied.results):
        return True
    if extent is not None or (is_followed and not applied.approximations):
        return False
    answers = (_is_known(function, types, ranks, attributes, size) for size in _SIZES)
    return next((each for each in answers if each is not None), None)


def _operand(type: Type, rank: int, extent: int | None, unknowns: FreshVariables, known: set[Variable]) -> Abstract:
    """Return an operand of this rank with unknown contents; ``known`` gets the variables of its extents."""
    if isinstance(type, ShapedType) and is_extent_tensor(type):
        return Tensor.of([rank], tuple(unknowns.size("element", None, None) for _ in range(rank)))
    if not isinstance(type, ShapedType) and str(type) not in SHAPE_TYPES:
        return unknowns.of_type(type, "number", contents=True, errors=False)
    stated = type.extents if isinstance(type, ShapedType) else None
    extents: list[Dim] = []
    for number in stated or (None,) * rank:
        given = extent if number is None else number
        extents.append(unknowns.size("extent") if given is None else dim(given))
    known.update(*(each.variables for each in extents))
    return RankedShape.of(extents) if str(type) == SHAPE_TYPE else Tensor.of(extents)


def _ranks(type: Type) -> Sequence[int]:
    """Return the ranks of an operand that are tried; of one that holds extents, how many it holds."""
    if isinstance(type, ShapedType) and type.extents is not None:
        return _lengths(type) if is_extent_tensor(type) else (len(type.extents),)
    return _RANKS if isinstance(type, ShapedType) or str(type) in SHAPE_TYPES else (0,)


def _attributes(type: Type) -> Sequence[Attribute]:
    """Return the values of an attribute that are tried."""
    lengths = _lengths(type) if isinstance(type, ShapedType) and is_extent_tensor(type) else _RANKS
    is_list = isinstance(type, ShapedType) or str(type) == SHAPE_TYPE
    return tuple((1,) * length for length in lengths) if is_list else (1, 0)


def _lengths(type: ShapedType) -> Sequence[int]:
    """Return how many extents a tensor of one dimension may hold."""
    return [extent for extent in type.extents or () if extent is not None] or _RANKS
