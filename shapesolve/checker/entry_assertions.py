"""Assumptions stated by entry assertions, as far as the assertions check them.

The text of an assertion is believed where the claims checked before anything else can fail imply it. A text that some
small sizes falsify although they pass these checks is not believed, and a note says so. Sizes so large that the checks
wrap around are left aside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from shapesolve.checker.check import trace_of
from shapesolve.domain.values import Tensor
from shapesolve.ir.assumptions import UNNAMED, Preconditions
from shapesolve.ir.program import Block, Function, Program, Region
from shapesolve.options import Options
from shapesolve.preconditions.attributes import stated_preconditions
from shapesolve.preconditions.jax_assertions import asserted_at_entries, is_entry_assertion
from shapesolve.solver.entailment import entails, prove
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, of_atom
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, equal
from shapesolve.symbolic.linear import offset_and_stride
from shapesolve.symbolic.parser import names_in, parse_formula, parse_size
from shapesolve.symbolic.scope import Scope
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.trace.events import Enter, Fact, Leave, MayNotReturn, Obligation, Trace

_LARGEST = 1000
"""Products of a few sizes up to this do not wrap around in 32 bits."""


def with_entry_assertions(program: Program, options: Options, *, from_words: bool = True) -> Program:
    """Return the program with the preconditions that its entry assertions state and check.

    Args:
        from_words: Whether to believe the text of a function that states no precondition itself.
    """
    asserted = asserted_at_entries(program, from_words=from_words)
    found: dict[Function, Preconditions] = {}
    notes: list[str] = []
    for function, preconditions in asserted.asserted.items():
        checked = _Checked(preconditions, program, function, options)
        wrong = checked.not_checked()
        if not wrong:
            found[function] = preconditions
            continue
        notes += [f"the assertions at the entry of @{function.name} say `{each}` and do not check it" for each in wrong]
        if not stated_preconditions(function).stated_by:
            found[function] = checked.without(wrong)
    return replace(asserted, asserted=found, notes=(*asserted.notes, *notes)) if notes else asserted


@dataclass
class _Checked:
    """Preconditions that the entry assertions of one function state, compared with what they check."""

    stated: Preconditions
    program: Program
    function: Function
    options: Options
    extents: dict[tuple[int, int], Dim] = field(default_factory=dict[tuple[int, int], Dim])

    def not_checked(self) -> list[str]:
        """Return the texts that some small sizes falsify although they pass the assertions."""
        trace = self._trace()
        if trace is None:
            return []
        self.extents = dict(_extents(trace))
        passed = _passed(trace)
        small = [at_least(_LARGEST, of_atom(each)) for each in trace.input_variables]
        names = self._solved()
        claims = {**self._forms(names), **self._assumed(names)}
        return [text for text, claim in claims.items() if _is_refuted(claim, passed, small)]

    def without(self, wrong: Sequence[str]) -> Preconditions:
        """Return the preconditions without these texts; names whose forms are wrong are dropped."""
        shapes = [
            replace(shape, names=tuple(UNNAMED if self._spelled(shape.argument, at, text) in wrong else text
                                       for at, text in enumerate(shape.names)))
            for shape in self.stated.shapes
        ]  # fmt: skip
        borne = {name for shape in shapes for text in shape.names if text != UNNAMED for name in names_in(text)}
        kept = [a for a in self.stated.assumptions if a.text not in wrong and borne.issuperset(names_in(a.text))]
        return replace(self.stated, assumptions=tuple(kept), shapes=tuple(shapes))

    def _trace(self) -> Trace | None:
        """Interpret the function up to its last assertion, with nothing assumed of its arguments."""
        body = self.function.body
        if body is None or not body.blocks:
            return None
        first = body.blocks[0]
        places = [at for at, op in enumerate(first.operations) if is_entry_assertion(op)]
        if not places:
            return None
        region = Region((Block(first.arguments, first.operations[: places[-1] + 1]),))
        bare = replace(self.options, assumptions=(), shapes=(), min_size=0, distrust=True, certify=False)
        return trace_of(self.program, replace(self.function, body=region), bare)

    def _solved(self) -> Mapping[str, Dim]:
        """Return each named size in terms of extents, solving the forms one name after the other."""
        found: dict[str, Dim] = {}
        open_forms = list(self._texts())
        while True:
            for place, text in open_forms:
                new = set(names_in(text)) - set(found)
                size = self._solution(new.pop(), text, found, place) if len(new) == 1 else None
                if size is not None:
                    found[size[0]] = size[1]
                    open_forms.remove((place, text))
                    break
            else:
                return found

    def _solution(
        self, name: str, text: str, known: Mapping[str, Dim], place: tuple[int, int]
    ) -> tuple[str, Dim] | None:
        unknown = Variable.of(name)
        form = parse_size(text, Scope.closed({**known, name: of_atom(unknown)}, {}))
        split = offset_and_stride(form, unknown)
        if split is None or place not in self.extents:
            return None
        rest, pace = split
        return name, (self.extents[place] - rest) * (1 if pace > 0 else -1) // abs(pace)

    def _texts(self) -> list[tuple[tuple[int, int], str]]:
        return [
            ((shape.argument, at), text)
            for shape in self.stated.shapes
            if shape.argument is not None
            for at, text in enumerate(shape.names)
            if text != UNNAMED
        ]

    def _spelled(self, argument: int | None, at: int, text: str) -> str:
        return f"{self.function.arguments[argument or 0].name}[{at}] == {text}"

    def _forms(self, names: Mapping[str, Dim]) -> dict[str, Formula]:
        scope = Scope.closed(names, {})
        return {
            self._spelled(*place, text): conjunction(
                (equal(parse_size(text, scope), self.extents[place]), *(at_least(names[n], 0) for n in names_in(text)))
            )
            for place, text in self._texts()
            if place in self.extents and set(names_in(text)) <= set(names)
        }

    def _assumed(self, names: Mapping[str, Dim]) -> dict[str, Formula]:
        scope = Scope.closed(names, {})
        return {
            each.text: parse_formula(each.text, scope)
            for each in self.stated.assumptions
            if set(names_in(each.text)) <= set(names)
        }


def _extents(trace: Trace) -> list[tuple[tuple[int, int], Dim]]:
    return [
        ((position, at), extent)
        for position, value in enumerate(trace.inputs)
        if isinstance(value, Tensor) and isinstance(value.shape, RankedShape)
        for at, extent in enumerate(value.shape.dims)
    ]


def _passed(trace: Trace) -> list[Formula]:
    """Return the claims of the assertions before which nothing else can fail, and the facts between them."""
    found: list[Formula] = []
    depth = 0
    for event in trace.events:
        if isinstance(event, Enter):
            depth += 1
        elif isinstance(event, Leave):
            depth -= 1
        elif isinstance(event, MayNotReturn):
            break
        elif isinstance(event, Fact) and not depth:
            found.append(event.formula)
        elif isinstance(event, Obligation):
            if not depth and is_entry_assertion(event.op):
                found.append(event.claim)
            elif not entails(event.claim, found):
                break
    return found


def _is_refuted(claim: Formula, passed: Sequence[Formula], small: Sequence[Formula]) -> bool:
    return not entails(claim, passed) and isinstance(prove(claim, [*passed, *small]), Refuted)
