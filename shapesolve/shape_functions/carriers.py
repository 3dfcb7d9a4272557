"""Operations without a rule that are declared to carry a trait, and the rules that follow from the trait."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from shapesolve.errors import InputError
from shapesolve.ir.own_attributes import CARRIERS
from shapesolve.ir.program import Operation, Program
from shapesolve.records import value_record
from shapesolve.semantics.context import RuleContext
from shapesolve.semantics.op_semantics import OpSemantics
from shapesolve.semantics.registry import Rule, RuleRegistry, TraitSemantics

OPTION = "--carrier"

DEFAULT = "Broadcastable"
"""The trait of an operation that is named without one."""

_OPERATION = re.compile(r"[A-Za-z_][\w$]*(\.[\w$]+)+")
_PARAMETRIC = re.compile(r"(?P<name>.+)-(?P<number>\d{1,4})")


@value_record
class Carrier:
    """An operation and the trait that it is declared to carry. ``by`` is the option, or the attribute of the file."""

    op: str
    trait: str
    by: str
    where: str


def carriers_in(program: Program, options: Sequence[str]) -> tuple[Carrier, ...]:
    """Return what the options and the attribute of the program declare. Raises InputError for malformed text."""
    stated = program.operation.attributes.get(CARRIERS, ())
    if not isinstance(stated, tuple) or not all(isinstance(each, str) for each in stated):
        form = f'{CARRIERS} = ["my.op=Elementwise"]'
        raise InputError(f"{CARRIERS} is a list of strings: {form}", where=str(program.operation.location))
    own = [parse_carrier(str(text), CARRIERS, f"{program.operation.location}: {CARRIERS}") for text in stated]
    return tuple(dict.fromkeys([*(parse_carrier(text, OPTION) for text in options), *own]))


def parse_carrier(text: str, by: str, where: str = "") -> Carrier:
    """Read ``my.op=TRAIT``, or ``my.op`` for `DEFAULT`. Raises InputError for text of another form."""
    op, equals, trait = (part.strip() for part in text.partition("="))
    if not _OPERATION.fullmatch(op) or (equals and not trait):
        raise InputError(f"`{text}` does not have the form my.op or my.op=TRAIT", where=where or by)
    return Carrier(op, trait or DEFAULT, by, where or by)


def with_carriers(program: Program, options: Sequence[str], under: RuleRegistry) -> RuleRegistry:
    """Return the registry with a rule for every operation that is declared, or known, to carry a trait.

    Raises InputError for a trait that has no semantics, an operation that has a rule, and one with two traits.
    """
    chosen: dict[str, Carrier] = {}
    for each in carriers_in(program, options):
        rule = _with_known(under).get(each.op)
        if rule is not None:
            message = f"{each.op} has a rule already ({rule.module}), which a trait does not replace"
            raise InputError(message, where=each.where)
        other = chosen.setdefault(each.op, each)
        if other.trait != each.trait:
            raise InputError(f"{each.op} carries {each.trait} here, and {other.trait} by {other.by}", where=each.where)
    book = RuleRegistry(_with_known(under))
    for each in chosen.values():
        book.register(_rule(each, *_semantics(each, under)))
    return book if chosen else _with_known(under)


@lru_cache(maxsize=4)
def _with_known(under: RuleRegistry) -> RuleRegistry:
    """Return the registry with rules for the operations that carry a trait without a declaration."""
    book = RuleRegistry(under)
    for trait in under.traits().values():
        for name in trait.carried_by:
            if name not in under:
                book.register(Rule(name, _Carrying(trait, 0, "").op_semantics, trait.module, trait.module, trait.words))
    return book


def _semantics(carrier: Carrier, book: RuleRegistry) -> tuple[TraitSemantics, int]:
    traits = book.traits()
    found = traits.get(carrier.trait)
    if found is not None and not found.is_parametric:
        return found, 0
    match = _PARAMETRIC.fullmatch(carrier.trait)
    found = traits.get(match["name"]) if match else None
    if match and found is not None and found.is_parametric:
        return found, int(match["number"])
    known = ", ".join(f"{each.name}-N" if each.is_parametric else each.name for each in traits.values())
    message = f"nothing is known of a trait `{carrier.trait}`; known are {known}"
    raise InputError(message, where=carrier.where)


def _rule(carrier: Carrier, trait: TraitSemantics, number: int) -> Rule:
    assumed = f"{carrier.op} carries {carrier.trait} ({carrier.by})"
    return Rule(carrier.op, _Carrying(trait, number, assumed).op_semantics, carrier.where, carrier.by, trait.words)


@value_record
class _Carrying:
    """An operation that carries a trait. ``assumed`` says who declared that; "" where it is known."""

    trait: TraitSemantics
    number: int
    assumed: str

    def op_semantics(self, op: Operation, ctx: RuleContext) -> OpSemantics:
        """Return the semantics of one instance of the operation."""
        found = self.trait.function(op, ctx, self.number)
        if not self.assumed:
            return found
        return replace(found, assumes=replace(found.assumes, modeling=(*found.assumes.modeling, self.assumed)))
