"""Counterexamples and their executions in few words: ``x: 2x2, w: 3x2   (for any b)``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice

from shapesolve.checker.checked_obligation import CheckedObligation, Confirmation, Shown
from shapesolve.domain.values import Abstract
from shapesolve.ir.program import Value
from shapesolve.reasons import listed
from shapesolve.reports.phrases import arbitrary_sizes, input_variables, other_arguments, shortened
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.evaluation import Sizes
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.shape_kinds import Shape
from shapesolve.trace.concretization import extents_at, in_short
from shapesolve.trace.events import Trace

MOST_ARGUMENTS = 8
MOST_FREE = 3
LONGEST_RUN = 200
LONGEST_STOP = 120


def sizes_text(trace: Trace, refuted: Refuted) -> str:
    """Return the arguments whose sizes matter, ``x: 2x2, n = 3``; all of them if none does."""
    arguments = list(zip(trace.function.arguments, trace.inputs, strict=True))
    variables = [input_variables(value, refuted.sizes) for _, value in arguments]
    chosen = [each for each, its in zip(arguments, variables, strict=True) if its and not its <= refuted.free]
    shown = _texts(chosen, refuted.sizes) or _texts(arguments, refuted.sizes)
    if not shown:
        return "any sizes"
    more = f" and {len(shown) - MOST_ARGUMENTS} more" if len(shown) > MOST_ARGUMENTS else ""
    return ", ".join(_rarest(shown)) + more


def _rarest(texts: Sequence[str]) -> list[str]:
    """Return at most `MOST_ARGUMENTS` of the texts, in their order: the one size that differs is rather shown."""
    values = [text.partition(": ")[2] or text.partition(" = ")[2] for text in texts]
    seen = Counter(values)
    rarest = sorted(range(len(texts)), key=lambda each: seen[values[each]])[:MOST_ARGUMENTS]
    return [texts[each] for each in sorted(rarest)]


def sizes_notes(trace: Trace, refuted: Refuted, *, may_not_arrive: bool = False) -> str:
    """Return notes on a counterexample: what else fails, and which sizes do not matter; may be empty.

    Args:
        trace: The trace of the function.
        refuted: The counterexample.
        may_not_arrive: Whether some sizes may not get to the operation, and which is not known.
    """
    notes: list[str] = []
    if refuted.also is not None:
        notes.append(f"also {', '.join(islice(other_arguments(trace, refuted, refuted.also), MOST_FREE))}")
    if refuted.needs is not None:
        notes.append(f"fails only when {refuted.needs}")
    free = _free(trace, refuted)
    restricted = [name for name, variables in free if may_not_arrive or variables & refuted.restricted]
    others = [name for name, _ in free if name not in restricted]
    words = [f"any {_listed(others)}"] if others else []
    if restricted:
        words.append(f"any {_listed(restricted)} that reach{'es' if len(restricted) == 1 else ''} this line")
    if words:
        notes.insert(0 if refuted.fixed_elsewhere else len(notes), f"for {', and '.join(words)}")
    return "; ".join(notes)


def run_text(checked_obligation: CheckedObligation) -> str:
    """Return the result of executing a counterexample, in few words; empty if nothing was to be executed."""
    confirmation = checked_obligation.confirmation
    return "" if confirmation is None else shortened(_run_words(confirmation), LONGEST_RUN)


def _run_words(confirmation: Confirmation) -> str:
    match confirmation.shown:
        case Shown.FAILED_HERE if confirmation.is_stopped_by_verification:
            if confirmation.returned_unverified and not confirmation.contents:
                ended = f"went on past line {confirmation.cut_after}" if confirmation.cut_after else "returned"
                return f"stopped here by a runtime check; without it, it silently {ended}"
            otherwise = "" if confirmation.unverified is None else f"; without it: {confirmation.unverified.message}"
            contents = f", {confirmation.contents}" if confirmation.contents else ""
            return f"stopped here by a runtime check{contents}{otherwise}"
        case Shown.FAILED_HERE:
            return f"stopped here: {confirmation.text}"
        case Shown.ANOTHER_CLAIM:
            stopped = confirmation.text if confirmation.execution is None else confirmation.execution.message
            reason = shortened(stopped, LONGEST_STOP)
            return f"not confirmed for this claim: stopped here, perhaps for another reason: {reason}"
        case Shown.FAILED_LATER:
            return f"{confirmation.text}; the same is needed there"
        case Shown.FAILED_ELSEWHERE | Shown.LOWERING_FAILED:
            return f"not confirmed for this claim: {confirmation.text}"
        case Shown.FAILED_SOMEWHERE:
            return f"{confirmation.text}; where is not known"
        case Shown.WRONG_SIZE:
            return confirmation.text
        case Shown.NOTHING:
            return f"shows nothing: {_returned(confirmation) or confirmation.text}"
        case Shown.NOT_EXECUTED:
            return f"not run: {confirmation.text}" if confirmation.text else "not run"


def _returned(confirmation: Confirmation) -> str:
    """Return which runs came to their end; empty if the run without runtime checks did not."""
    if not confirmation.returned:
        return ""
    cut_after = confirmation.cut_after
    returned = f"the program went on past line {cut_after}" if cut_after else "the program returned"
    if confirmation.verified is None:
        return returned
    if confirmation.returned_verified:
        return f"{returned}, with runtime checks too"
    return f"{returned}; with runtime checks: {confirmation.verified.message}"


def _texts(arguments: Iterable[tuple[Value, Abstract]], sizes: Sizes) -> list[str]:
    """Return those of some arguments of which something is known, in short."""
    texts = (in_short(argument, value, sizes) for argument, value in arguments)
    return [each for each in texts if each is not None]


def _free(trace: Trace, refuted: Refuted) -> list[tuple[str, frozenset[Variable]]]:
    """Return the arguments all of whose sizes are free, and other free sizes, each with its variables."""
    names: dict[str, frozenset[Variable]] = {}
    free = arbitrary_sizes(trace, refuted)
    for argument, value in zip(trace.function.arguments, trace.inputs, strict=True):
        variables = input_variables(value, refuted.sizes)
        if variables and variables <= free:
            names.setdefault(argument.name.removeprefix("%"), variables)
        else:
            for each in sorted(variables & free, key=lambda each: each.name):
                names.setdefault(each.name, frozenset((each,)))
    return list(names.items())


def _listed(names: list[str]) -> str:
    more = [f"{len(names) - MOST_FREE} more"] if len(names) > MOST_FREE + 1 else []
    return listed([*names[:MOST_FREE], *more] if more else names)


def inputs_in_short(inputs: Sequence[tuple[str, Shape]], sizes: Sizes, condition: Formula) -> str:
    """Return inputs at some sizes, as people write them: ``a: 2x3``, then other sizes in the condition."""
    texts, shown = list[str](), set[Variable]()
    for name, shape in inputs:
        extents = extents_at(shape, sizes)
        if extents is not None and shape.variables:
            shown |= shape.variables
            texts.append(f"{name}: {'x'.join(map(str, extents)) or 'a scalar'}")
    rest = {each: size for each, size in sizes.items() if each in condition.variables - shown}
    return ", ".join([*texts, *(f"{variable} = {size}" for variable, size in rest.items())])
