"""Bounds that are stated of all elements of an integer tensor: ``0 <= ids.values < n``.

Elements of large tensors have no variables of their own, so what is stated of all of them is kept as an interval, whose
ends may be sizes. Of a tensor whose elements have variables, the claim is stated of each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shapesolve.domain.fresh_variables import integer_range
from shapesolve.domain.values import Abstract, IntegerInterval, Tensor
from shapesolve.errors import InputError
from shapesolve.ir.program import Function, ScalarType, ShapedType
from shapesolve.preconditions.functions import argument_name, position_called
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim, of_atom, variable
from shapesolve.symbolic.formula_kinds import Formula, IsNonNegative, IsZero
from shapesolve.symbolic.formulas import at_least, conjunction, conjuncts, implies
from shapesolve.symbolic.normal_forms import maximum, minimum
from shapesolve.symbolic.parser import names_in, parse_formula
from shapesolve.symbolic.scope import Scope
from shapesolve.symbolic.segments import number_of_elements
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.symbolic.visitors import With

CONTENTS = ".values"
"""Suffix of the name of an argument that stands for each of its elements."""


class ElementBounds:
    """Statements about all elements of the arguments of a function.

    Args:
        function: The function.
        values: Its arguments.
        sizes: The names that the user gave to sizes.
    """

    def __init__(self, function: Function, values: Sequence[Abstract], sizes: Mapping[str, Dim]) -> None:
        self._function = function
        self._values = values
        self._lows: dict[int, list[Dim]] = {}
        self._highs: dict[int, list[Dim]] = {}
        self._sizes = sizes

    def stated(self, text: str, scope: Scope, error: InputError) -> Formula:
        """Keep the bounds that a claim states, and return what else it states.

        Args:
            text: The claim.
            scope: The names that it may use beside those of elements.
            error: Why it is no claim on sizes alone.

        Raises:
            InputError: The claim speaks of no elements, or not only of their bounds.
        """
        names = (name.removeprefix("%") for name in names_in(text))
        named = {name: at for name in names if (at := self._tensor_of(name)) is not None}
        if not named:
            raise error
        elements = {at: self._element(at) for at in named.values()}
        formula = parse_formula(text, scope.with_sizes({name: of_atom(elements[at]) for name, at in named.items()}))
        return conjunction(self._remaining(part, elements, text) for part in conjuncts(formula))

    def _tensor_of(self, name: str) -> int | None:
        """Return the position of the tensor of integers whose elements a name stands for, or None."""
        owner = name.removesuffix(CONTENTS)
        position = None if owner in ("", name) or owner in self._sizes else position_called(self._function, owner)
        return position if position is not None and _holds_integers(self._function, self._values, position) else None

    def _element(self, position: int) -> Variable:
        type = self._function.arguments[position].type
        assert isinstance(type, ShapedType)
        name = argument_name(self._function, position) + CONTENTS
        atom = variable(name, *integer_range(type.element)).atom
        assert isinstance(atom, Variable)
        return atom

    def _remaining(self, part: Formula, elements: Mapping[int, Variable], text: str) -> Formula:
        """Keep the bound that one part of a claim is, and return the part if it is none, or stated of each element."""
        positions = [position for position, element in elements.items() if element in part.variables]
        if not positions:
            return part
        if len(positions) == 1:
            (position,) = positions
            value, element = self._values[position], elements[position]
            assert isinstance(value, Tensor)
            if value.elements is not None:
                each = (number for number in value.elements if isinstance(number, Dim))
                return conjunction(With(element, number).formula(part) for number in each)
            if self._keep(position, part, element):
                return conjunction(())
        name = elements[positions[0]].name
        raise InputError(f"of all elements only bounds can be assumed, such as `0 <= {name} < n`: {text}")

    def _keep(self, position: int, part: Formula, element: Variable) -> bool:
        if not isinstance(part, IsNonNegative | IsZero):
            return False
        size = part.size
        factor = next((factor for monomial, factor in size.terms if monomial.single is element), 0)
        rest = size - of_atom(element) * factor
        if abs(factor) != 1 or element in rest.variables:
            return False
        end = rest * -factor
        if isinstance(part, IsZero) or factor > 0:
            self._lows.setdefault(position, []).append(end)
        if isinstance(part, IsZero) or factor < 0:
            self._highs.setdefault(position, []).append(end)
        return True

    def bounded(self) -> tuple[tuple[Abstract, ...], Formula]:
        """Return the arguments with these bounds, and that there are integers between them where there are elements."""
        values, facts = list(self._values), list[Formula]()
        for position in dict.fromkeys((*self._lows, *self._highs)):
            value, type = values[position], self._function.arguments[position].type
            assert isinstance(value, Tensor) and isinstance(type, ShapedType)
            least, most = integer_range(type.element)
            low = maximum(*self._lows.get(position, [dim(least)]))
            high = minimum(*self._highs.get(position, [dim(most)]))
            values[position] = replace(value, between=IntegerInterval(low, high))
            facts.append(implies(_has_elements(value), at_least(high, low)))
        return tuple(values), conjunction(facts)


def _holds_integers(function: Function, values: Sequence[Abstract], position: int) -> bool:
    type, value = function.arguments[position].type, values[position]
    if not isinstance(type, ShapedType) or type.container != "tensor" or not isinstance(value, Tensor):
        return False
    element = type.element
    is_integer = isinstance(element, ScalarType) and element.kind == "integer" and not element.is_boolean
    return is_integer and not str(element).startswith("ui") and value.spells is None


def _has_elements(value: Tensor) -> Formula:
    if isinstance(value.shape, RankedShape):
        return conjunction(at_least(extent, 1) for extent in value.shape.dims)
    return at_least(number_of_elements(value.shape), 1)
