"""Comparisons of symbolic sizes that jax.export finds inconclusive, decided under the declared constraints.

A comparison that the solver proves, or whose opposite it proves, is answered, and tracing goes on. Where it holds for
some of the declared sizes and not for others, the function itself is run on both sides: tracing goes on where it
returns, and the other side is a finding.

JAX takes sizes for unequal that it cannot show to be equal, without a word. Where it then refuses the function, the
equalities that it asked for are decided in the same way, the latest first.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import combinations
from typing import Any, NamedTuple

from shapesolve.errors import InputError
from shapesolve.frontends.export_process import message_of, whole_message
from shapesolve.frontends.model_run import ModelRun
from shapesolve.frontends.shown_paths import relative
from shapesolve.frontends.users_frames import users_frame_of
from shapesolve.ir.declarations import Declarations, ExcludedSizes, Guard
from shapesolve.preconditions.jax_assertions import constraint_text, size_text
from shapesolve.preconditions.python_guards import normalized_claims
from shapesolve.records import record
from shapesolve.solver.entailment import prove
from shapesolve.solver.verdicts import Proved, Refuted
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope

_COMPARISON = re.compile(
    r"comparison (?P<text>'(?P<left>[^']+)' (?P<sign><=|>=|<|>) '(?P<right>[^']+)') is inconclusive"
)
_NAME = re.compile(r"\b[A-Za-z_]\w*\b(?!\()")
"""Names of sizes in JAX's text of one, not those of functions like ``floordiv``."""
_MOST = 32
"""Comparisons of one function that are decided."""
_MOST_TOGETHER = 4
"""Equalities that are looked for until the function returns where all of them hold."""
_TURNS = 14
"""Sizes at which an explanation is tried."""
_BUDGET = 2_000_000

Sizes = dict[str, int]


class RunOutcome(NamedTuple):
    """The inputs of a run as text, and what JAX did with them."""

    inputs: str
    run: ModelRun


Equality = tuple[str, str]
"""Two sizes in JAX's notation that JAX compared."""


@record
class RefusedExport:
    """No export: the function fails for some declared sizes, and JAX does not export it for the others.

    Attributes:
        message: JAX's whole message.
    """

    message: str


@record
class Tracing:
    """Export of one function under declared constraints.

    Attributes:
        export: Exports the function under constraints in JAX's notation.
        run: Runs the function at sizes.
        returns: Whether the function returns at sizes, by its shapes alone.
        names: The declared names of sizes.
        constraints: The declared constraints in JAX's notation.
        where: The place of errors that no line of the user raises.
    """

    export: Callable[[Sequence[str]], Any]
    run: Callable[[Sizes], RunOutcome]
    returns: Callable[[Sizes], bool]
    names: Sequence[str]
    constraints: Sequence[str]
    where: str

    def decided(self) -> tuple[Any, Declarations | None]:
        """Return the export, or RefusedExport, and what is declared if it excludes declared sizes.

        Raises:
            InputError: JAX refuses the function for another reason, or the solver cannot decide either.
        """
        known: list[str] = []
        proved: dict[str, bool] = {}
        equal: dict[Equality, bool] = {}
        excluded: list[ExcludedSizes] = []
        refusal, in_sets = "", False
        for _ in range(_MOST):
            try:
                with _answering(proved), _answering_equalities(equal, self.names, in_sets=in_sets):
                    return self.export([*self.constraints, *known]), self._declared(excluded)
            except Exception as error:
                found = _COMPARISON.search(str(error))
                if found is None:
                    decided = self._equality(equal, proved, error, known, in_sets=in_sets)
                    if decided is None and not in_sets:
                        in_sets = True  # only then, since JAX keeps much under sizes
                        continue
                    if decided is None and not refusal:
                        raise self._refusal(error, known) from None
                    if decided is None:
                        return RefusedExport(refusal), self._declared(excluded)
                    constraints, findings = decided
                    excluded += findings
                    refusal = whole_message(error) if findings else refusal
                    known += constraints
                    if findings and not constraints:
                        return RefusedExport(refusal), self._declared(excluded)
                    continue
                if found["text"] in proved:
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

    def _equality(
        self,
        equal: dict[Equality, bool],
        proved: Mapping[str, bool],
        error: Exception,
        known: list[str],
        *,
        in_sets: bool,
    ) -> tuple[list[str], list[ExcludedSizes]] | None:
        """Decide the latest equality that explains why JAX refuses the function; None if none does.

        One that is proved is marked in ``equal``. One that holds for sizes at which the function returns, while it
        fails at others, is a finding; so are several that explain it together.

        Returns:
            The constraints to go on with, and the findings.
        """
        facts = self._facts(known)
        asked: list[Equality] = []
        for pair in [each for each, is_known in reversed(equal.items()) if not is_known]:
            claim = _claim(pair)
            same = None if claim is None else prove(claim, facts, budget=_BUDGET)
            if isinstance(same, Proved):
                equal[pair] = True
                return [], []
            if isinstance(same, Refuted):
                asked.append(pair)
        for is_whole in (True, False):
            for pair in asked:
                together = self._together(pair, proved, known, is_whole=is_whole, in_sets=in_sets)
                findings: list[ExcludedSizes] = []
                for each in together:
                    others = [text for other in together if other != each and (text := _claim(other))]
                    findings += self._findings(each, [*facts, *others], error)
                if findings:
                    return [text for each in together if (text := _rewriting(*each))], findings
        certain = (self._certain(pair, facts, error) for pair in asked)
        last = next((found for found in certain if found), None)
        return None if last is None else ([], last)

    def _certain(self, pair: Equality, facts: Sequence[str], error: Exception) -> list[ExcludedSizes]:
        """Return that the function fails where two sizes differ, also if it asks for more than their equality."""
        claim = _claim(pair)
        if claim is None or not self._explain([claim], [pair], facts, is_whole=False):
            return []
        wanted = parse_formula(claim, Scope.free())
        returns = (self.returns(tried) for tried, sizes in self._tried(facts) if holds(wanted, sizes))
        return self._findings(pair, facts, error) if any(returns) else []

    def _together(
        self, first: Equality, proved: Mapping[str, bool], known: Sequence[str], *, is_whole: bool, in_sets: bool
    ) -> Sequence[Equality]:
        """Return the equalities that JAX asks for, one after the other, until the function returns where all hold.

        If the explanation must be whole, it returns nowhere else. There are none if JAX asks for too many.
        """
        found, facts = [first], self._facts(known)
        for _ in range(_MOST_TOGETHER):
            stated = [claim for each in found if (claim := _claim(each))]
            allowed = prove("1 == 0", [*facts, *stated], budget=_BUDGET)
            if len(stated) < len(found) or not isinstance(allowed, Refuted):
                return ()
            if not self.run(_sizes(allowed)).run.raised and self._explain(stated, found, facts, is_whole=is_whole):
                return found
            asked: dict[Equality, bool] = {}
            try:
                with _answering(proved), _answering_equalities(asked, self.names, in_sets=in_sets):
                    self.export([*self.constraints, *known, *(_rewriting(*each) for each in found)])
                return ()
            except Exception:
                further = next((each for each in reversed(asked) if each not in found), None)
            if further is None:
                return ()
            found.append(further)
        return ()

    def _explain(
        self, claims: Sequence[str], equalities: Sequence[Equality], facts: Sequence[str], *, is_whole: bool
    ) -> bool:
        """Return whether the function returns at no other of a few sizes than where the claims hold, but by a 1.

        If the explanation must be whole, it returns wherever they hold.
        """
        sides = [size for each in equalities for size in map(size_text, each) if size and not size.isdecimal()]
        beside_one = [parse_formula(f"{size} == 1", Scope.free()) for size in sides]
        wanted = [parse_formula(each, Scope.free()) for each in claims]
        for tried, sizes in self._tried(facts):
            if any(holds(each, sizes) for each in beside_one):
                continue
            is_allowed = all(holds(each, sizes) for each in wanted)
            if is_allowed != self.returns(tried) and (is_whole or not is_allowed):
                return False
        return True

    def _tried(self, facts: Sequence[str]) -> Generator[tuple[Sizes, dict[Variable, int]]]:
        """Yield a few sizes at which facts hold."""
        known = [parse_formula(each, Scope.free()) for each in facts]
        for turn in range(_TURNS):
            tried = {name: 2 + (turn * (2 * place + 1)) % 7 for place, name in enumerate(self.names)}
            sizes = {Variable.of(name): number for name, number in tried.items()}
            if all(holds(each, sizes) for each in known):
                yield tried, sizes

    def _findings(self, pair: Equality, facts: Sequence[str], error: Exception) -> list[ExcludedSizes]:
        """Return that the function fails where two sizes differ, and returns where one of them is 1, if so."""
        a, b = (size_text(each) for each in pair)
        strict = f"{a} == {b}"
        # where only one of them is 1, a broadcast returns
        beside_one = prove(f"{strict} or ({a} != 1 and {b} != 1)", facts, budget=_BUDGET)
        answer = self.run(_sizes(beside_one)) if isinstance(beside_one, Refuted) else None
        broadcasts = answer is not None and not answer.run.raised
        claim = f"compatible({a}, {b})" if broadcasts else strict
        found = prove(claim, facts, budget=_BUDGET)
        if not isinstance(found, Refuted) or not (failure := self.run(_sizes(found))).run.raised:
            return []
        findings = [_excluded(claim, error, failure)]
        return findings + ([_excluded(strict, error, answer)] if broadcasts and answer is not None else [])

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
        sides.sort(key=lambda side: not side[2].run.raised)
        kept, shown, outcome = sides[0]
        return kept, _excluded(shown, error, outcome, is_branch=True)

    def _declared(self, excluded: Sequence[ExcludedSizes]) -> Declarations | None:
        return Declarations(claims=tuple(self._facts(())), excluded=tuple(excluded)) if excluded else None

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
                outcome = self.run(_sizes(verdict))
                if outcome.run.raised:
                    message = f"the function fails for inputs {outcome.inputs}: it {outcome.run.text}"
                    return InputError(message, where=outcome.run.place or where, excerpt=whole_message(error))
        return InputError(f"jax.export refuses this function: {message_of(error)}", where=where, excerpt=_rest(error))


def _excluded(claim: str, error: Exception, outcome: RunOutcome, *, is_branch: bool = False) -> ExcludedSizes:
    """Return the finding that a claim excludes sizes, at the user's line that JAX's error comes from."""
    frame = users_frame_of(error, "jax")
    shown = " and ".join(normalized_claims([claim]))
    guard = Guard(shown) if frame is None else Guard(shown, *_line(frame), is_branch=is_branch)
    run = outcome.run
    return ExcludedSizes(guard, outcome.inputs, run.text, run.place, run.raised)


def _claim(pair: Equality) -> str | None:
    """Return an equality in the size language; None if it cannot be expressed."""
    a, b = map(size_text, pair)
    return None if a is None or b is None else f"{a} == {b}"


def _rewriting(left: str, right: str) -> str:
    """Return an equality as a constraint, which JAX uses from left to right, "" if both sides hold the other."""
    return next((f"{a} == {b}" for a, b in ((left, right), (right, left)) if a not in b), "")


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


@contextmanager
def _answering_equalities(equal: dict[Equality, bool], names: Sequence[str], *, in_sets: bool) -> Generator[None]:
    """Answer the equalities of sizes that are proved, and record the others that JAX takes for false.

    Args:
        equal: The equalities, and whether each is proved.
        names: The names of sizes that equalities are about: JAX also compares sizes with those of functions that it
            traced before and has in its caches.
        in_sets: Whether sets ask for the equality of all sizes, too, whose hashes are the same then.
    """
    module: Any = import_module("jax._src.export.shape_poly")
    sizes = module._DimExpr
    before, before_hash = sizes.__eq__, sizes.__hash__

    def decision(first: Any, second: Any) -> bool:
        if before(first, second):
            return True
        sizes.__eq__ = before  # for what is asked in here
        try:
            is_size = second.scope is first.scope if isinstance(second, sizes) else isinstance(second, int)
            is_open = is_size and module.is_symbolic_dim(first - second)
            pair = (str(first), str(second)) if is_open else None
            pair = pair if pair and _names_within(pair).issubset(names) else None
        finally:
            sizes.__eq__ = decision
        if pair is None:
            return False
        is_known = equal.pop(pair, False)
        equal[pair] = is_known  # the latest stands last
        return is_known

    sizes.__eq__ = decision
    sizes.__hash__ = _same_hash if in_sets else before_hash
    try:
        yield
    finally:
        sizes.__eq__, sizes.__hash__ = before, before_hash


def _names_within(pair: Equality) -> set[str]:
    return {name for text in pair for name in _NAME.findall(text)}


def _same_hash(size: Any) -> int:
    return 0


def _rest(error: Exception) -> str:
    """Return the whole message if one line is too short for it."""
    whole = whole_message(error)
    return whole if message_of(error).endswith("...") or "\n" in whole else ""


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
