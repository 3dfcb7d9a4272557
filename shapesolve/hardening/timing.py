"""Which failures may come earlier: those before which nothing has happened that others see."""

from __future__ import annotations

from collections.abc import Callable

from shapesolve.reading.places import places_in
from shapesolve.reading.program import Operation, Program, ShapedType, Value
from shapesolve.walking.call_graph import called_function
from shapesolve.walking.effects import ANY_RESULT
from shapesolve.walking.interpreting import surroundings
from shapesolve.walking.obligations import Obligation, Trace
from shapesolve.walking.rulebook import Rulebook


def seen_first(program: Program, trace: Trace, rulebook: Rulebook) -> Operation | None:
    """The first operation of a trace that does what others see; None where there is none."""
    seen = _Seen(program, trace, rulebook)
    return next((op for op in trace.reached if seen.is_seen(op)), None)


def may_come_earlier(trace: Trace, first: Operation | None) -> Callable[[Obligation], bool]:
    """Whether an obligation stands before the first operation that others see, however often both run."""
    if first is None:
        return lambda obligation: True
    order = {op: number for number, op in enumerate(trace.reached)}  # in the order of the first visits
    around = surroundings(trace)

    def is_before(obligation: Obligation) -> bool:
        op = obligation.op
        once = trace.reached[op] == 1 and not any(scope.enter.repeats for scope in around[obligation])
        return once and order[op] <= order[first]

    return is_before


class _Seen:
    def __init__(self, program: Program, trace: Trace, rulebook: Rulebook) -> None:
        self._program = program
        self._trace = trace
        self._rulebook = rulebook
        self._makers = places_in(program).makers

    def is_seen(self, op: Operation) -> bool:
        """Whether an operation changes something besides its results and the buffers that the function made itself."""
        if not self._rulebook.effects(op).writes or op.successors:
            return False
        called = called_function(self._program, op)
        if called is not None and called.body is not None and op not in self._trace.unfollowed:
            return False  # what the callee does is looked at there
        buffers = [each for each in op.operands if _is_buffer(each)]
        return not buffers or op.name not in self._rulebook or not all(map(self._is_own, buffers))

    def _is_own(self, buffer: Value) -> bool:
        """Whether a buffer is made here of nothing that comes from outside, or is a view of such a one."""
        maker = self._makers.get(buffer)
        if maker is None or maker.regions:
            return False
        shaped = [each for each in maker.operands if isinstance(each.type, ShapedType)]
        if not shaped:
            return self._rulebook.effects(maker) == ANY_RESULT  # it holds whatever was there before
        return all(_is_buffer(each) and self._is_own(each) for each in shaped)


def _is_buffer(value: Value) -> bool:
    return isinstance(value.type, ShapedType) and value.type.container == "memref"
