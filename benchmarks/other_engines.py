"""Other engines, called as anybody would call them: a new solver for each question, their own division, ten seconds.

What an engine answers is checked: sizes count where they really break the goal.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any

from plain_terms import Words, names
from questions_from_laws import PlainQuestion

SECONDS = 10

Answer = str | Mapping[str, int] | None
"""``valid`` (also for facts that contradict each other), sizes that break the goal, or None for not knowing."""


class NotOfferedError(Exception):
    """The engine has no words for a question."""


class BySmt:
    """z3, or cvc5 through the interface that looks like z3's."""

    def __init__(self, module: Any, limit: Callable[[Any], None]) -> None:
        self._module = module
        self._limit = limit

    def __call__(self, question: PlainQuestion) -> Answer:
        """Return whether the facts and the negated goal have a model."""
        module = self._module
        used = names(question.goal, *question.facts)
        terms: dict[str, Any] = {name: module.Int(name) for name in used}
        words = _smt_words(module, terms)
        solver = module.Solver()
        self._limit(solver)
        solver.add(*(each >= 0 for each in terms.values()))
        solver.add(*(words.say(fact) for fact in question.facts))
        solver.add(module.Not(words.say(question.goal)))
        answer = str(solver.check())
        if answer == "unsat":
            return "valid"
        if answer != "sat":
            return None
        model = solver.model()
        return {name: _number(model, each) for name, each in terms.items()}


def _number(model: Any, each: Any) -> int:
    try:
        return int(str(model[each]))
    except (KeyError, TypeError, ValueError):
        return 0


def _smt_words(module: Any, terms: Mapping[str, Any]) -> Words:
    binary: dict[str, Callable[[Any, Any], Any]] = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "//": lambda a, b: a / b,
        "%": lambda a, b: a % b,
        "==": lambda a, b: a == b,
        "!=": lambda a, b: a != b,
        "<=": lambda a, b: a <= b,
        "<": lambda a, b: a < b,
    }
    return Words(
        module.IntVal,
        lambda name: terms[name],
        binary,
        module.If,
        lambda parts: module.And(*parts),
        lambda parts: module.Or(*parts),
    )


def plain_z3() -> BySmt:
    """z3 without any preparation."""
    import z3

    def limit(solver: Any) -> None:
        solver.set(timeout=SECONDS * 1000)

    return BySmt(z3, limit)


def plain_cvc5() -> BySmt:
    """cvc5 without any preparation."""
    import cvc5.pythonic as cvc5

    def limit(solver: Any) -> None:
        solver.setOption("tlimit-per", SECONDS * 1000)

    return BySmt(cvc5, limit)


# sympy -----------------------------------------------------------------------------------------------------------


def by_sympy(question: PlainQuestion) -> Answer:
    """sympy simplifies the difference of both sides; facts can only be lower bounds of sizes."""
    import sympy

    unchecked: Any = sympy
    bounds = dict.fromkeys(names(question.goal, *question.facts), 0)
    for fact in question.facts:
        if fact.kind != "<=" or fact.parts[0].kind != "int" or fact.parts[1].kind != "size":
            raise NotOfferedError
        bounds[fact.parts[1].parts[0]] = fact.parts[0].parts[0]
    if question.goal.kind not in ("==", "<=", "<"):
        raise NotOfferedError
    symbols = {
        name: unchecked.Symbol(name, integer=True, nonnegative=True) + low
        if low > 1
        else unchecked.Symbol(name, integer=True, nonnegative=True, positive=True if low else None)
        for name, low in bounds.items()
    }
    words = _sympy_words(unchecked, symbols)
    with _at_most(SECONDS):
        left, right = (words.say(part) for part in question.goal.parts)
        gap = unchecked.simplify(right - left)
        known = {"==": gap.is_zero, "<=": gap.is_nonnegative, "<": gap.is_positive}[question.goal.kind]
        return "valid" if known else None
    return None


def _sympy_words(sympy: Any, symbols: Mapping[str, Any]) -> Words:
    def refuse(*_: Any) -> Any:
        raise NotOfferedError

    binary: dict[str, Callable[[Any, Any], Any]] = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "//": lambda a, b: sympy.floor(a / b),
        "%": lambda a, b: sympy.Mod(a, b),
        "min": sympy.Min,
        "max": sympy.Max,
    }
    return Words(sympy.Integer, lambda name: symbols[name], binary, refuse, refuse, refuse)


class _LateError(Exception):
    pass


@contextmanager
def _at_most(seconds: int) -> Generator[None]:
    """Give up a question that takes longer, where the operating system has alarms."""

    def late(*_: object) -> None:
        raise _LateError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    except _LateError:
        pass
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
