"""Refinement check of two programs, from the queries to the execution of the counterexample."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from shapesolve.checker.obligation_checker import Progress, solver_of
from shapesolve.errors import InputError
from shapesolve.execution.runner import use_fork_server
from shapesolve.ir.analyses import program_analysis
from shapesolve.ir.inlining import inlined_program
from shapesolve.ir.program import Function, Program, ShapedType, is_buffer
from shapesolve.ir.structured_programs import structured_program
from shapesolve.options import Options
from shapesolve.preconditions.functions import chosen
from shapesolve.reasons import NO_INPUT, Reason, listed, prefixed
from shapesolve.refinement.concrete import Concrete, compared_at
from shapesolve.refinement.concrete_runs import (
    SmallSizes,
    behavior,
    fix_inputs,
    is_false_for_all,
    is_known_to_hold,
    undecided_requirement,
)
from shapesolve.refinement.effects import effect_difference, may_have_effects_without_returning, same_before_checks
from shapesolve.refinement.element_results import buffers_of_tensors, leaves_only_results
from shapesolve.refinement.element_runs import element_finding
from shapesolve.refinement.function_attributes import changed_attributes
from shapesolve.refinement.interpretations import Interpretations, interpret_both
from shapesolve.refinement.outcome import Behavior, Ending, Finding, Omission, ProvedAbove, Refinement, Side, executed
from shapesolve.refinement.overflow import overflow_finding
from shapesolve.refinement.paired_interpreter import Interpretation
from shapesolve.refinement.queries import RETURNS, Comparison
from shapesolve.refinement.results import agreements, left_out
from shapesolve.refinement.signatures import matched_results
from shapesolve.refinement.value_numbering import same_function
from shapesolve.solver.overflow_proofs import find_overflow_proofs
from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Refuted, Undecided, UndecidedReason, VerdictKind
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.named_sizes import NamedSizes
from shapesolve.trace.events import Kind, Obligation, Trace
from shapesolve.trace.visitor import Around, Handler, Scope, handled_events

NOT_CERTAIN = "the sizes that were found show the difference only for some iterations or contents"
NOT_LOOKED_AT = "the sizes that were found may show the difference only for some iterations or contents"
INLINED = "elements are those of the programs in which calls are replaced by the bodies of functions"
SAME_STRUCTURE = "both have the same control flow, written in different ways"
MOST_CONFIRMED = 12
"""Largest number of counterexamples that are confirmed; no more are reported as refuted."""
MOST_EXECUTED = 3
"""Largest number of counterexamples of one function that are executed."""


def refine_programs(
    source: Program,
    target: Program,
    options: Options,
    *,
    allow_lost_checks: bool = False,
    progress: Progress | None = None,
) -> tuple[Refinement, ...]:
    """Compare the functions of two programs: those named, or every entry point of the source.

    Functions are paired by name, or are the only entry point of each.

    Raises:
        InputError: Functions or signatures do not match.
    """
    with use_fork_server():
        return tuple(
            refine_functions(
                (source, ours), (target, theirs), options, allow_lost_checks=allow_lost_checks, progress=progress
            )
            for ours, theirs in _pairs(source, target, options.functions)
        )


def _pairs(source: Program, target: Program, names: tuple[str, ...]) -> list[tuple[Function, Function]]:
    ours = chosen(source, names)
    theirs = chosen(target, names)
    if len(ours) == len(theirs) == 1:
        return [(ours[0], theirs[0])]
    by_name = {each.name: each for each in theirs}
    missing = [each.name for each in ours if each.name not in by_name]
    if missing:
        known = ", ".join(f"@{name}" for name in by_name) or "none"
        words = f"the target has no function @{missing[0]}; it has: {known}"
        raise InputError(f"{words} (--function NAME compares only that one)", where=target.file)
    return [(each, by_name[each.name]) for each in ours]


def refine_functions(
    source: tuple[Program, Function],
    target: tuple[Program, Function],
    options: Options,
    *,
    allow_lost_checks: bool = False,
    look_for_identity: bool = True,
    progress: Progress | None = None,
) -> Refinement:
    """Decide whether one function refines another, for all sizes of the options' domain.

    Args:
        look_for_identity: Whether to skip the queries for two functions with the same text.

    Raises:
        InputError: The signatures do not match.
    """
    ours, theirs = _structured(*source), _structured(*target)
    with_steps = _structured(*target, any_step=True)

    def compared(ours: tuple[Program, Function], theirs: tuple[Program, Function]) -> Refinement:
        is_same = look_for_identity and same_function(ours, theirs)
        found = _refined(ours, theirs, options, allow_lost_checks, progress, identical=is_same)
        if is_same and NO_INPUT not in found.notes and not same_function(source, target):
            notes = (*found.notes, SAME_STRUCTURE)
            return replace(found, identical=False, notes=notes, compares_elements=not options.shapes_only)
        return found

    if _counted_loops(with_steps[0]) > _counted_loops(theirs[0]):
        found = compared(ours, with_steps)
        if found.word is VerdictKind.PROVED:
            # Where a step is not positive, this target is undefined, so the source is; elsewhere it does the same.
            return found
    found = compared(ours, theirs)
    if found.word is VerdictKind.UNDECIDED and (ours[0], theirs[0]) != (source[0], target[0]):
        # Of branches between blocks it is known what they do on poison.
        again = compared(source, target)
        found = again if again.word in (VerdictKind.PROVED, VerdictKind.REFUTED) else found
    if found.word is VerdictKind.UNDECIDED or found.is_partial:
        inlined = _inlined(*ours), _inlined(*theirs)
        if inlined != (ours, theirs):
            again = compared(*inlined)
            if again.word is VerdictKind.REFUTED or (again.word is VerdictKind.PROVED and not again.is_partial):
                notes = (each for each in again.notes if each != SAME_STRUCTURE)
                return replace(again, notes=(*notes, INLINED))
    return found


def _inlined(program: Program, function: Function) -> tuple[Program, Function]:
    """Return a function in which calls are inlined, and its program."""
    inlined = inlined_program(program)
    return inlined, inlined.functions[function.name]


@program_analysis
def _counted_loops(program: Program) -> int:
    return sum(op.name == "scf.for" for op in program.operation.walk())


def _refined(
    source: tuple[Program, Function],
    target: tuple[Program, Function],
    options: Options,
    allow_lost_checks: bool,
    progress: Progress | None,
    *,
    identical: bool,
) -> Refinement:
    """Decide whether one function with structured control flow refines another."""
    places = matched_results(source[1], target[1])
    found = _Refining(interpret_both(source, target, places, options), options, allow_lost_checks, progress).run(
        identical=identical
    )
    has_no_sizes = any(each.of_elements or each.overflows for each in found.refuted)
    if found.word is not VerdictKind.REFUTED or options.min_size > 1 or has_no_sizes:
        return found
    for least in (1, 2):
        if least <= options.min_size or not all(_has_size_below(each, least) for each in found.refuted):
            continue
        raised = replace(options, min_size=least, execute=False)
        again = _Refining(interpret_both(source, target, places, raised), raised, allow_lost_checks, None)
        above = again.run(identical=False)
        if above.word is not VerdictKind.PROVED:
            continue
        if above.not_compared and options.execute:
            raised = replace(raised, execute=True)
            again = _Refining(interpret_both(source, target, places, raised), raised, allow_lost_checks, None)
            if differing := again.run(identical=False).refuted:
                # Elements differ where all sizes agree, which says more than a size of 0 or 1.
                return replace(found, findings=(*differing, *found.findings))
        return replace(found, above=ProvedAbove(least, above.compares_elements, above.not_compared))
    return found


def _structured(program: Program, function: Function, *, any_step: bool = False) -> tuple[Program, Function]:
    """Return a function with structured control flow, and its program."""
    structured = structured_program(program, any_step)
    return structured, structured.functions[function.name]


def _approximated(interpretation: Interpretation) -> dict[Variable, Reason]:
    """Return the variables of unmodeled values, with the reasons."""
    found = {
        variable: prefixed(f"{each.op} of the {interpretation.side}: ", each.cause)
        for each in interpretation.trace.approximations
        for variable in each.free
    }
    return {**found, **interpretation.unmodeled}


def _has_size_below(finding: Finding, least: int) -> bool:
    verdict = finding.verdict
    if not isinstance(verdict, Refuted):
        return False
    return any(number < least for value in verdict.sizes.values() for number in _numbers(value))


def _numbers(value: int | tuple[int, ...]) -> tuple[int, ...]:
    return value if isinstance(value, tuple) else (value,)


class _Refining:
    """Decides the queries about two interpreted programs, confirms what is refuted, and executes it."""

    def __init__(
        self, interpretations: Interpretations, options: Options, allow_lost_checks: bool, progress: Progress | None
    ) -> None:
        self._options = options
        self._allow_lost_checks = allow_lost_checks
        self._progress = progress
        self._interpretations = interpretations
        self._asked = frozenset({Ending.RETURNS} if allow_lost_checks else {Ending.RETURNS, Ending.ABORTS})
        self._small = SmallSizes(interpretations.source, interpretations.target, interpretations.entries, self._asked)
        self._approximated = {
            name: reason
            for each in (*interpretations.sides, interpretations.in_step)
            for name, reason in _approximated(each).items()
        }

    def run(self, *, identical: bool) -> Refinement:
        """Return whether the target refines the source; ``identical`` programs need no query."""
        interpretations = self._interpretations
        for side in interpretations.sides:
            find_overflow_proofs(side.trace)
        source, target = (Side(each.program, each.trace) for each in interpretations.sides)
        comparison = Comparison(
            self._prover(),
            interpretations.source,
            interpretations.target,
            interpretations.in_step,
            interpretations.entries,
            self._progress,
            interpretations.returned_facts,
            shapes_only=self._options.shapes_only,
            for_runs=self._options.execute,
        )
        findings: list[Finding] = []
        if identical:
            comparison.admits_input()
        else:
            asked = list(comparison.run(allow_lost_checks=self._allow_lost_checks))
            findings = self._confirm_all((source, target), asked)
            findings = [*self._effects(comparison), *findings, *self._elements((source, target), comparison, findings)]
            findings += self._overflow(comparison, findings)
        return Refinement(
            source=source,
            target=target,
            findings=tuple(sorted(findings, key=_credibility_key)),
            source_returns=comparison.source_returns,
            allow_lost_checks=self._allow_lost_checks,
            min_size=self._options.min_size,
            max_size=interpretations.max_size,
            identical=identical,
            without_arguments=comparison.contradiction is not None and not identical,
            omissions=() if identical else self._omissions(comparison),
            notes=tuple(self._notes(comparison, (source, target), identical=identical)),
            compares_elements="" in comparison.elements.values(),
            shapes_only=self._options.shapes_only,
        )

    def _omissions(self, comparison: Comparison) -> tuple[Omission, ...]:
        """Return what was not compared."""
        interpretations = self._interpretations
        return left_out(
            *interpretations.sides,
            comparison.compared,
            comparison.elements,
            allow_lost_checks=self._allow_lost_checks,
            memory=comparison.memory,
            writes_only_results=leaves_only_results(interpretations.source, interpretations.target),
        )

    def _notes(self, comparison: Comparison, sides: tuple[Side, Side], *, identical: bool) -> list[str]:
        """Return notes about the programs, and what was taken for granted of them."""
        interpretations = self._interpretations
        notes = list(interpretations.limited)
        if comparison.contradiction is not None:
            notes.append(NO_INPUT if identical else f"{NO_INPUT}, which is no proof")
        elif not comparison.source_returns:
            notes.append("the source never returns")
        if comparison.reorders and "" in comparison.elements.values():
            notes.append("sums and other reductions are equal if they combine the same terms, in any order")
        if "" in comparison.elements.values() and any(
            each is not None for each in interpretations.target.result_arguments
        ):
            notes.append("out-parameters are taken to overlap no other memory")
        if not self._options.shapes_only and buffers_of_tensors(*(each.trace.function for each in sides)):
            notes.append("buffers of tensor arguments are taken to overlap no other memory, and may hold results")
        if ("" in comparison.elements.values() or comparison.memory == "") and any(map(_may_overlap_itself, sides)):
            notes.append("elements of a buffer argument are taken to have places of their own, whatever its strides")
        if not identical and (changed := changed_attributes(*(each.trace.function for each in sides))):
            notes.append(f"attributes of functions are not compared: {listed(changed)}")
        return notes

    def _effects(self, comparison: Comparison) -> Iterator[Finding]:
        """Yield an undecided finding if the effects may differ."""
        difference = "" if comparison.contradiction is not None else effect_difference(*self._interpretations.sides)
        source = self._interpretations.source
        if difference and (comparison.source_returns or may_have_effects_without_returning(source)):
            verdict = Undecided(UndecidedReason.APPROXIMATION, difference)
            yield Finding("the effects are the same, in the same order", verdict, RETURNS, RETURNS)
            return
        is_asked = comparison.contradiction is None and not self._allow_lost_checks
        if is_asked and not difference and not same_before_checks(*self._interpretations.sides):
            reason = "whether the programs did the same before a check stops them is not followed"
            verdict = Undecided(UndecidedReason.APPROXIMATION, reason)
            yield Finding("the effects before each check are the same", verdict, RETURNS, RETURNS)

    def _elements(
        self, sides: tuple[Side, Side], comparison: Comparison, findings: Sequence[Finding]
    ) -> Iterator[Finding]:
        """Yield a finding if runs show a difference in elements, unless something else is refuted."""
        is_refuted = any(isinstance(each.verdict, Refuted) for each in findings)
        if not self._options.execute or is_refuted or not comparison.candidates:
            return
        interpretations = self._interpretations

        def compared(sizes: NamedSizes) -> Concrete | None:
            if not all(is_known_to_hold(each, sizes) for each in self._assumed()):
                return None
            return compared_at(*interpretations.at(sizes), interpretations.entries, sizes)

        found = element_finding(sides, comparison.candidates, compared, interpretations.target.result_arguments)
        if found is not None:
            yield found

    def _overflow(self, comparison: Comparison, findings: Sequence[Finding]) -> Iterator[Finding]:
        """Yield a finding if runs show a difference where the target's arithmetic overflows."""
        is_refuted = any(isinstance(each.verdict, Refuted) for each in findings)
        if self._options.execute and not is_refuted and comparison.contradiction is None:
            found = overflow_finding(self._interpretations, self._asked, self._options.deadline)
            if found is not None:
                yield found

    def _assumed(self) -> Iterator[Formula]:
        for each in self._interpretations.sides:
            yield from (fact.formula for fact in each.trace.assumptions)

    def _prover(self) -> Prover:
        """Return a prover that knows only which values of either program are approximations."""
        options = self._options
        solver = solver_of(options)
        inputs = self._interpretations.target.trace.input_variables
        return Prover(
            solver, inputs=inputs, approximated=self._approximated, budget=options.budget, deadline=options.deadline
        )

    def _prover_at(self, finding: Refuted, traces: Sequence[Trace]) -> Prover:
        prover = self._prover()
        for trace in traces:
            for fact in trace.assumptions:
                prover.assume(fact)
        fix_inputs(prover, finding.sizes)
        return prover

    # Looking closely ---------------------------------------------------------------------------------------------

    def _confirm_all(self, sides: tuple[Side, Side], findings: Iterable[Finding]) -> list[Finding]:
        examined: list[Finding] = []
        looked = run = 0
        for each in sorted(findings, key=_credibility_key):
            candidate = each.verdict.candidate if isinstance(each.verdict, Undecided) else None
            if isinstance(each.verdict, Refuted) and looked == MOST_CONFIRMED:
                each = replace(each, verdict=Undecided(UndecidedReason.NOTHING_FOUND, NOT_LOOKED_AT, each.verdict))
            elif candidate is not None and looked < MOST_CONFIRMED:
                looked += 1
                each = self._interpreted_finding(each, candidate) or each
            elif isinstance(each.verdict, Refuted):
                looked += 1
                each = self._confirmed(each, each.verdict)
                sizes = each.verdict
                if isinstance(sizes, Refuted) and self._options.execute and run < MOST_EXECUTED:
                    run += 1
                    each = _run(sides, each, sizes)
                if isinstance(each.verdict, Refuted):
                    each = self._require_modeled_path(each, each.verdict)
            examined.append(each)
        return examined

    def _confirmed(self, finding: Finding, verdict: Refuted) -> Finding:
        """Return the finding, refuted only if every iteration and all contents show the same difference."""
        interpretations, sizes, small = self._interpretations, verdict.sizes, self._small
        source, target = both = [each.trace for each in interpretations.sides]
        results = agreements(*interpretations.sides)
        ours = behavior(self._prover_at(verdict, [source]), source) or small.source.behavior(sizes)
        prover = self._prover_at(verdict, both)
        theirs = behavior(prover, target, interpretations.entries) or small.target.behavior(sizes)
        if ours is not None and theirs is not None and ours.ending in self._asked:
            if ours.ending is not theirs.ending:
                return replace(finding, source=ours, target=_detailed(theirs, finding.target), compared=None)
            if ours.ending is Ending.RETURNS:
                behavior(prover, source)
                claims = [each.claim for each in results if each.claim is not None]
                if is_false_for_all(prover, claims):
                    return finding
        concrete = self._interpreted_finding(finding, verdict)
        if concrete is not None:
            return concrete
        found = small.difference
        if found is not None:
            shown = Refuted("small sizes", NamedSizes(found.sizes))
            return replace(finding, verdict=shown, source=found.source, target=found.target, compared=None)
        demand = undecided_requirement(self._prover_at(verdict, [source]), source)
        if demand:
            return replace(finding, verdict=Undecided(UndecidedReason.APPROXIMATION, demand, verdict))
        return replace(finding, verdict=Undecided(UndecidedReason.NOTHING_FOUND, NOT_CERTAIN, verdict))

    def _interpreted_finding(self, finding: Finding, verdict: Refuted) -> Finding | None:
        """Return the finding as both programs show it when interpreted at the sizes; None if they do not."""
        found = compared_at(*self._interpretations.at(verdict.sizes), self._interpretations.entries, verdict.sizes)
        if found is None or found.source.ending not in self._asked:
            return None
        target = found.target
        if target.ending is found.source.ending:
            if found.difference is None:
                return None
            target = found.difference.difference
        what = "" if found.difference is None else found.difference.words
        is_same = finding.compared is not None and finding.compared.what == what
        compared = finding.compared if is_same else None
        return replace(finding, verdict=verdict, source=found.source, target=target, compared=compared)

    def _require_modeled_path(self, finding: Finding, verdict: Refuted) -> Finding:
        """Return a refuted finding, undecided if it depends on an unmodeled check or branch without evidence."""
        shown = finding.executed
        if shown is not None and shown.confirms:
            return finding
        reason = next(
            (why for each in self._interpretations.sides if (why := self._unmodeled_condition(each.trace))), ""
        )
        if not reason:
            return finding
        return replace(finding, verdict=Undecided(UndecidedReason.APPROXIMATION, reason, verdict))

    def _unmodeled_condition(self, trace: Trace) -> str:
        """Return why a check or the reachability of a part is not known; "" if all are."""
        return next(handled_events(trace, _Unknown(self._approximated)), "")


class _Unknown(Handler[str]):
    """Finds checks and path conditions that depend on approximations."""

    def __init__(self, approximated: Mapping[Variable, Reason]) -> None:
        self._approximated = approximated

    def obligation(self, obligation: Obligation, around: Around) -> str | None:
        return self._reason(obligation.claim) if obligation.kind is Kind.CHECK else None

    def enter(self, scope: Scope, around: Around) -> str | None:
        return self._reason(scope.condition)

    def _reason(self, decides: Formula) -> str | None:
        return next((str(self._approximated[each]) for each in decides.variables if each in self._approximated), None)


def _may_overlap_itself(side: Side) -> bool:
    """Return whether an argument may keep two elements in one place, as its strides are known at run time only."""
    types = [each.type for each in side.trace.function.arguments if is_buffer(each.type)]
    return any(isinstance(each, ShapedType) and each.is_injective is None for each in types)


def _detailed(found: Behavior, expected: Behavior) -> Behavior:
    return expected if found.ending is expected.ending and expected.obligation is not None else found


def _run(sides: tuple[Side, Side], finding: Finding, verdict: Refuted) -> Finding:
    shown = executed(sides, (finding.source, finding.target), verdict.sizes)
    if isinstance(shown, str):
        return finding
    if shown.contradicts:
        reason = f"predicted to differ, but when executed {shown.words}"
        return replace(finding, verdict=Undecided(UndecidedReason.NOTHING_FOUND, reason, verdict), executed=shown)
    return replace(finding, executed=shown)


def _credibility_key(finding: Finding) -> tuple[int, int, int]:
    """Return a sort key: refuted findings first, those without sizes 0 and 1 and with small ones foremost."""
    verdict = finding.verdict
    if not isinstance(verdict, Refuted):
        return (1, 0, 0)
    numbers = [number for value in verdict.sizes.values() for number in _numbers(value)]
    return (0, sum(number < 2 for number in numbers), sum(numbers))
