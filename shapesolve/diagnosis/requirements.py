"""Requirements of obligations, as text: on the inputs, and on the arguments of a called function.

An obligation requires a condition on the inputs, in the shortest text that is proved to mean the same. A claim on every
element of a tensor, or on every iteration of a loop, becomes a condition on sizes where that is all it takes. Where a
claim fails inside a called function, that function also has a requirement on its arguments, in its own names.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import takewhile

from shapesolve.checker.check import trace_of
from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.enormous_sizes import refuted_sizes
from shapesolve.checker.report import FunctionReport
from shapesolve.contracts.inference import ordinary_sizes
from shapesolve.contracts.weakest_preconditions import Precondition, sufficient_preconditions, weakest_preconditions
from shapesolve.diagnosis.needs import Need, without_implied
from shapesolve.diagnosis.unmodeled_truths import without_unmodeled_truths
from shapesolve.domain.fresh_variables import argument_substitution, extent_of
from shapesolve.errors import InputError
from shapesolve.int64 import MAX_SIZE
from shapesolve.interpreter.inputs import scope_of
from shapesolve.ir.program import Function, Operation, Program
from shapesolve.options import Options
from shapesolve.records import value_record
from shapesolve.simplification.arithmetic import are_contradictory
from shapesolve.simplification.element_names import with_element_names
from shapesolve.simplification.empty_tensors import unless_empty
from shapesolve.simplification.readable import readable_claim, readable_parts
from shapesolve.simplification.simplify import conjunction_text, reading_cost, shortest_and_inexpressible
from shapesolve.simplification.unwrapped import tells_wrapping, unwrapped, wraps
from shapesolve.solver import budgets
from shapesolve.solver.entailment import entails_each_part
from shapesolve.solver.verdicts import Refuted, Undecided, Verdict
from shapesolve.symbolic.atoms import Choice, Maximum, Minimum, Quotient, Remainder
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, And, Compatible, Formula, Or
from shapesolve.symbolic.formulas import conjunction, conjuncts
from shapesolve.symbolic.visitors import atoms_within, leaves_of
from shapesolve.trace.concretization import with_sigils, with_source_names
from shapesolve.trace.events import CallSite, Obligation, Trace
from shapesolve.trace.visitor import Around, enclosing_regions

MOST_REQUIREMENTS = 20
"""Obligations of one function for which the requirement of a callee is looked for."""
LONGEST_LISTED = 300
"""Characters of a condition of which the parts are told apart."""
_SHORT = 24
"""A condition on the inputs may be so much longer than twice the claim of one iteration."""

_LONGEST = 2000
"""Characters of a claim; a longer one is not shortened."""
_COMPUTED = (Quotient, Remainder, Minimum, Maximum, Choice)
"""Parts of a condition that say more than a comparison does, and may be said in fewer words."""


def _is_computed(condition: Formula) -> bool:
    has_calls = any(isinstance(each, Compatible) for each in leaves_of(condition))
    return has_calls or any(isinstance(each, _COMPUTED) for each in atoms_within(condition))


class Requirements:
    """Requirements of one function on its inputs. Weakest preconditions are computed once, when first needed."""

    def __init__(self, function: FunctionReport) -> None:
        self.function = function
        self._demands: dict[bool, Mapping[Obligation, Precondition]] = {}
        self._texts: dict[CheckedObligation, tuple[str, Formula]] = {}
        self._conditions: dict[Obligation, Formula | None] = {}
        self._unwrapped: dict[CheckedObligation, Formula | None] = {}

    def text(self, checked_obligation: CheckedObligation) -> str:
        """Return the condition on the sizes that an obligation requires, as the shortest text."""
        return self._found(checked_obligation)[0]

    def for_people(self, checked_obligation: CheckedObligation) -> Need:
        """Return the same condition with the case of empty tensors told apart, and whether it is needed."""
        return replace(
            self._for_people(checked_obligation),
            is_exact=self.unwrapped(checked_obligation) is None and self._is_exact(checked_obligation),
            may_not_arrive=any(e.enter.approximate for e in self._surroundings[checked_obligation.obligation]),
        )

    def unwrapped(self, checked_obligation: CheckedObligation) -> Formula | None:
        """Return a condition on inputs that is enough, if what is needed speaks of sums that wrap around; else None."""
        if checked_obligation not in self._unwrapped:
            self._unwrapped[checked_obligation] = self._without_wrapping(checked_obligation)
        return self._unwrapped[checked_obligation]

    def _without_wrapping(self, checked_obligation: CheckedObligation) -> Formula | None:
        claim, trace = checked_obligation.obligation.claim, self.function.trace
        verdict = refuted_sizes(checked_obligation.verdict)
        if verdict is None or verdict.always or self.function.deadline.passed or not wraps(claim):
            return None
        short = self._found(checked_obligation)[1]
        if not tells_wrapping(short):
            return None  # what is needed exactly can be read
        for each in (claim, short):  # a long claim may have no other short form than one with a wrapping sum
            is_on_inputs = each.variables <= set(trace.input_variables)
            found = unwrapped(each, self._assumed, ordinary_sizes(trace)) if is_on_inputs else None
            if found is not None and self._suffices(found, checked_obligation.obligation, self._assumed):
                return found
        return None

    def _for_people(self, checked_obligation: CheckedObligation) -> Need:
        text, condition = self._found(checked_obligation)
        plain = self.unwrapped(checked_obligation)
        if plain is not None:
            text, condition = readable_claim(plain), plain
        obligation = checked_obligation.obligation
        is_internal = obligation.op.origin is not None and self._is_internal(condition)
        if is_internal or names_library_values(obligation, self.function.trace):
            return Need(text, is_internal=True)
        split = unless_empty(condition, self._assumed)
        if split is not None:
            text, condition = readable_claim(split.sufficient), split.sufficient
        exception = "" if split is None else split.exception
        if len(text) > LONGEST_LISTED:
            return Need(text, exception)
        kept = without_implied(conjuncts(condition), self._assumed)
        if len(kept) < len(conjuncts(condition)):
            condition = conjunction(kept)
            text = readable_claim(condition)
        parts = readable_parts(condition)
        is_whole = text in (" and ".join(parts), "".join(parts)[1:-1])
        return Need(text, exception, parts=parts, formula=condition) if is_whole else Need(text, exception)

    def _is_exact(self, checked_obligation: CheckedObligation) -> bool:
        """Return whether all sizes that violate what an obligation requires fail, as far as is known.

        A claim on inputs in a branch or a loop body need not hold where control does not get there.
        """
        obligation, verdict = checked_obligation.obligation, checked_obligation.verdict
        if not isinstance(verdict, Refuted | Undecided) or (isinstance(verdict, Refuted) and verdict.always):
            return True  # what always fails is said of the sizes that get there
        if without_unmodeled_truths(obligation.claim) is not obligation.claim:
            return False  # what is not modeled may let it pass
        if not obligation.claim.variables <= set(self.function.trace.input_variables):
            # Of a refuted one `_shortest` states the exact condition on the inputs, or that of one iteration.
            return isinstance(verdict, Refuted) or not self._is_conditional(obligation)
        if not self._is_conditional(obligation):
            return True
        if isinstance(verdict, Undecided) or self.function.deadline.passed:
            return False
        exact = self.on_inputs(obligation)
        if exact is None:
            return False
        known = [exact, *self._known_at(obligation)]
        return entails_each_part(obligation.claim, known, budgets.BRIEF)

    def _is_conditional(self, obligation: Obligation) -> bool:
        """Return whether some runs may not get to an obligation."""
        around = self._surroundings[obligation]
        return any(each.condition is not TRUE or bool(each.enter.approximate) for each in around)

    def _is_internal(self, condition: Formula) -> bool:
        """Return whether a condition has variables besides sizes of arguments and extents of named values."""
        others = condition.variables - set(self.function.trace.input_variables)
        return any(extent_of(each) is None for each in others)

    def _found(self, checked_obligation: CheckedObligation) -> tuple[str, Formula]:
        if checked_obligation not in self._texts:
            self._texts[checked_obligation] = self._find(checked_obligation)
        return self._texts[checked_obligation]

    def _find(self, checked_obligation: CheckedObligation) -> tuple[str, Formula]:
        """Return the required condition as its shortest text, and as a formula, with names for elements."""
        text, condition = self._shortest(checked_obligation)
        named = _with_element_names(condition, self.function.trace)
        return (text, condition) if named is condition else (readable_claim(named), named)

    def _shortest(self, checked_obligation: CheckedObligation) -> tuple[str, Formula]:
        obligation, refuted = checked_obligation.obligation, refuted_sizes(checked_obligation.verdict)
        verdict = checked_obligation.verdict if refuted is None else refuted
        condition = required_condition(obligation, verdict, self.function.trace)
        usual = readable_claim(condition), condition
        if not isinstance(verdict, Refuted) or min(len(usual[0]), len(str(obligation.claim))) > _LONGEST:
            return usual
        claim, inputs = obligation.claim, set(self.function.trace.input_variables)
        if not claim.variables <= inputs:
            demand = self.on_inputs(obligation)
            short = None if demand is None else self._shortened(demand, self._known_at(obligation))
            # On every iteration it is exact, but of one iteration it may be far easier to read.
            if short is not None and len(short[0]) <= 2 * len(usual[0]) + _SHORT:
                return short
            claim = condition  # what a division by 0 gives has no part in it
        if not claim.variables <= inputs or (not isinstance(claim, And | Or) and not _is_computed(condition)):
            return usual
        short = self._shortened(claim)
        return short if short is not None and reading_cost(short[1]) < reading_cost(condition) else usual

    def on_inputs(self, obligation: Obligation) -> Formula | None:
        """Return the condition on the inputs that exactly makes a claim on elements or iterations hold, or None."""
        if obligation not in self._conditions:
            self._conditions[obligation] = self._condition_on_inputs(obligation)
        return self._conditions[obligation]

    def implied_by_others(self, needs: Mapping[CheckedObligation, Need]) -> list[CheckedObligation]:
        """Return the refuted obligations in loops and branches whose claims follow from what the others need.

        Of a slice in a loop: that it begins inside of a buffer, where it has to end inside. Of a load that always ends
        outside of one extent: what it needs of the other.
        """
        inputs, ours, others = set(self.function.trace.input_variables), list[Obligation](), list[CheckedObligation]()
        for each, need in needs.items():
            if isinstance(each.verdict, Refuted) and need.formula is not None:
                if not need.formula.variables <= inputs or not need.is_exact:
                    others.append(each)
                else:
                    ours.append(each.obligation)
        if not ours or not others or self.function.deadline.passed:
            return []
        open_claims = {each.obligation.claim for each in others}
        needed = [condition for each in ours for condition in self.equivalents_on_inputs(each, open_claims)]
        return [each for each in others if self.holds_under(each.obligation, needed)]

    def equivalents_on_inputs(self, obligation: Obligation, open_claims: Collection[Formula]) -> list[Formula]:
        """Return the condition of `on_inputs` and its shorter equivalent, which more may be proved from.

        The claims of which it is asked whether they follow are no reason for the equivalence.
        """
        demand = self.on_inputs(obligation)
        if demand is None:
            return []
        known = [each for each in self._known_at(obligation) if each not in open_claims]
        short = self._shortened(demand, known)
        return [demand] if short is None else [demand, short[1]]

    def holds_under(self, obligation: Obligation, conditions: Sequence[Formula]) -> bool:
        """Return whether a claim holds under conditions on the inputs wherever control reaches it."""
        there = self.known_there(obligation)
        return are_contradictory([*conditions, *there]) or self._suffices(conjunction(conditions), obligation, there)

    def known_there(self, obligation: Obligation) -> list[Formula]:
        """Return what holds where control reaches an obligation."""
        around = self._surroundings[obligation]
        there = [each.enter.condition.formula for each in around if each.enter.condition is not None]
        return [*there, *self._known_at(obligation)]

    def _condition_on_inputs(self, obligation: Obligation) -> Formula | None:
        assumed, known = self._known_at(obligation), self.known_there(obligation)
        for all_iterations in (False, True):
            demand = self._demanded(all_iterations).get(obligation)
            if demand is None or not demand.exact or demand.formula in (TRUE, FALSE):
                continue
            if self._suffices(demand.formula, obligation, known):
                return demand.formula
            # Its shorter equivalent may be proved in less time: "n % t == 0" of what the last iteration needs.
            short = self._shortened(demand.formula, assumed)
            if short is not None and self._suffices(short[1], obligation, known):
                return short[1]
            if are_contradictory([demand.formula, *known]) and not are_contradictory([demand.formula], assumed):
                return demand.formula  # what is required is that no run gets there
        return None

    def sufficient(self, checked_obligation: CheckedObligation) -> Formula | None:
        """Return a condition on the inputs under which a claim holds for all values that nothing determines, or None.

        One that fails for all ordinary sizes is no answer. Without an answer it is what the claim comes to, if that
        mentions inputs alone and suffices.
        """
        if self.function.deadline.passed:
            return None
        trace, obligation = self.function.trace, checked_obligation.obligation
        inputs = set(trace.input_variables)
        found = sufficient_preconditions(trace, [obligation]).get(obligation)
        if found is None or found.formula.variables - inputs:
            short = self._found(checked_obligation)[1]
            return short if short.variables <= inputs and self._suffices(short, obligation, self._assumed) else None
        is_empty = are_contradictory([found.formula, *ordinary_sizes(trace)], self._assumed)
        return None if is_empty else found.formula

    def _known_at(self, obligation: Obligation) -> list[Formula]:
        """Return what is assumed, and the claims on inputs that hold in every run that reaches an obligation."""
        return [*self._assumed, *self._claims_before(obligation)]

    def _claims_before(self, obligation: Obligation) -> list[Formula]:
        """Return the claims on inputs that hold in every run that reaches an obligation."""
        around, inputs = self._surroundings[obligation], set(self.function.trace.input_variables)
        before = takewhile(lambda each: each is not obligation, self._surroundings)
        passed = (each for each in before if self._surroundings[each] == around[: len(self._surroundings[each])])
        return [each.claim for each in passed if each.claim is not TRUE and each.claim.variables <= inputs]

    def _suffices(self, condition: Formula, obligation: Obligation, known: Sequence[Formula]) -> bool:
        """Return whether a condition implies each part of an obligation's claim, where control reaches it."""
        return entails_each_part(obligation.claim, [condition, *known], budgets.LARGE)

    @cached_property
    def _surroundings(self) -> Mapping[Obligation, Around]:
        return enclosing_regions(self.function.trace)

    def _demanded(self, all_iterations: bool) -> Mapping[Obligation, Precondition]:
        """Return the preconditions from boundary iterations or, with ``all_iterations``, from all of them."""
        if all_iterations not in self._demands:
            self._demands[all_iterations] = weakest_preconditions(self.function.trace, all_iterations=all_iterations)
        return self._demands[all_iterations]

    @property
    def _assumed(self) -> list[Formula]:
        return [fact.formula for fact in self.function.assumptions]

    def _shortened(self, condition: Formula, known: Sequence[Formula] | None = None) -> tuple[str, Formula] | None:
        """Return the shortest text of a condition; None if the size language cannot express all of it, or time is up.

        Args:
            known: What is known where it is required; default: the assumptions of the function.
        """
        if self.function.deadline.passed:
            return None
        scope = scope_of(self.function.trace)
        known = self._assumed if known is None else known
        pieces, inexpressible = shortest_and_inexpressible(list(conjuncts(condition)), known, scope)
        text = "" if inexpressible else conjunction_text(pieces, scope)
        return (text, conjunction(pieces)) if text else None


def names_library_values(obligation: Obligation, trace: Trace) -> bool:
    """Return whether a claim speaks of values inside a shape function, which the program does not name."""
    others = [each.text for each in obligation.claim.variables if "%" in each.text]
    if not others or obligation.calls:
        return False
    names = [each.name for each in trace.values]
    return any(not any(name in text for name in names) for text in others)


def required(obligation: Obligation, verdict: Verdict, trace: Trace, *, tells_empty_apart: bool = False) -> str:
    """Return the condition that the sizes have to satisfy, as text; with "(unless ... is 0)" if wanted."""
    condition = _with_element_names(required_condition(obligation, verdict, trace), trace)
    split = unless_empty(condition) if tells_empty_apart else None
    return readable_claim(condition) if split is None else split.text


def _with_element_names(condition: Formula, trace: Trace) -> Formula:
    lists = scope_of(trace).lists
    return with_element_names([condition], lists)[0] if lists else condition


def required_condition(obligation: Obligation, verdict: Verdict, trace: Trace) -> Formula:
    """Return the condition that the sizes have to satisfy, with the names of the source.

    Of a refuted obligation that is the claim, or its simplified form under the facts, whichever is shorter. Where an
    unmodeled truth value could make the claim hold, it is what suffices without that.
    """
    claim = obligation.claim
    if isinstance(verdict, Refuted) and verdict.condition is not None and verdict.condition is not FALSE:
        claim = min(claim, verdict.condition, key=lambda each: len(str(each)))
    return with_source_names(without_unmodeled_truths(claim), trace)


_Place = tuple[tuple[Operation, ...], Operation, str]
"""The calls on the way from a function to an operation, the operation, and the clause."""


@value_record
class CalleeRequirement:
    """Requirement of a called function on its arguments.

    Attributes:
        function: Name of the called function.
        condition: The requirement, in the names of that function.
        guard: Each of these names, with the expression that the call passes for it.
        with_exception: The requirement with the case of empty tensors last, "w[0] == x[1] (unless x[0] is 0)"; empty
            if there is no such case.
    """

    function: str
    condition: str
    guard: tuple[tuple[str, str], ...]
    with_exception: str = ""


class CalleeRequirements:
    """Requirements of the called functions of a program. Each function is interpreted once, for any arguments."""

    def __init__(self, program: Program, options: Options) -> None:
        self._program = program
        bare = replace(options.without_assumptions(), max_size=MAX_SIZE)
        self._options = replace(bare, certify=False, execute=False, dump_directory=None)
        self._traces: dict[Function, Trace | None] = {}

    def of(self, report: FunctionReport, wanted: Container[Obligation]) -> dict[Obligation, CalleeRequirement]:
        """Return, by refuted obligation, the requirement of the outermost function called on the way to it.

        Only ``wanted`` obligations are looked at, and of those only the first of the function.
        """
        refuted = [each.obligation for each in report.checked_obligations if isinstance(each.verdict, Refuted)]
        inside = [each for each in refuted if each.calls][:MOST_REQUIREMENTS]
        found = {each: self._requirement(each, report.trace) for each in inside if each in wanted}
        return {each: requirement for each, requirement in found.items() if requirement is not None}

    def _requirement(self, obligation: Obligation, trace: Trace) -> CalleeRequirement | None:
        site = obligation.calls[0]
        alone = self._interpret(site.function)
        there = None if alone is None else _counterpart(obligation, trace, alone, site)
        if alone is None or there is None:
            return None
        demand = weakest_preconditions(alone).get(there)
        if demand is None or not demand.exact or demand.formula is TRUE or demand.formula is FALSE:
            return None
        scope = scope_of(alone)
        parts, inexpressible = shortest_and_inexpressible(
            [demand.formula], [fact.formula for fact in alone.assumptions], scope
        )
        given = argument_substitution(alone.inputs, site.arguments)
        named = sorted({v for part in parts for v in part.variables}, key=lambda each: each.text)
        if inexpressible or not parts or any(each not in given for each in named):
            return None
        text, split = conjunction_text(parts, scope), unless_empty(conjunction(parts))
        inputs = trace.input_variables
        guard = ((each.name, str(with_sigils(given[each], inputs))) for each in named)
        return CalleeRequirement(site.function.name, text, tuple(guard), "" if split is None else split.text)

    def _interpret(self, function: Function) -> Trace | None:
        """Return the trace of a function for any arguments, or None if its assumptions are invalid."""
        if function not in self._traces:
            try:
                self._traces[function] = trace_of(self._program, function, self._options)
            except InputError:
                self._traces[function] = None
        return self._traces[function]


def _counterpart(obligation: Obligation, trace: Trace, alone: Trace, site: CallSite) -> Obligation | None:
    """Return the same obligation in the trace of the callee alone, or None if the counts in the two traces differ."""
    ours = [
        each for each in trace.obligations if each.calls[:1] == (site,) and _place(each, 1) == _place(obligation, 1)
    ]
    theirs = [each for each in alone.obligations if _place(each, 0) == _place(obligation, 1)]
    return theirs[ours.index(obligation)] if len(ours) == len(theirs) else None


def _place(obligation: Obligation, skipped: int) -> _Place:
    return tuple(each.op for each in obligation.calls[skipped:]), obligation.op, obligation.clause
