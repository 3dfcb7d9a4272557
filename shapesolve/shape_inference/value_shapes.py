"""Shapes of the values of a function, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from shapesolve.domain.values import Abstract, Size, Tensor, element_lists, validity
from shapesolve.ir.program import Function, Location, Operation, ScalarType, Value
from shapesolve.preconditions.functions import argument_name
from shapesolve.records import value_record
from shapesolve.shape_inference.known_extents import Inferred, KnownExtent, is_open
from shapesolve.simplification.element_names import number_with_element_names
from shapesolve.simplification.quotient_sums import shortest_sum_text
from shapesolve.simplification.readable import readable_claim
from shapesolve.solver.entailment import entails
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, And, Formula, Or
from shapesolve.symbolic.formulas import disjunction, equal, negation
from shapesolve.symbolic.integer_lists import IntegerList
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.trace.events import Fact, Trace


@value_record
class ValueShape:
    """Shape of one value.

    Attributes:
        name: Its name.
        type: Its type.
        op: The operation that makes it; "" for an argument.
        location: Where it is made.
        shape: Its shape or number, as text.
        known: Its extents that are proved constant.
    """

    name: str
    type: str
    op: str
    location: Location
    shape: str
    known: tuple[KnownExtent, ...] = ()

    def __repr__(self) -> str:
        return f"<ValueShape {self.location}: {self.name}: {self.shape}>"


def value_shapes(inferred: Inferred) -> list[ValueShape]:
    """Return the values of a function that have a shape or are a size, in program order."""
    function = inferred.trace.function
    texts = _ConditionalShapes(inferred)
    found = [_shape_of(inferred, texts, each, "", function.location) for each in function.arguments]
    for op in function.operation.walk():
        found += [_shape_of(inferred, texts, each, op.name, op.location) for each in op.results]
    return [each for each in found if each is not None]


def _shape_of(
    inferred: Inferred, texts: _ConditionalShapes, value: Value, op: str, location: Location
) -> ValueShape | None:
    abstract = inferred.trace.values.get(value)
    text = None if abstract is None else texts.text(value, abstract)
    if text is None:
        return None
    known = tuple(each for each in inferred.known.get(value, ()) if is_open(value, each.position))
    return ValueShape(value.name, str(value.type), op, location, text, known)


class _ConditionalShapes:
    """Shapes that facts state under a condition: ``[2, 3] where q[0] == 2 and p[1] == 3``."""

    def __init__(self, inferred: Inferred) -> None:
        trace = inferred.trace
        self._inferred = inferred
        self._lists = _element_lists(trace)
        self._makers = _first_makers(trace)
        self._facts = [each.formula for each in trace.events if isinstance(each, Fact) and isinstance(each.formula, Or)]
        self._never: dict[Formula, bool] = {TRUE: False, FALSE: True}

    def text(self, value: Value, abstract: Abstract) -> str | None:
        """Return the shape or number of a value as text; None if it has none."""
        if self._is_error(validity(abstract)):
            return "invalid"
        conditional = self._conditional(abstract) if isinstance(abstract, RankedShape) else None
        return conditional or abstract_text(value, abstract, self._inferred.extents.get(value), self._lists)

    def _is_error(self, valid: Formula) -> bool:
        """Return whether what is no error under this condition is one for all admitted sizes."""
        if valid not in self._never:
            self._never[valid] = entails(negation(valid), [each.formula for each in self._inferred.trace.assumptions])
        return self._never[valid]

    def _conditional(self, shape: RankedShape) -> str | None:
        """Return the shape in extents of the operands with the condition under which a fact states it, or None."""
        op = self._makers.get(shape)
        if op is None or not shape.dims or any(each.is_constant for each in shape.dims):
            return None
        operands = [self._inferred.trace.values.get(each) for each in op.operands]
        shapes = [each for each in operands if isinstance(each, RankedShape) and len(each.dims) == len(shape.dims)]
        for fact in self._facts:
            for conclusion in fact.parts:
                stated = set(conclusion.parts) if isinstance(conclusion, And) else {conclusion}
                extents = [
                    next((each for each in (other.dims[at] for other in shapes) if equal(extent, each) in stated), None)
                    for at, extent in enumerate(shape.dims)
                ]
                if all(each is not None for each in extents):
                    premise = negation(disjunction(each for each in fact.parts if each is not conclusion))
                    return self._under(f"[{', '.join(map(str, extents))}]", premise)
        return None

    def _under(self, text: str, premise: Formula) -> str:
        known = [each.formula for each in self._inferred.trace.assumptions]
        return text if entails(premise, known) else f"{text} where {readable_claim(premise)}"


def _first_makers(trace: Trace) -> dict[RankedShape, Operation]:
    """Return the first operation with each shape as a result; others pass it on."""
    found: dict[RankedShape, Operation] = {}
    for op in trace.function.operation.walk():
        for result in op.results:
            shape = trace.values.get(result)
            # What runs inside an operation makes what that one returns.
            if isinstance(shape, RankedShape) and not any(region.blocks for region in op.regions):
                found.setdefault(shape, op)
    return found


def _element_lists(trace: Trace) -> dict[str, IntegerList]:
    """Return the arguments that are index tensors of unknown length, by the names of their elements."""
    named = [(argument_name(trace.function, index), value) for index, value in enumerate(trace.inputs)]
    tensors = [(name, value) for name, value in named if isinstance(value, Tensor)]
    return {each: held for name, value in tensors for each, held in element_lists(name, value).items()}


def abstract_text(
    value: Value,
    abstract: Abstract,
    extents: Sequence[Dim] | None = None,
    lists: Mapping[str, IntegerList] = MappingProxyType({}),
) -> str | None:
    """Return the shape or number of a value in terms of the inputs; None if it has none.

    Args:
        abstract: What is known of it.
        extents: Its extents, if more is known of them than its shape says.
        lists: The arguments whose elements have names, by the names of their elements, as ``s.values``.
    """
    if isinstance(value.type, ScalarType) and (value.type.is_boolean or value.type.kind == "float"):
        return None
    match abstract:
        case Tensor():
            known = abstract.shape if extents is None else RankedShape.of(extents, abstract.shape.valid)
            return _shape_text(known, lists)
        case Shape():
            return _shape_text(abstract, lists)
        case Size():
            return _size_text(abstract, lists)
        case Dim():
            return _sum_text(abstract, lists)
        case _:
            return None


def _sum_text(size: Dim, lists: Mapping[str, IntegerList]) -> str:
    return shortest_sum_text(number_with_element_names(size, lists))


def _list_text(sizes: Sequence[Dim], lists: Mapping[str, IntegerList]) -> str:
    return f"[{', '.join(_sum_text(each, lists) for each in sizes)}]"


def _size_text(size: Size, lists: Mapping[str, IntegerList]) -> str:
    if size.valid is TRUE:
        return _sum_text(size.value, lists)
    value = _sum_text(size.value, lists)
    return "invalid" if size.valid is FALSE else f"{value} (invalid where {readable_claim(negation(size.valid))})"


def _shape_text(shape: Shape, lists: Mapping[str, IntegerList]) -> str:
    if shape.valid is FALSE:
        return "invalid"
    text = _list_text(shape.dims, lists) if isinstance(shape, RankedShape) else str(shape)
    return text if shape.valid is TRUE else f"{text} where {readable_claim(shape.valid)}"


def result_shapes(inferred: Inferred) -> list[str]:
    """Return the shapes of the results, ``?`` where nothing is known."""
    function = inferred.trace.function
    if inferred.trace.results is None:
        return ["?"] * len(function.result_types)
    end, texts = _end(function), _ConditionalShapes(inferred)
    shown: list[str] = []
    for index, abstract in enumerate(inferred.trace.results):
        value = end[index] if index < len(end) else None
        text = None if value is None else texts.text(value, abstract)
        shown.append(text if text is not None else "?")
    return shown


def _end(function: Function) -> tuple[Value, ...]:
    if function.body is None or len(function.body.blocks) != 1:
        return ()
    operations = function.body.blocks[0].operations
    return operations[-1].operands if operations else ()
