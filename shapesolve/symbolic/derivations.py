"""Derivations: a record of how sizes, formulas and shapes were built, for proofs that do not rely on the normal forms.

A size knows only its normal form. While a record is kept, every operation that is called from outside the language (not
those that it calls itself) is recorded with its arguments and its result. Without a record arithmetic costs no more.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
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

Maker = int | tuple[int | None, ...] | None


@record
class DerivationStep:
    """One recorded operation.

    Attributes:
        operation: The name of the function.
        arguments: Its arguments, flattened.
        result: The term that it returned.
        built_by: The number of the earlier step that built each argument; None for one that no step built. For a shape
            of known rank, those of its extents, and last that of its validity.
    """

    operation: str
    arguments: tuple[Term, ...]
    result: Term
    built_by: tuple[Maker, ...]


class Record:
    """Derivation steps of one run, in order. It keeps its terms alive, so that no two of them share an identity.

    Two derivations of one normal form give one object. The record resolves by order which derivation a later use means:
    the arguments of an operation are taken, last first, from the terms built or read most recently. If it resolves to
    another derivation, that one leads to the same normal form.
    """

    def __init__(self) -> None:
        self.steps: list[DerivationStep] = []
        self._latest: dict[Term, int] = {}
        self._waiting: dict[Term, list[int | None]] = {}
        self._kept: dict[object, tuple[tuple[Term, int | None], ...]] = {}
        self._is_inside = False

    def begin(self) -> None:
        """Begin an operation of the program: its arguments do not resolve to steps waiting from earlier ones."""
        self._waiting.clear()

    def call(self, name: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """Call a function of the language, and record it unless the language itself calls it."""
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
        """Suspend recording inside the block."""
        before, self._is_inside = self._is_inside, True
        try:
            yield
        finally:
            self._is_inside = before

    def _add(self, name: str, arguments: tuple[Any, ...], result: Dim | Formula | Shape) -> None:
        flat = tuple(_flattened(arguments))
        makers = tuple(reversed([self._maker(each) for each in reversed(flat)]))
        self._waiting.setdefault(result, []).append(len(self.steps))
        if not result.is_leaf:
            self._latest[result] = len(self.steps)
        self.steps.append(DerivationStep(name, flat, result, makers))

    def _maker(self, term: Term) -> Maker:
        if isinstance(term, int) or not term.pieces:
            return self.step_of_next_use(term)
        return tuple(reversed([self.step_of_next_use(each) for each in reversed(term.pieces)]))

    def step_of_next_use(self, term: Term) -> int | None:
        """Return the step that built a term as it is used next."""
        waiting = self._waiting.get(term)
        if not waiting:
            return self.latest(term)
        return waiting.pop() if len(waiting) > 1 or (not isinstance(term, int) and term.is_truth_value) else waiting[0]

    def latest(self, term: Term) -> int | None:
        """Return the latest step that built a term; None for numbers, variables and truth values."""
        return None if isinstance(term, int) else self._latest.get(term)

    def keep(self, key: object, terms: Iterable[Term]) -> None:
        """Save which steps built the terms of a value."""
        self._kept[key] = tuple((term, (self._waiting.get(term) or [self.latest(term)])[-1]) for term in terms)

    def mark_as_read(self, key: object) -> None:
        """Mark the saved steps of a value's terms as read, so that the next uses resolve to them."""
        if self._is_inside:
            return
        for term, maker in reversed(self._kept.get(key, ())):
            self._waiting.setdefault(term, []).append(maker)


def _flattened(arguments: Iterable[Any]) -> Iterable[Term]:
    for each in arguments:
        if isinstance(each, tuple):
            yield from cast("tuple[Term, ...]", each)
        else:
            yield each


class _Current:
    record: Record | None = None  # one for the whole process, as the normal forms are


def recorded(prepare: Prepare | None = None, *, with_keywords: str = "") -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorate a function of the language so that a record holds its calls under its name.

    Args:
        prepare: Converts the positional arguments to ones that can be iterated twice.
        with_keywords: The name under which calls with keyword arguments are recorded.
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


_recorded_methods: dict[tuple[type, str], str] = {}


def record_methods(owner: type, names: Mapping[str, str]) -> None:
    """Have records hold the calls of some methods of a class, by the name of the method, under another name.

    The other methods of sizes and formulas are made of these and of recorded functions.
    """
    _recorded_methods.update({(owner, method): name for method, name in names.items()})


def begin() -> None:
    """Begin an operation of the program in the current record, if there is one."""
    if _Current.record is not None:
        _Current.record.begin()


def current() -> Record | None:
    """Return the current record, or None."""
    return _Current.record


def maker(formula: Formula) -> int | None:
    """Return the step that just built a formula, or None without a record."""
    record = _Current.record
    return None if record is None else record.step_of_next_use(formula)


@contextmanager
def unrecorded() -> Generator[None]:
    """Suspend recording inside the block: terms built there are known by their normal forms alone.

    A rule computes more than its results and claims; the terms that it reads for that must not resolve later uses.
    """
    record = _Current.record
    if record is None:
        yield
    else:
        with record.paused():
            yield


@contextmanager
def recording() -> Generator[Record]:
    """Keep a record inside the block. Only one at a time: the arithmetic of sizes is one for the whole process."""
    assert _Current.record is None, "a record is kept already"
    record = _Current.record = Record()
    plain = [(owner, method, getattr(owner, method)) for owner, method in _recorded_methods]
    for owner, method, function in plain:
        setattr(owner, method, _watched(record, _recorded_methods[owner, method], function))
    try:
        yield record
    finally:
        _Current.record = None
        for owner, method, function in plain:
            setattr(owner, method, function)


def _watched(record: Record, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        return record.call(name, method, arguments)

    return call
