"""Shared inputs of source and target: both programs are called with the same arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from shapesolve.domain.values import Abstract, Size, Tensor, Witness
from shapesolve.errors import InputError
from shapesolve.interpreter.inputs import Inputs
from shapesolve.ir.program import Function, ShapedType, Type, is_buffer
from shapesolve.records import record
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.dims import Dim, dim, floordiv, of_atom, variable
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import equal
from shapesolve.symbolic.shape_kinds import RankedShape, Shape, UnrankedShape
from shapesolve.symbolic.visitors import Instantiation
from shapesolve.trace.events import Fact, Origin, Source, Trace


class SignatureError(InputError):
    """Two functions that cannot be called with the same arguments, or do not return the same kinds of values."""


@record
class Entry:
    """A requirement of the target on the arguments.

    Attributes:
        holds: The condition.
        words: The condition in words.
        by_contract: Whether a contract states it, and not the argument types.
    """

    holds: Formula
    words: str
    by_contract: bool = False

    @property
    def requirement(self) -> str:
        """The requirement as a sentence."""
        return f"the target requires {self.words}" if self.by_contract else f"the target's type holds: {self.words}"

    @property
    def broken(self) -> str:
        """The reason why a call that violates the requirement is undefined."""
        return (
            f"at its entry: it requires {self.words}"
            if self.by_contract
            else (f"at its entry: its type says that {self.words}")
        )

    @property
    def because(self) -> str:
        """The origin of the requirement, once it is a fact."""
        return "the target's contract" if self.by_contract else "the target's argument type"


@record
class _Pair:
    """A size of the source's argument that has to equal one of the target's.

    Attributes:
        source: The source's size.
        theirs: The expression in the target's variables.
        words: The equation in words.
    """

    source: Dim
    target: Dim
    words: str


@record
class SharedInputs:
    """The target's inputs over the source's variables, and what its types require beyond the source's.

    Attributes:
        inputs: The inputs. Extents of out-parameters are variables of their own.
        entries: The requirements.
    """

    inputs: Inputs
    entries: tuple[Entry, ...]


@record
class OutParameter:
    """A buffer argument of the target into which it writes what the source returns.

    Attributes:
        argument: The position among the target's arguments.
    """

    argument: int


_WORDS = {"index", "i64"}
"""Types of numbers that are the same once `index` is lowered, with the 64 bits that are assumed of it."""

Returned = int | OutParameter
"""The place where the target leaves a result of the source: one of its results by position, or an out-parameter."""


def matched_results(source: Function, target: Function) -> tuple[Returned, ...]:
    """Require the same kinds of arguments and results; return where the target leaves each result of the source.

    Static and dynamic extents may differ; element types, ranks and counts may not. After bufferization, tensors of
    the source are buffers of the target; its shaped results may be additional buffer arguments at the end.

    Raises:
        SignatureError: They do not.
    """
    ours, theirs = ([each.type for each in function.arguments] for function in (source, target))
    added = theirs[len(ours) :]
    shaped = [isinstance(each, ShapedType) for each in source.result_types]
    is_moved = (
        bool(added)
        and len(added) == sum(shaped)
        and len(target.result_types) == len(shaped) - len(added)
        and all(_is_ranked_buffer(each) for each in added)
    )
    places: list[Returned] = list(range(len(source.result_types)))
    if is_moved:
        arguments, results = iter(range(len(ours), len(theirs))), iter(range(len(target.result_types)))
        places = [OutParameter(next(arguments)) if each else next(results) for each in shaped]
        theirs = theirs[: len(ours)]
    _require_same_count("argument", source, target, len(ours), len(theirs))
    _require_same_count(
        "result", source, target, len(shaped), len(target.result_types) + (len(added) if is_moved else 0)
    )
    for position, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        _require_same_kind(f"argument {position}", a, b, target)
        _require_layout(f"the target's type of argument {position}", "source", a, b, target)
    for position, (type, place) in enumerate(zip(source.result_types, places, strict=True)):
        _require_same_kind(f"result {position}", type, returned_type(target, place), target)
        given = returned_type(target, place)
        _require_layout(f"the source's type of result {position}", "target", given, type, target)
    return tuple(places)


def returned_type(target: Function, place: Returned) -> Type:
    """Return the type of what the target leaves at a place."""
    return target.arguments[place.argument].type if isinstance(place, OutParameter) else target.result_types[place]


def _require_same_count(word: str, source: Function, target: Function, ours: int, theirs: int) -> None:
    if ours != theirs:
        counts = f"@{source.name} has {_count(ours, word)}, @{target.name} has {theirs}"
        raise SignatureError(f"the signatures differ: {counts}", where=str(target.location))


def _require_same_kind(word: str, ours: Type, theirs: Type, target: Function) -> None:
    if not _same_kind(ours, theirs):
        kinds = f"{word} is {ours} in the source and {theirs} in the target"
        raise SignatureError(f"the signatures differ: {kinds}", where=str(target.location))


def _is_ranked_buffer(type: Type) -> bool:
    return isinstance(type, ShapedType) and type.container == "memref" and type.extents is not None


def _count(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _require_layout(asking: str, giving: str, given: Type, asked: Type, target: Function) -> None:
    """Require that a buffer of one type has the memory space, the strides and the offset that another type states.

    Args:
        asking: Which type it is that states them, in words.
        giving: The program of the other type.
    """
    if not is_buffer(given) or not is_buffer(asked):
        return
    assert isinstance(given, ShapedType) and isinstance(asked, ShapedType)
    words = ""
    if given.space != asked.space:
        words = f"{asking} states another memory space than the {giving}'s"
    elif given.places != asked.places:
        words = f"{asking} states another layout than the {giving}'s"
    elif not _has_layout(given.layout, asked.layout):
        words = f"{asking} states strides that the {giving}'s does not"
    if words:
        raise SignatureError(f"the signatures differ: {words}", where=str(target.location))


def _has_layout(given: tuple[int | None, ...] | None, asked: tuple[int | None, ...] | None) -> bool:
    if given == asked or (asked is not None and not any(each is not None for each in asked)):
        return True
    if asked is None or given is None:
        return False
    return all(b is None or a == b for a, b in zip(given, asked, strict=True))


def _same_kind(a: Type, b: Type) -> bool:
    if not isinstance(a, ShapedType) or not isinstance(b, ShapedType):
        return str(a) == str(b) or {str(a), str(b)} == _WORDS
    if str(a.element) != str(b.element):
        return False
    if a.container != b.container and (a.container, b.container) != ("tensor", "memref"):
        return False
    return a.extents is None or b.extents is None or len(a.extents) == len(b.extents)


def shared_inputs(source: Inputs, target: Inputs) -> SharedInputs:
    """Return the target's inputs over the source's variables."""
    sizes: dict[Variable, Dim] = {}
    shapes: dict[Variable, Shape] = {}
    values: list[Abstract] = []
    entries: list[_Pair] = []
    for position, (ours, theirs) in enumerate(zip(source.values, target.values, strict=False)):
        matching = _Matching(target.function.arguments[position].name, sizes, shapes, entries)
        values.append(matching.value(ours, theirs))
    for each in _variables(target):
        if each not in sizes and each not in shapes and not isinstance(each, ShapeSymbol):
            sizes[each] = variable(f"target:{each.name}", each.lower, each.upper)
    renamed = _Renaming(sizes, shapes)
    out = [_renamed_buffer(each, renamed) for each in target.values[len(source.values) :]]
    # What the target requires is not assumed: it has to follow from what the source does.
    required = [
        (fact, fact.statement)
        for fact in target.facts
        if fact.statement is not None and fact.statement.origin is Origin.REQUIREMENT
    ]
    assumed = set(target.facts).difference(fact for fact, _ in required)
    facts = tuple(_renamed_fact(fact, renamed) for fact in target.facts if fact in assumed)
    demanded = [Entry(equal(each.source, renamed.size(each.target)), each.words) for each in entries]
    demanded += [Entry(renamed.formula(fact.formula), statement.text, True) for fact, statement in required]
    return SharedInputs(
        replace(
            target,
            values=(*values, *out),
            variables=tuple(dict.fromkeys((*source.variables, *chain.from_iterable(map(_extent_variables, out))))),
            facts=facts,
        ),
        tuple(each for each in demanded if each.holds is not TRUE),
    )


def _renamed_buffer(value: Abstract, renamed: Instantiation) -> Tensor:
    assert isinstance(value, Tensor) and isinstance(value.shape, RankedShape)
    return Tensor.of(map(renamed.size, value.shape.dims))


def _extent_variables(buffer: Tensor) -> list[Variable]:
    assert isinstance(buffer.shape, RankedShape)
    return [each.atom for each in buffer.shape.dims if isinstance(each.atom, Variable)]


def out_parameter_facts(source: Trace, buffers: Iterable[tuple[int, Abstract]]) -> Iterator[Fact]:
    """Yield the extents of out-parameters where the source returns: the caller passes buffers of its results' sizes.

    Static extents are no facts: they have to be those of the results.

    Args:
        buffers: The out-parameters, by the result that each one takes.
    """
    for position, value in buffers:
        result = None if source.results is None else source.results[position]
        if not isinstance(result, Tensor) or not isinstance(value, Tensor):
            continue
        a, b = result.shape, value.shape
        if not isinstance(a, RankedShape) or not isinstance(b, RankedShape) or len(a.dims) != len(b.dims):
            continue
        because = f"the caller passes a buffer of the size of result {position}"
        for ours, theirs in zip(a.dims, b.dims, strict=True):
            if not theirs.is_constant:
                yield Fact(equal(ours, theirs), Source.ASSUMPTION, because)


def _variables(inputs: Inputs) -> frozenset[Variable]:
    return frozenset(inputs.variables).union(*(fact.formula.variables for fact in inputs.facts))


def _renamed_fact(fact: Fact, renamed: Instantiation) -> Fact:
    because = f"the target's {fact.because}" if fact.source is Source.ASSUMPTION else fact.because
    return Fact(renamed.formula(fact.formula), fact.source, because, fact.location)


class _Renaming(Instantiation):
    """Replaces the target's variables, including shapes of unknown rank by shapes of unknown rank."""

    def __init__(self, sizes: dict[Variable, Dim], shapes: dict[Variable, Shape]) -> None:
        super().__init__(sizes)
        self._any_shapes = shapes

    def unranked(self, symbol: UnrankedShape) -> Shape:
        return self._any_shapes.get(symbol.symbol, symbol)


class _Matching:
    """Matches one argument: the target's variables become the source's expressions."""

    def __init__(
        self, name: str, sizes: dict[Variable, Dim], shapes: dict[Variable, Shape], entries: list[_Pair]
    ) -> None:
        self._name = name
        self._sizes = sizes
        self._shapes = shapes
        self._entries = entries

    def value(self, ours: Abstract, theirs: Abstract) -> Abstract:
        """Return the argument as the target knows it."""
        match ours, theirs:
            case Tensor(), Tensor():
                return self._tensor(ours, theirs)
            case Shape(), Shape():
                return self._shape(ours, theirs)
            case Dim(), Dim():
                return self._size(ours, theirs, "its value")
            case Size(), Size():
                self._size(ours.value, theirs.value, "its value")
                return ours
            case (Formula(), Formula()) | (Witness(), Witness()):
                for a, b in zip(_variables_of(ours), _variables_of(theirs), strict=True):
                    self._sizes[b] = of_atom(a)
                return ours
            case _:
                return theirs

    def _tensor(self, ours: Tensor, theirs: Tensor) -> Tensor:
        shape = self._shape(ours.shape, theirs.shape)
        elements = theirs.elements
        if ours.elements is not None and theirs.elements is not None and len(ours.elements) == len(theirs.elements):
            for a, b in zip(ours.elements, theirs.elements, strict=True):
                for x, y in zip(_variables_of(a), _variables_of(b), strict=True):
                    self._sizes[y] = of_atom(x)
            elements = ours.elements
        elif elements is not None:  # the source does not know how many there are
            for number, each in enumerate(elements):
                for y in _variables_of(each):
                    self._sizes[y] = variable(f"target:{self._name}.{number}", y.lower, y.upper)
            elements = None
        spelled = ours if theirs.spells is not None else Tensor(shape)
        return Tensor(shape, elements, spelled.spells, signs=spelled.signs)

    def _shape(self, ours: Shape, theirs: Shape) -> Shape:
        if isinstance(theirs, UnrankedShape):
            self._shapes[theirs.symbol] = ours
            return ours
        if isinstance(theirs, RankedShape) and not isinstance(ours, RankedShape):
            rank = len(theirs.dims)
            self._entries.append(_Pair(ours.rank, dim(rank), f"the rank of {self._name} is {rank}"))
            columns = tuple(ours.column(rank - 1 - index) for index in range(rank))
            return RankedShape.of(
                self._size(a, b, f"extent {i}") for i, (a, b) in enumerate(zip(columns, theirs.dims, strict=True))
            )
        if isinstance(theirs, RankedShape) and isinstance(ours, RankedShape):
            pairs = enumerate(zip(ours.dims, theirs.dims, strict=True))
            return RankedShape.of(self._size(a, b, f"extent {index}") for index, (a, b) in pairs)
        return ours

    def _size(self, ours: Dim, theirs: Dim, part: str) -> Dim:
        atom = theirs.atom
        if isinstance(atom, Variable) and atom not in self._sizes:
            self._sizes[atom] = ours
            return ours
        if theirs.is_constant and ours.is_constant and theirs.constant == ours.constant:
            return ours
        solved = _solved(ours, theirs)
        if solved is not None and solved[0] not in self._sizes:
            self._sizes[solved[0]] = solved[1]
            return ours
        self._entries.append(_Pair(ours, theirs, f"{part} of {self._name} is {theirs}"))
        return dim(theirs.constant) if theirs.is_constant else ours


def _solved(ours: Dim, theirs: Dim) -> tuple[Variable, Dim] | None:
    """Solve for the one variable of ``theirs``, as in ``2*s + 1``; None if some sizes have no solution."""
    if len(theirs.terms) != 1 or len(theirs.variables) != 1:
        return None
    (one,), (_, factor) = theirs.variables, theirs.terms[0]
    if theirs is not of_atom(one) * factor + theirs.constant:
        return None
    found = floordiv(ours - theirs.constant, factor)
    return (one, found) if found * factor + theirs.constant is ours else None


def _variables_of(value: Abstract) -> list[Variable]:
    found = value.passing.variables if isinstance(value, Witness) else frozenset[Variable]()
    if isinstance(value, Dim | Formula):
        found = value.variables
    return sorted(found, key=lambda each: each.text)
