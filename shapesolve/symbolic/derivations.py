"""A record of how sizes, formulas and shapes were built, for proofs that do not lean on the normal forms.

A size knows only its normal form. While a record is kept, every operation that is asked for from outside the language
(not those that it asks of itself) is written down with its arguments and its result. Nothing is kept otherwise, and
arithmetic costs nothing more.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from functools import partial, wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from shapesolve.records import record

if TYPE_CHECKING:
    from shapesolve.symbolic.dims import Dim
    from shapesolve.symbolic.formula_kinds import Formula
    from shapesolve.symbolic.shape_kinds import Shape

    Term = Dim | Formula | Shape | int

P = ParamSpec("P")
T = TypeVar("T")
Prepare = Callable[..., "tuple[Any, ...]"]

ARITHMETIC = {"__add__": "add", "__sub__": "sub", "__mul__": "mul", "__neg__": "neg"}
"""The methods of Dim that are recorded; the others are made of these and of recorded functions."""


Maker = int | tuple[int | None, ...] | None


@record
class DerivationStep:
    """One operation. ``made_by`` says for every argument which earlier step made it; None for what no step made.

    Of a shape of known rank it says that of the extents and of the condition under which the shape is valid.
    """

    operation: str
    arguments: tuple[Term, ...]
    result: Term
    made_by: tuple[Maker, ...]


class Record:
    """The steps of one run, in order. It keeps what it mentions alive, so that no two things share an identity.

    Two ways to one normal form give one object. Which of them is meant where it is used next is told from the order: an
    operation's arguments are taken, last first, from what was made or read latest. Where that is not the way that was
    meant, it is another way to the same normal form.
    """

    def __init__(self) -> None:
        self.steps: list[DerivationStep] = []
        self._latest: dict[Term, int] = {}
        self._waiting: dict[Term, list[int | None]] = {}
        self._kept: dict[object, tuple[tuple[Term, int | None], ...]] = {}
        self._is_inside = False

    def begin(self) -> None:
        """An operation of the program begins: what was made before belongs to others."""
        self._waiting.clear()

    def call(self, name: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """Call a function of the language and record it, unless the language itself asks."""
        if self._is_inside:
            return function(*arguments)
        self._is_inside = True
        try:
            result = function(*arguments)
        finally:
            self._is_inside = False
        self._add(name, arguments, result)
        return result

    @contextmanager
    def paused(self) -> Generator[None]:
        """Meanwhile nothing is written down."""
        before, self._is_inside = self._is_inside, True
        try:
            yield
        finally:
            self._is_inside = before

    def _add(self, name: str, arguments: tuple[Any, ...], result: Term) -> None:
        flat = tuple(_flattened(arguments))
        makers = tuple(reversed([self._maker(each) for each in reversed(flat)]))
        self._waiting.setdefault(result, []).append(len(self.steps))
        if not _is_plain(result):
            self._latest[result] = len(self.steps)
        self.steps.append(DerivationStep(name, flat, result, makers))

    def _maker(self, term: Term) -> Maker:
        from shapesolve.symbolic.shape_kinds import RankedShape

        if isinstance(term, RankedShape):
            return tuple(reversed([self.claimed(each) for each in (term.valid, *reversed(term.dims))]))
        return self.claimed(term)

    def claimed(self, term: Term) -> int | None:
        """The step that made a term as it is used next."""
        waiting = self._waiting.get(term)
        if not waiting:
            return self.latest(term)
        return waiting.pop() if len(waiting) > 1 or _is_truth_value(term) else waiting[0]

    def latest(self, term: Term) -> int | None:
        """The latest step that made a term; None for numbers, variables and truth values, which are made everywhere."""
        return None if isinstance(term, int) else self._latest.get(term)

    def keep(self, key: object, terms: Iterable[Term]) -> None:
        """Remember how the terms of a value were made."""
        self._kept[key] = tuple((term, (self._waiting.get(term) or [self.latest(term)])[-1]) for term in terms)

    def recall(self, key: object) -> None:
        """The terms of a value are read, and are what they were when it was kept."""
        if self._is_inside:
            return
        for term, maker in reversed(self._kept.get(key, ())):
            self._waiting.setdefault(term, []).append(maker)


def _is_truth_value(term: Term) -> bool:
    from shapesolve.symbolic.formula_kinds import FALSE, TRUE

    return term is TRUE or term is FALSE


def _is_plain(term: Term) -> bool:
    from shapesolve.symbolic.atoms import Variable
    from shapesolve.symbolic.dims import Dim

    return _is_truth_value(term) or (isinstance(term, Dim) and (term.is_constant or isinstance(term.atom, Variable)))


def _flattened(arguments: Iterable[Any]) -> Iterable[Term]:
    for each in arguments:
        if isinstance(each, tuple):
            yield from cast("tuple[Term, ...]", each)
        else:
            yield each


class _Current:
    record: Record | None = None  # one for the whole process, as the normal forms are


def recorded(prepare: Prepare | None = None, *, with_keywords: str = "") -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Make a function of the language one that a record writes down under its name.

    ``prepare`` makes the positional arguments such as can be looked at twice. ``with_keywords`` is the name where
    arguments are given that have no position.
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        name = function.__name__

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> T:
            record = _Current.record
            if record is None:
                return function(*args, **kwargs)
            given = signature(function).bind(*args, **kwargs)
            arguments = given.args if prepare is None else prepare(*given.args)
            if given.kwargs:
                return record.call(with_keywords, partial(function, **given.kwargs), arguments)
            return record.call(name, function, arguments)

        return call

    return decorate


def begin() -> None:
    """Tell the record, if there is one, that an operation of the program begins."""
    if _Current.record is not None:
        _Current.record.begin()


def current() -> Record | None:
    """The record that is kept, if one is."""
    return _Current.record


def maker(formula: Formula) -> int | None:
    """The step that made a formula just now; None where no record is kept."""
    record = _Current.record
    return None if record is None else record.claimed(formula)


@contextmanager
def unrecorded() -> Generator[None]:
    """Meanwhile nothing is written down: what is made is known by its normal form alone.

    For what a rule says besides its results and claims: what it reads for that must not count as read for those.
    """
    record = _Current.record
    if record is None:
        yield
    else:
        with record.paused():
            yield


@contextmanager
def recording() -> Generator[Record]:
    """Keep a record meanwhile. One at a time: the arithmetic of sizes is one for the whole process."""
    from shapesolve.symbolic.dims import Dim
    from shapesolve.symbolic.formula_kinds import Formula

    assert _Current.record is None, "a record is kept already"
    record = _Current.record = Record()
    plain: list[tuple[type, str, Any]] = [(Dim, name, getattr(Dim, name)) for name in ARITHMETIC]
    plain.append((Formula, "__invert__", Formula.__invert__))
    for owner, name, method in plain:
        setattr(owner, name, _watched(record, ARITHMETIC.get(name, "negation"), method))
    try:
        yield record
    finally:
        _Current.record = None
        for owner, name, method in plain:
            setattr(owner, name, method)


def _watched(record: Record, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        return record.call(name, method, arguments)

    return call
