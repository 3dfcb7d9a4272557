"""Comparisons of symbolic sizes that jax.export finds inconclusive, decided under the declared constraints.

A comparison that the solver proves, or whose opposite it proves, is answered, and tracing goes on. Where it holds for
some of the declared sizes and not for others, the function itself is run on both sides: tracing goes on where it
returns, and the other side is a finding.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import combinations
from typing import Any

from shapesolve.errors import InputError
from shapesolve.frontends.export_process import RAISES, said_by, whole_message
from shapesolve.frontends.shown_paths import relative
from shapesolve.frontends.users_frames import users_frame_of
from shapesolve.ir.declarations import ExcludedSizes, Guard
from shapesolve.preconditions.jax_assertions import constraint_text
from shapesolve.preconditions.python_guards import normalized_claims
from shapesolve.records import record
from shapesolve.solver.entailment import prove
from shapesolve.solver.verdicts import Proved, Refuted

_COMPARISON = re.compile(
    r"comparison (?P<text>'(?P<left>[^']+)' (?P<sign><=|>=|<|>) '(?P<right>[^']+)') is inconclusive"
)
_MOST = 32
"""Comparisons of one function that are decided."""
_BUDGET = 2_000_000

Sizes = dict[str, int]
Answer = tuple[str, str, str]
"""The inputs as text, what JAX does with them, and the line that raises, "" where none does."""


@record
class Tracing:
    """Export of one function under declared constraints.

    Attributes:
        export: Exports the function under constraints in JAX's notation.
        run: Runs the function at sizes.
        names: The declared names of sizes.
        constraints: The declared constraints in JAX's notation.
        where: The place of errors that no line of the user raises.
    """

    export: Callable[[Sequence[str]], Any]
    run: Callable[[Sizes], Answer]
    names: Sequence[str]
    constraints: Sequence[str]
    where: str

    def decided(self) -> tuple[Any, tuple[ExcludedSizes, ...]]:
        """Return the export, and the declared sizes that it excludes.

        Raises:
            InputError: JAX refuses the function for another reason, or the solver cannot decide either.
        """
        known: list[str] = []
        proved: dict[str, bool] = {}
        excluded: list[ExcludedSizes] = []
        for _ in range(_MOST):
            try:
                with _answering(proved):
                    return self.export([*self.constraints, *known]), tuple(excluded)
            except Exception as error:
                found = _COMPARISON.search(str(error))
                if found is None or found["text"] in proved:
                    raise self._refusal(error, known) from None
                held, finding = self._side(found, error, known)
                if finding is None:
                    proved[found["text"]] = held == _both(found["left"], found["sign"], found["right"])[0]
                elif held in known:
                    raise self._refusal(error, known) from None
                else:
                    known.append(held)
                    excluded.append(finding)
        raise InputError(f"jax.export asks for more than {_MOST} comparisons of sizes", where=self.where)

    def _side(self, found: re.Match[str], error: Exception, known: Sequence[str]) -> tuple[str, ExcludedSizes | None]:
        """Return the constraint to go on with, and the finding if the declared constraints do not imply it."""
        holds, fails = _both(found["left"], found["sign"], found["right"])
        claim, opposite = constraint_text(holds), constraint_text(fails)
        if claim is None or opposite is None:
            raise self._refusal(error, known)
        facts = self._facts(known)
        verdicts = [prove(each, facts, budget=_BUDGET) for each in (claim, opposite)]
        for each, text in zip(verdicts, (holds, fails), strict=True):
            if isinstance(each, Proved):
                return text, None
        if not all(isinstance(each, Refuted) for each in verdicts):
            raise self._refusal(error, known)
        # sizes that refute the claim are on the other side
        sides = [(text, other, self.run(_sizes(each))) for text, other, each in
                 ((holds, claim, verdicts[0]), (fails, opposite, verdicts[1]))]  # fmt: skip
        sides.sort(key=lambda side: not side[2][1].startswith(RAISES))
        kept, shown, (inputs, words, place) = sides[0]
        frame = users_frame_of(error, "jax")
        shown = " and ".join(normalized_claims([shown]))
        guard = Guard(shown) if frame is None else Guard(shown, *_line(frame), is_branch=True)
        return kept, ExcludedSizes(guard, inputs, words, place)

    def _facts(self, known: Sequence[str]) -> list[str]:
        stated = [*self.constraints, *known]
        least = {name: 0 if any(each.replace(" ", "") == f"{name}>=0" for each in stated) else 1 for name in self.names}
        texts = [constraint_text(each) for each in stated]
        return [*(f"{name} >= {number}" for name, number in least.items()), *(each for each in texts if each)]

    def _refusal(self, error: Exception, known: Sequence[str]) -> InputError:
        """Return JAX's refusal with its whole message, and what the function does at a few declared sizes."""
        frame = users_frame_of(error, "jax")
        where = self.where if frame is None else f"{relative(frame[0])}:{frame[1]}"
        facts = self._facts(known)
        unequal = " or ".join(f"{a} == {b}" for a, b in combinations(self.names, 2)) or "1 == 0"
        for claim in dict.fromkeys((unequal, "1 == 0")):
            verdict = prove(claim, facts, budget=_BUDGET)
            if isinstance(verdict, Refuted):
                inputs, words, place = self.run(_sizes(verdict))
                if words.startswith(RAISES):
                    message = f"the function fails for inputs {inputs}: it {words}"
                    return InputError(message, where=place or where, excerpt=whole_message(error))
        return InputError(f"jax.export refuses this function: {said_by(error)}", where=where, excerpt=_rest(error))


@contextmanager
def _answering(proved: Mapping[str, bool]) -> Generator[None]:
    """Answer the comparisons that are proved. As constraints they would become assertions, in 32-bit integers."""
    module: Any = import_module("jax._src.export.shape_poly")
    before = module._geq_decision

    def decision(first: Any, second: Any, words: Callable[[], str]) -> bool:
        try:
            return before(first, second, words)
        except Exception:
            text = words()
            if text not in proved:
                raise
            is_strict = "' > '" in text or "' < '" in text  # these ask for the opposite
            return proved[text] != is_strict

    module._geq_decision = decision
    try:
        yield
    finally:
        module._geq_decision = before


def _rest(error: Exception) -> str:
    """Return the whole message if one line is too short for it."""
    whole = whole_message(error)
    return whole if said_by(error).endswith("...") or "\n" in whole else ""


def _line(frame: tuple[str, int]) -> tuple[str, int, str]:
    file, line = frame
    return relative(file), line, linecache.getline(file, line).strip()


def _sizes(verdict: Any) -> Sizes:
    return {each.text: number for each, number in verdict.sizes.items() if isinstance(number, int)}


def _both(left: str, sign: str, right: str) -> tuple[str, str]:
    """Return a comparison and its opposite as constraints of JAX, which have no strict inequalities."""
    at_least, below = f"{left} >= {right}", f"{left} <= {right} - 1"
    at_most, above = f"{left} <= {right}", f"{left} >= {right} + 1"
    return {">=": (at_least, below), "<": (below, at_least), "<=": (at_most, above), ">": (above, at_most)}[sign]
