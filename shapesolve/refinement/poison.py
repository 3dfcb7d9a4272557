"""Poison: results that are undefined, and do no harm until something is done with them that depends on them.

Where a flag of an operation is broken, or a shift is too wide, the operation is defined, and its result is poison.
For each value there is a formula that says when it is not poison: `PoisonTracking.clean`. Arithmetic on poison gives
poison, and a choice is poison if what is chosen is. Any other operation on poison may be undefined. That is a demand
that is only known to be met where the operand is clean, or where the other program has the same operation on an operand
that is poison in the same cases. A branch on poison is undefined, as in LLVM.

What is read from memory or from a tensor is poison in unknown cases if its contents may be (`undefined_contents`); the
same cases in both programs where both read the same.

A result that is poison in the source may be anything in the target (`results`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from shapesolve.ir.control_flow import Places
from shapesolve.ir.program import Operation, Region, ShapedType, Value
from shapesolve.refinement.undefined_contents import (
    NO_ORIGINS,
    OF_SHAPES,
    STORES,
    Origins,
    UndefinedContents,
    is_container,
)
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import Effects
from shapesolve.semantics.op_semantics import Claim, OpSemantics, PoisonFlow, Requires
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, disjunction, implies, negation, unequal
from shapesolve.trace.events import Kind

POISON = "P1"
"""The clause of the demand that nothing depends on poison."""

_BRANCHES = {"cf.cond_br", "cf.switch"}
_READS = {"tensor.extract", "memref.load"}
_CONDITIONAL = {"scf.condition", *_BRANCHES}
_CONTENTS = "whether what is read was written, and is not poison, is not followed"
_HARM = "an operand may be poison, and what that does is not followed"
_WRAPPED = "an operand may have wrapped around, and what its flags then say is not followed"
_RESULT = "whether a result is poison is not followed"

UnknownBit = Callable[[Operation, RuleContext, str, str], Formula]
"""Returns a truth that nothing is known of, for an operation: the same in both programs for equal texts."""


@dataclass(slots=True, eq=False)
class PoisonTracking:
    """The values of one program that may be poison, in program order.

    Attributes:
        clean: The formulas under which values are not poison; those without one never are.
    """

    _new_bit: UnknownBit
    _number_of: Callable[[Region], str]
    _places: Places
    _body: Region | None
    _effects: Callable[[Operation], Effects]
    _contents: UndefinedContents
    clean: dict[Value, Formula] = field(default_factory=dict[Value, Formula])
    _left: dict[Region, set[str]] = field(default_factory=dict[Region, set[str]])
    _marks: dict[Value, Origins] = field(default_factory=dict[Value, Origins])
    _read: set[Value] = field(default_factory=set[Value])
    _bits: set[Variable] = field(default_factory=set[Variable])
    _new: set[Value] = field(default_factory=set[Value])
    _no_overflow: dict[Operation, set[Formula]] = field(default_factory=dict[Operation, set[Formula]])

    def follow(self, op: Operation, ctx: RuleContext, semantics: OpSemantics, number: str) -> OpSemantics:
        """Note when the results of an operation are poison; return its semantics with the demands that this makes.

        Args:
            number: The value number of the operation.
        """
        for each in op.operands:
            self._ask(each, op, ctx)
        own, semantics = self._without_claims(op, ctx, semantics)
        semantics = self._follow_values(op, ctx, semantics, own)
        self._follow_contents(op, semantics, own, number)
        return semantics

    def _unknown_bit(self, op: Operation, ctx: RuleContext, text: str, reason: str) -> Formula:
        bit = self._new_bit(op, ctx, text, reason)
        self._bits |= bit.variables
        return bit

    def _ask(self, value: Value, op: Operation, ctx: RuleContext) -> None:
        """Give a value that is marked a formula under which it is clean."""
        if is_container(value) or value in self.clean:
            return
        origins = self._contents.mark_of(value)
        if origins:
            text = _text("contents", *sorted(origins))
            self.clean[value] = self._unknown_bit(op, ctx, text, _CONTENTS)
            self._marks[value] = origins
            if self._contents.is_only_read(value):
                self._read.add(value)

    def _follow_contents(self, op: Operation, semantics: OpSemantics, own: Formula, number: str) -> None:
        contents, effects = self._contents, self._effects(op)
        passed = self._passed(op.operands)
        made = NO_ORIGINS if own is TRUE else frozenset((_text(number, str(own)),))
        if semantics.results.is_poison:
            contents.allocate(op, number)
            made |= {number}
            if not any(map(is_container, op.operands)):
                self._new.update(op.results)
        origins = made.union(*(its for each, its, _ in passed if not is_container(each)))
        is_read = own is TRUE and semantics.results.poison_flow is PoisonFlow.ANY_OPERAND
        is_read = is_read and all(each for _, _, each in passed)
        for result in op.results:
            self._read.discard(result)
            if result in self.clean and origins:
                self._marks[result] = origins
                if is_read:
                    self._read.add(result)
            if is_container(result):
                contents.mark(result, origins)
        contents.read(op, effects, number)
        regions = [run.region for run in semantics.regions]
        contents.enter(op, regions, passed)
        if op.indexing_maps is not None or (effects.writes and not regions):
            contents.write(op, origins | contents.read_contents(op, effects))

    def _passed(self, values: Iterable[Value]) -> list[tuple[Value, Origins, bool]]:
        """Return values with the origins of what is undefined in them, and whether that was only read."""
        found: list[tuple[Value, Origins, bool]] = []
        for each in values:
            clean = self.clean.get(each, TRUE)
            its = NO_ORIGINS if clean is TRUE else self._marks.get(each) or frozenset((_text(str(clean)),))
            found.append((each, its | self._contents.contents(each), clean is TRUE or each in self._read))
        return found

    def _leave_contents(self, op: Operation, regions: Sequence[Region]) -> None:
        """Mark what the regions hand on: the results, the next iteration's arguments, and buffers that are written."""
        contents = self._contents
        for region in regions:
            for block in region.blocks:
                if not block.operations or block.operations[-1].successors:
                    continue
                handed_on = self._passed(block.operations[-1].operands)
                contents.hand_on(op, regions, handed_on)
                if op.indexing_maps is not None:
                    contents.write(op, NO_ORIGINS.union(*(its for _, its, _ in handed_on)))

    def _follow_values(self, op: Operation, ctx: RuleContext, semantics: OpSemantics, own: Formula) -> OpSemantics:
        asked = op.operands
        if op.name in _BRANCHES and self._is_known(asked[0]):
            clean = self.clean.get(asked[0], TRUE)
            asked = asked[1:]
            if clean is not TRUE:
                semantics = _before_checks(Claim(POISON, clean, "the condition is poison"), semantics)
        given = [self.clean[each] for each in asked if self.clean.get(each, TRUE) is not TRUE]
        for result in op.results:
            self.clean.pop(result, None)
        if semantics.results.is_poison and not any(isinstance(each.type, ShapedType) for each in op.results):
            self.clean.update(dict.fromkeys(op.results, FALSE))
        if own is TRUE and not given:
            return semantics
        flow = semantics.results.poison_flow
        if flow is PoisonFlow.ANY_OPERAND:
            self._put(op, ctx, conjunction((own, *given)))
        elif flow in (PoisonFlow.DIVIDED, PoisonFlow.DIVIDED_SIGNED):
            self._put(op, ctx, conjunction((own, *given)))
            return semantics.with_claims(*self._division_claims(op, ctx, flow))
        elif flow is PoisonFlow.CHOSEN:
            self._put(op, ctx, conjunction((own, self._chosen(op, ctx))))
        elif not self._returns(op):
            return self._demanded(op, ctx, semantics, own, given)
        return semantics

    def _division_claims(self, op: Operation, ctx: RuleContext, flow: PoisonFlow) -> Iterable[Claim]:
        dividend, divisor = (self.clean.get(each, TRUE) for each in (op.operands[0], op.operands[-1]))
        if divisor is not TRUE:
            yield Claim(POISON, divisor, "the divisor is poison")
        if dividend is not TRUE and flow is PoisonFlow.DIVIDED_SIGNED:
            harmless = self._unknown_bit(op, ctx, _text("dividend", str(dividend)), _HARM)
            number = ctx.seen(op.operands[-1])
            other = unequal(number, -1) if isinstance(number, Dim) else FALSE
            # Poison may be the least integer, whose quotient by -1 is undefined.
            yield Claim(POISON, disjunction((dividend, other, harmless)), "what is divided by -1 is poison")

    def _is_known(self, value: Value) -> bool:
        """Return whether it is known when a value is poison. An element that was never written may not be."""
        return not self.clean.get(value, TRUE).variables & self._bits

    def leave(self, op: Operation, ctx: RuleContext, regions: Iterable[Region]) -> None:
        """Note that the regions of an operation have run: its results may be poison if what they yielded may be."""
        regions = list(regions)
        self._leave_contents(op, regions)
        texts = {text for each in regions for text in self._left.get(each, ())}
        if texts and op.results:
            known = (self.clean.get(result, TRUE) for result in op.results)
            bit = self._unknown_bit(op, ctx, _text(_RESULT, *sorted(texts)), _RESULT)
            self.clean.update(zip(op.results, [conjunction((each, bit)) for each in known], strict=True))
            self._marks.update(dict.fromkeys(op.results, frozenset(texts)))

    def results(self, values: Sequence[Value], *, may_be_anything: bool) -> tuple[Formula, ...]:
        """Return when each of these results is not poison.

        Args:
            may_be_anything: Whether an element that was never written, and is only returned, counts as poison.
        """
        return tuple(
            FALSE if may_be_anything and self._is_never_written(each) else self.clean.get(each, TRUE) for each in values
        )

    def _is_never_written(self, value: Value) -> bool:
        """Return whether a value is an element of new memory that nothing else uses, and is itself used once."""
        op = self._places.makers.get(value)
        container = op.operands[0] if op is not None and op.name in _READS else None
        if container is None or container not in self._new or value.uses != 1:
            return False
        return all(each is op or each.name in OF_SHAPES for each in self._places.users.get(container, ()))

    def _without_claims(self, op: Operation, ctx: RuleContext, semantics: OpSemantics) -> tuple[Formula, OpSemantics]:
        """Return when the operation itself makes no poison, and its semantics without the claims that say so."""
        claims = semantics.requires.claims
        making = [each.formula for each in claims if each.makes_poison]
        assumed = semantics.assumes
        if assumed.flags_hold is not TRUE:
            making.append(self._where_exact(op, ctx, assumed.flags_hold))
        if assumed.no_overflow is not TRUE:
            self._no_overflow.setdefault(op, set()).add(assumed.no_overflow)
        unknown = semantics.requires.unknown
        if not making and not (unknown and semantics.requires.unknown_makes_poison):
            return TRUE, semantics
        if unknown:
            making.append(self._unknown_bit(op, ctx, unknown, unknown))
        kept = Requires(tuple(each for each in claims if not each.makes_poison))
        semantics = replace(semantics, requires=kept)
        if unknown:
            semantics = replace(semantics, successors=replace(semantics.successors, may_not_return=""))
        return conjunction(making), semantics

    def _where_exact(self, op: Operation, ctx: RuleContext, flags_hold: Formula) -> Formula:
        """Return when flags of an operation hold: that is not known of operands that may have wrapped around."""
        exact = conjunction(each for before in self._behind(op) for each in self._no_overflow.get(before, ()))
        if exact is TRUE:
            return flags_hold
        bit = self._unknown_bit(op, ctx, _text("flags"), _WRAPPED)
        return disjunction((conjunction((exact, flags_hold)), conjunction((negation(exact), bit))))

    def _behind(self, op: Operation) -> Iterable[Operation]:
        """Return the operations that the operands are computed by, or may be."""
        found: dict[Operation, None] = {}
        waiting = list(op.operands)
        while waiting:
            value = waiting.pop()
            maker = self._places.makers.get(value)
            if maker is None and not self._is_argument(value):
                return self._no_overflow
            if maker is not None and maker not in found:
                inside = list(maker.walk())
                found.update(dict.fromkeys(inside))
                waiting += (each for inner in inside for each in inner.operands)
        return found

    def _is_argument(self, value: Value) -> bool:
        return self._body is not None and value in self._body.blocks[0].arguments

    def _put(self, op: Operation, ctx: RuleContext, clean: Formula) -> None:
        """Note when the results are not poison. Of tensors, that is known for all elements together only."""
        if any(isinstance(each.type, ShapedType) for each in op.results):
            clean = disjunction((clean, self._unknown_bit(op, ctx, _text(_RESULT, str(clean)), _RESULT)))
        self.clean.update(dict.fromkeys(op.results, clean))

    def _chosen(self, op: Operation, ctx: RuleContext) -> Formula:
        condition, *others = (self.clean.get(each, TRUE) for each in op.operands)
        try:
            holds = ctx.truth(op.operands[0])
        except UnknownValueError:
            holds = self._unknown_bit(op, ctx, "the condition", _RESULT)
        first, second = others
        return conjunction((condition, implies(holds, first), implies(negation(holds), second)))

    def _demanded(
        self, op: Operation, ctx: RuleContext, semantics: OpSemantics, own: Formula, given: Sequence[Formula]
    ) -> OpSemantics:
        clean = conjunction(given)
        if not given:
            self._put(op, ctx, own)
            return semantics
        if own is TRUE and self._only_hands_on(op):
            return semantics
        texts = (*map(str, given), str(own))
        region = self._ended(op)
        if region is not None:
            self._left.setdefault(region, set()).update(texts)
            texts = (*texts, self._number_of(region))
        if op.results:
            result = self._unknown_bit(op, ctx, _text(_RESULT, *texts), _RESULT)
            self._put(op, ctx, disjunction((conjunction((own, clean)), result)))
        harmless = self._unknown_bit(op, ctx, _text(_HARM, *texts), _HARM)
        claim = Claim(POISON, disjunction((clean, harmless)), "an operand is poison")
        return _before_checks(claim, semantics)

    def _ended(self, op: Operation) -> Region | None:
        """Return the region that an operation ends, or a block of it; None if it ends none."""
        region = self._places.regions.get(op)
        if region is None or (region is self._body and len(region.blocks) == 1):
            return None
        block, place = self._places.blocks[op]
        return region if place == len(block.operations) - 1 else None

    def _only_hands_on(self, op: Operation) -> bool:
        """Return whether an operation stores or hands on all of its operands that may be poison, as they were read."""
        unclean = [place for place, each in enumerate(op.operands) if self.clean.get(each, TRUE) is not TRUE]
        if not all(op.operands[place] in self._read for place in unclean):
            return False
        if op.name in STORES:
            return unclean == [0]
        if op.name in _CONDITIONAL:
            return 0 not in unclean
        return op.name.rpartition(".")[2] in ("yield", "return", "br")

    def _returns(self, op: Operation) -> bool:
        """Return whether an operation is the only terminator of the compared function."""
        body = self._body
        return body is not None and len(body.blocks) == 1 and body.blocks[0].operations[-1] is op


def _text(*parts: str) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def _before_checks(demand: Claim, semantics: OpSemantics) -> OpSemantics:
    """Return the semantics with a demand before the checks: it is not known what a check of poison does."""
    claims = semantics.requires.claims
    others = tuple(each for each in claims if each.kind is not Kind.CHECK)
    checks = tuple(each for each in claims if each.kind is Kind.CHECK)
    return replace(semantics, requires=replace(semantics.requires, claims=(*others, demand, *checks)))
