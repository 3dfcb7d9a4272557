"""Suggested assumptions: conditions on the sizes of the inputs under which nothing is refuted.

A claim that is refuted inside a branch is needed only where the branch is taken. All of these conditions together are
enough for every refuted claim; where nothing else is open they are also needed, so that the function is safe exactly
when they hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shapesolve.checker.report import FunctionReport, ReturnedError
from shapesolve.checker.returned_errors import returned_errors
from shapesolve.contracts.inference import ordinary_sizes
from shapesolve.diagnosis.needed_conditions import is_printable, needed_conditions
from shapesolve.diagnosis.requirements import Requirements
from shapesolve.diagnosis.signature import signature
from shapesolve.domain.values import Tensor
from shapesolve.interpreter.inputs import scope_of
from shapesolve.preconditions.functions import argument_name
from shapesolve.records import value_record
from shapesolve.simplification.arithmetic import are_contradictory
from shapesolve.simplification.empty_tensors import unless_empty
from shapesolve.simplification.readable import readable_parts
from shapesolve.simplification.simplify import (
    LONGEST,
    condition_text,
    condition_texts,
    parse_in,
    shortest_and_inexpressible,
    sufficient_bound,
)
from shapesolve.simplification.unwrapped import tells_wrapping, unwrapped, wraps
from shapesolve.solver import budgets
from shapesolve.solver.entailment import entails, entails_each_part, not_implied
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.formula_kinds import Formula, IsNonNegative, IsZero
from shapesolve.symbolic.formulas import conjunction, conjuncts
from shapesolve.symbolic.scope import Scope
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.trace.events import Trace


@value_record
class Suggestions:
    """Conditions to assume.

    Attributes:
        assumptions: The conditions, each a text for ``--assume``.
        exact: Whether the function is safe exactly when all of them hold, under the present assumptions. Otherwise
            they are known to be necessary or sufficient only.
        texts: The conditions for people, with the case of empty tensors last.
        sufficient: Conditions that suffice, where they are shorter: those without the case of empty tensors.
        inexpressible: Number of refuted claims that no condition on the inputs expresses.
        signature: The function's signature, if it states all of these conditions but for empty tensors; "" otherwise.
        hopeless: Whether no sizes that satisfy the present assumptions make all refuted claims hold wherever they are
            reached, or every call fails. Nothing is suggested then.
        empty: Names of the arguments that are empty wherever the conditions hold, by an extent that has to be 0.
        errors: The results that are errors wherever nothing is refuted. Nothing is suggested then.
        under: The conditions under which nothing is refuted, as ``texts``, if there are such ``errors``.
        undeclared: What a model itself needs of sizes that nothing declares, which all of these take for granted.
    """

    assumptions: tuple[str, ...]
    exact: bool
    inexpressible: int = 0
    hopeless: bool = False
    texts: tuple[str, ...] = ()
    sufficient: tuple[str, ...] = ()
    signature: str = ""
    empty: tuple[str, ...] = ()
    errors: tuple[ReturnedError, ...] = ()
    under: tuple[str, ...] = ()
    undeclared: tuple[str, ...] = ()

    @property
    def complete(self) -> tuple[str, ...]:
        """The assumptions together with what a model needs of undeclared sizes."""
        return tuple(dict.fromkeys((*self.assumptions, *self.undeclared)))

    @property
    def shortest(self) -> tuple[str, ...]:
        """Texts for ``--assume`` that suffice, together with what a model needs of undeclared sizes."""
        return tuple(dict.fromkeys((*(self.sufficient or self.assumptions), *self.undeclared)))


NOTHING_SUGGESTED = Suggestions((), exact=False)


def suggestions(function: FunctionReport, requirements: Requirements | None = None) -> Suggestions:
    """Return the assumptions on a function's inputs under which its refuted claims hold.

    They have their shortest form or, when the function's time is over, that of the claims.
    """
    refuted = sum(isinstance(each.verdict, Refuted) for each in function.checked_obligations)
    if not refuted or function.fails_for_all is not None:
        return replace(NOTHING_SUGGESTED, hopeless=refuted > 0)
    requirements = requirements or Requirements(function)
    trace = function.trace
    scope = scope_of(trace)
    needed, necessary, unsayable, exact = needed_conditions(function, requirements, scope)
    known = [fact.formula for fact in function.assumptions]
    in_time = not function.deadline.passed
    if in_time and needed and are_contradictory(list(needed), known):
        hopeless = are_contradictory(necessary, known)  # not by what a loop needs that may not run
        return Suggestions((), False, inexpressible=len(unsayable) if hopeless else refuted, hopeless=hopeless)
    whole_claims = _with_simplified(list(needed), function, scope) if in_time else list(needed)
    pieces, beyond = shortest_and_inexpressible(whole_claims, known, scope) if in_time else (whole_claims, ())
    if in_time and any(map(tells_wrapping, pieces)):
        plain = [_without_wrapping(each, known, trace) for each in whole_claims]
        if plain != whole_claims and not are_contradictory(plain, known):
            exact = False
            pieces, beyond = shortest_and_inexpressible(plain, known, scope)
    pieces = _with_joined_bounds(pieces) if in_time else pieces
    enough = [_without_wrapping(each, known, trace) for each in pieces] if in_time else pieces
    if enough != pieces and not are_contradictory(enough, known):
        exact, pieces = False, list(dict.fromkeys(enough))
    text_of = dict(zip(pieces, condition_texts(pieces, scope), strict=True))
    texts: dict[str, None] = {}
    inexpressible = 0
    for piece in (*pieces, *beyond, *unsayable):
        text = text_of.get(piece)
        short = _in_few_words(piece, known, trace) if in_time and (text is None or len(text) > LONGEST) else None
        if short is not None:
            exact = False
            texts.update(dict.fromkeys(condition_text(each, scope) for each in conjuncts(short)))
        elif text is not None:
            texts[text] = None
        else:
            inexpressible += 1
    by_text = {text: each for each, text in text_of.items()} if in_time else {}
    without = unless_empty_texts(by_text, known, scope)
    shown = tuple(without.shown.get(text, text) for text in texts)
    beside = [text for text in texts if text not in by_text]
    sufficient = (*without.sufficient, *beside) if without.sufficient else ()
    is_exact = bool(texts) and exact and not inexpressible
    whole = _signature(trace, pieces) if in_time and len(by_text) == len(texts) and not inexpressible else ""
    return Suggestions(
        tuple(texts),
        is_exact,
        inexpressible,
        texts=shown,
        sufficient=sufficient,
        signature=whole,
        empty=_empty_arguments(trace, pieces),
    )


def without_returned_errors(suggested: Suggestions, function: FunctionReport) -> Suggestions:
    """Return the suggestions; none if some result is an error wherever they hold: they are no way out then."""
    if not suggested.assumptions or function.deadline.passed:
        return suggested
    scope = scope_of(function.trace)
    conditions = [parse_in(text, scope) for text in suggested.assumptions]
    errors = returned_errors(function.trace, [each for each in conditions if each is not None])
    if not errors:
        return suggested
    return Suggestions((), exact=False, inexpressible=suggested.inexpressible, errors=errors, under=suggested.texts)


def with_undeclared(suggested: Suggestions, conditions: Sequence[str], trace: Trace) -> Suggestions:
    """Return the suggestions with what a model needs of undeclared sizes, except what follows from the rest."""
    scope = scope_of(trace)
    parsed = [parse_in(text, scope) for text in suggested.assumptions]
    premises = [each for each in parsed if each is not None]
    read = {text: parse_in(text, scope) for text in conditions}
    implied = {
        text
        for text, condition in read.items()
        if condition is not None
        and condition.variables  # not of an extent that the program fixes: its type is no assumption
        and entails(condition, premises, budget=budgets.MEDIUM)
    }
    return replace(suggested, undeclared=tuple(text for text in read if text not in implied))


def _empty_arguments(trace: Trace, conditions: Sequence[Formula]) -> tuple[str, ...]:
    """Return the names of the arguments of which some condition says that an extent is 0."""
    zeros = {each.size for each in conditions if isinstance(each, IsZero)}
    return tuple(
        argument_name(trace.function, index)
        for index, value in enumerate(trace.inputs)
        if isinstance(value, Tensor) and isinstance(value.shape, RankedShape) and not zeros.isdisjoint(value.shape.dims)
    )


def _with_simplified(needed: Sequence[Formula], function: FunctionReport, scope: Scope) -> list[Formula]:
    """Return conditions that mean the same together; long claims in the form to which the facts reduce them.

    The facts include claims before, so that each such form is compared with its claim under the other conditions.
    """
    simplified: dict[Formula, Formula] = {}
    for each in function.checked_obligations:
        claim, verdict = each.obligation.claim, each.verdict
        condition = verdict.condition if isinstance(verdict, Refuted) else None
        if condition is not None and len(condition.text) <= LONGEST < len(claim.text):
            simplified[claim] = condition
    known = [fact.formula for fact in function.assumptions]
    found = list(needed)
    for place, claim in enumerate(found):
        short = simplified.get(claim)
        if short is None or not is_printable(short, function.trace, scope):
            continue
        premises = [*known, *(each for each in found if each is not claim)]
        if entails(claim, [*premises, short], budget=budgets.LARGE) and entails(
            short, [*premises, claim], budget=budgets.LARGE
        ):
            found[place] = short
    return found


def _with_joined_bounds(conditions: Sequence[Formula]) -> list[Formula]:
    """Return conditions, a lower and an upper bound that read as one chain as one: ``0 <= n <= a[0]``."""
    found = list[Formula]()
    for each in conditions:
        for place, other in enumerate(found if isinstance(each, IsNonNegative) else ()):
            both = conjunction([other, each])
            if isinstance(other, IsNonNegative) and len(readable_parts(both)) == 1:
                found[place] = both
                break
        else:
            found.append(each)
    return found


def _without_wrapping(condition: Formula, known: Sequence[Formula], trace: Trace) -> Formula:
    """Return what is enough for a condition on sums that wrap around; the condition itself without such sums."""
    plain = unwrapped(condition, known, ordinary_sizes(trace)) if wraps(condition) else None
    is_enough = plain is not None and entails_each_part(condition, [plain, *known], budgets.LARGE)
    return plain if plain is not None and is_enough else condition


@value_record
class UnlessEmptyTexts:
    """Conditions with the case of empty tensors told apart.

    Attributes:
        shown: Each condition for people, by its text: ``a[1] == b[0] (unless a[0] is 0)``.
        sufficient: Conditions that suffice, without that case and without what follows from the others; none if no
            condition has such a case, or if they contradict each other.
    """

    shown: Mapping[str, str]
    sufficient: tuple[str, ...] = ()


def unless_empty_texts(conditions: Mapping[str, Formula], known: Sequence[Formula], scope: Scope) -> UnlessEmptyTexts:
    """Return conditions, given by their texts, with the case of empty tensors told apart."""
    split = {text: unless_empty(each, known) for text, each in conditions.items()}
    shown = {text: text if each is None else each.text for text, each in split.items()}
    short = [conditions[text] if each is None else each.sufficient for text, each in split.items()]
    if all(each is None for each in split.values()) or are_contradictory(short, known):
        return UnlessEmptyTexts(shown)
    kept = not_implied(short, known, budgets.LARGE, longest=LONGEST)
    return UnlessEmptyTexts(shown, tuple(dict.fromkeys(condition_text(each, scope) for each in kept)))


def _signature(trace: Trace, conditions: Sequence[Formula]) -> str:
    """Return the signature of a function if it states some conditions in full, or but for empty tensors; else ""."""
    found = signature(trace, conditions)
    return found.text if found is not None and found.equalities and not found.conditions else ""


def _in_few_words(condition: Formula, known: list[Formula], trace: Trace) -> Formula | None:
    return sufficient_bound(condition, known) if condition.variables <= set(trace.input_variables) else None
