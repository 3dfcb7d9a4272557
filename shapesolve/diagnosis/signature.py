"""Signatures of functions: ``(a: [M, K], b: [K, N]) -> [M, N]``, with the equalities of a contract written in.

Equal extents share a letter, or the name that the user gave one of them; an extent that an equality defines is its
constant or its sum. Every other condition is kept, in the same letters. No solver is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from shapesolve.domain.values import Abstract, Tensor
from shapesolve.ir.program import ShapedType, Type
from shapesolve.preconditions.functions import bare_name
from shapesolve.records import value_record
from shapesolve.simplification.empty_tensors import unless_empty
from shapesolve.simplification.quotient_sums import shortest_sum_text
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.dims import Dim, of_atom
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula, IsZero
from shapesolve.symbolic.formulas import conjuncts
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.symbolic.visitors import Instantiation
from shapesolve.trace.events import Source, Trace

LETTERS = ("M", "K", "N", "P", "Q", "R", "S", "T", "U", "V", "W")
UNKNOWN = "?"


@value_record
class SignatureValue:
    """Argument or result in a signature.

    Attributes:
        text: Its extents, ``[M, K]``; of a value without a shape, its type.
        type: Its type; of a tensor or a buffer, the type of its elements.
        extents: Its extents in the letters of the signature, `UNKNOWN` where no expression is known; None for a value
            without a shape, or of unknown rank.
        name: The name of an argument, "" for a result.
        is_shaped: Whether it is a tensor or a buffer.
    """

    text: str
    type: str
    extents: tuple[str, ...] | None = None
    name: str = ""
    is_shaped: bool = True


@value_record
class Signature:
    """Signature of a function.

    Attributes:
        text: The extents of the arguments and results: ``(a: [M, K], b: [K, N]) -> [M, N]``.
        arguments, results: The same, one by one.
        conditions: The other conditions on the same letters, as text.
        equalities: Number of equalities that the text states by a repeated letter, a constant or a sum.
        excludes_empty: Whether it leaves out calls that are safe because some size is 0.
    """

    text: str
    arguments: tuple[SignatureValue, ...] = ()
    results: tuple[SignatureValue, ...] = ()
    conditions: tuple[str, ...] = ()
    equalities: int = 0
    excludes_empty: bool = False


def signature(trace: Trace, conditions: Iterable[Formula]) -> Signature | None:
    """Return the signature of a function under conditions on its inputs, or None if no sizes satisfy them.

    Args:
        trace: The function; equalities among the stated assumptions are written in as well.
        conditions: The conditions; the case of empty tensors is left out of them where it can be told apart.
    """
    definitions = _Definitions(trace.inputs)
    remaining: list[Formula] = []
    excludes_empty = False
    for assumption in trace.assumptions:
        for part in conjuncts(assumption.formula) if assumption.source is Source.ASSUMPTION else ():
            definitions.define(part)
    for condition in conditions:
        split = unless_empty(condition)
        excludes_empty |= split is not None
        for part in conjuncts(condition if split is None else split.sufficient):
            if not definitions.define(part):
                remaining.append(part)
    if definitions.contradictory:
        return None
    own_names = [bare_name(trace.function, index).upper() for index in range(len(trace.function.arguments))]
    names = definitions.named([each.variables for each in remaining], own_names)
    texts = dict.fromkeys(str(formula) for each in remaining if (formula := names.formula(each)) is not TRUE)
    if str(FALSE) in texts:
        return None
    function, known = trace.function, trace.input_variables
    arguments = tuple(
        _value(value.type, abstract, names, known, bare_name(function, index))
        for index, (value, abstract) in enumerate(zip(function.arguments, trace.inputs, strict=True))
    )
    results = tuple(
        _value(type, abstract, names, known)
        for type, abstract in zip(
            function.result_types, trace.results or (None,) * len(function.result_types), strict=True
        )
    )
    return Signature(
        text=f"({', '.join(f'{each.name}: {each.text}' for each in arguments)}){_results_text(results)}",
        arguments=arguments,
        results=results,
        conditions=tuple(texts),
        equalities=definitions.equalities,
        excludes_empty=excludes_empty,
    )


class _Definitions:
    """Extents of the arguments as expressions in other extents, found by solving equalities."""

    def __init__(self, inputs: Sequence[Abstract]) -> None:
        extents = [size for each in inputs for size in _extents(each) or ()]
        variables = dict.fromkeys(variable for size in extents for variable in sorted(size.variables, key=str))
        self._order = {each: place for place, each in enumerate(variables)}
        self._extents = {size.atom for size in extents if isinstance(size.atom, Variable)}
        self._values: dict[Variable, Dim] = {}
        self.contradictory = False
        self.equalities = 0

    def define(self, condition: Formula) -> bool:
        """Write an equality into the extents; return False if it has no form as an extent."""
        condition = Instantiation(self._values).formula(condition)
        self.contradictory |= condition is FALSE
        if condition is TRUE:
            return True
        if not isinstance(condition, IsZero):
            return False
        solutions = [each for each in self._solutions(condition.size) if each[0] in self._extents]
        if not solutions:
            return False
        variable, value = max(solutions, key=lambda each: (not _is_users_own(each[0]), self._order[each[0]]))
        renaming = Instantiation({variable: value})
        self._values = {each: renaming.size(old) for each, old in self._values.items()} | {variable: value}
        self.equalities += 1
        return True

    def _solutions(self, size: Dim) -> Iterator[tuple[Variable, Dim]]:
        """Yield each variable with its value where the size is 0, if that is a sum without subtraction."""
        for monomial, coefficient in size.terms:
            variable = monomial.single
            if not isinstance(variable, Variable) or isinstance(variable, ShapeSymbol) or abs(coefficient) != 1:
                continue
            value = of_atom(variable) - size if coefficient == 1 else of_atom(variable) + size
            is_sum = value.constant >= 0 and all(number > 0 for _, number in value.terms)
            if is_sum and variable not in value.variables:
                yield variable, value

    def named(self, others: Iterable[Iterable[Variable]], reserved: Iterable[str]) -> Instantiation:
        """Return the renaming of all extents: letters that are not reserved, the user's own names, constants, sums."""
        left = [each for each in self._order if each not in self._values]
        taken = {each.name for each in self._order} | {each.name for group in others for each in group}
        taken.update(reserved)
        letters = (letter for letter in _letters() if letter not in taken)
        new = {
            each: of_atom(each if _is_users_own(each) else Variable.of(next(letters), each.lower, each.upper))
            for each in left
            if each in self._extents
        }
        renaming = Instantiation(new)
        return Instantiation(new | {each: renaming.size(value) for each, value in self._values.items()})


def _is_users_own(variable: Variable) -> bool:
    """Return whether a size has a name of its own, unlike ``a[0]``."""
    return variable.name.isidentifier()


def _letters() -> Iterator[str]:
    yield from LETTERS
    for number in count(1):
        yield from (f"{letter}{number}" for letter in LETTERS)


def _extents(abstract: Abstract) -> tuple[Dim, ...] | None:
    """Return the extents of a value of known rank; None if it has no shape, or one of unknown rank."""
    shape = abstract.shape if isinstance(abstract, Tensor) else abstract
    return shape.dims if isinstance(shape, RankedShape) else None


def _results_text(results: Sequence[SignatureValue]) -> str:
    if not results:
        return ""
    joined = ", ".join(each.text for each in results)
    return f" -> {joined}" if len(results) == 1 else f" -> ({joined})"


def _value(
    type: Type, abstract: Abstract | None, names: Instantiation, known: Iterable[Variable], name: str = ""
) -> SignatureValue:
    if not isinstance(type, ShapedType):
        return SignatureValue(str(type), str(type), None, name, is_shaped=False)
    extents, inputs = None if abstract is None else _extents(abstract), set(known)
    texts = None if extents is None else tuple(_extent_text(each, names, inputs) for each in extents)
    return SignatureValue(_shape_text(abstract, names, known), str(type.element), texts, name)


def _extent_text(extent: Dim, names: Instantiation, known: set[Variable]) -> str:
    return shortest_sum_text(names.size(extent)) if extent.variables <= known else UNKNOWN


def _shape_text(abstract: Abstract | None, names: Instantiation, known: Iterable[Variable]) -> str:
    extents = None if abstract is None else _extents(abstract)
    if extents is None:
        shape = abstract.shape if isinstance(abstract, Tensor) else abstract
        return str(shape) if isinstance(shape, Shape) and shape.variables <= set(known) else UNKNOWN
    inputs = set(known)
    return f"[{', '.join(_extent_text(each, names, inputs) for each in extents)}]"
