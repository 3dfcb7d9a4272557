"""Conditions on data that a PyTorch model states by ``torch._check``, in its exported program."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from shapesolve.frontends.export_process import Facts
from shapesolve.frontends.torch_declared import environment_of
from shapesolve.frontends.torch_facts import user_inputs
from shapesolve.frontends.torch_recording import Recording
from shapesolve.ir import bindings
from shapesolve.ir.own_attributes import DECLARED
from shapesolve.preconditions.python_guards import condition_text, normalized_claims
from shapesolve.solver.entailment import prove
from shapesolve.solver.verdicts import Proved
from shapesolve.symbolic.parser import names_in, parse_formula
from shapesolve.symbolic.scope import Scope

_ASSERTION = "torch.aten._assert_scalar"
_SYMBOL = re.compile(r"[suz]+[if]?\d+")
_NAME = re.compile(r"[A-Za-z_]\w*")
_BUDGET = 200_000


def stated_conditions(program: Any, found: Recording) -> frozenset[str]:
    """Return the conditions on data that the model states, in normal form over the symbols of the exported program.

    Those behind a branch of the model are not among them: what is stated there does not hold elsewhere.
    """
    environment = environment_of(user_inputs(program))
    conditions = {condition for condition, _ in found.checks}  # each is also a guard of what comes after it
    stated = [condition for condition, before in found.checks if conditions.issuperset(before)]
    if environment is not None:  # a symbol may have become a multiple of another one meanwhile
        stated += [environment.replace(each) for each in stated]
    return frozenset(text for each in stated if (text := _normal(each)) is not None)


def stated_assertions(program: Any, stated: frozenset[str], facts: Facts) -> frozenset[str]:
    """Return the messages of the assertions of a program, each of its own, that state such conditions.

    So do those of torch.export that are upper bounds of data by these and by the declared facts: ``u0 <= 64`` where the
    model states ``u0 <= B``.
    """
    if not stated:
        return frozenset()
    target = import_module("torch").ops.aten._assert_scalar.default
    asserted = [(_expression(node.args[0]), node.args[1]) for node in program.graph.nodes if node.target is target]
    symbols = _symbols_of_extents(program, facts)
    known = [*stated, *_over_symbols(symbols, facts)]
    sizes = frozenset(name for pair in symbols.items() for each in pair for name in names_in(each))
    return frozenset(
        message
        for condition, message in asserted
        if (text := _normal(condition)) in stated or (_is_upper_bound(condition) and _is_implied(text, known, sizes))
    )


def _symbols_of_extents(program: Any, facts: Facts) -> Mapping[str, str]:
    """Return the exporter's symbols of declared extents that are one."""
    symbols: dict[str, str] = {}
    for position, (_, value) in enumerate(user_inputs(program)):
        for text, extent in zip(facts.shapes.get(position, ()), getattr(value, "shape", ()), strict=False):
            symbols[text] = str(getattr(getattr(extent, "node", None), "expr", extent))
    return {text: symbol for text, symbol in symbols.items() if _SYMBOL.fullmatch(symbol)}


def _over_symbols(symbols: Mapping[str, str], facts: Facts) -> Sequence[str]:
    """Return the declared facts over the exporter's symbols, none if the user's other names are like these."""
    texts = [each for each in facts.assumptions if "[" not in each]  # extents without a name
    names = {name for each in texts for name in names_in(each)} - symbols.keys()
    if any(_SYMBOL.fullmatch(each) for each in names):
        return ()
    return [_NAME.sub(lambda found: symbols.get(found[0], found[0]), each) for each in texts]


def _is_upper_bound(condition: Any) -> bool:
    """Return whether a condition is an upper bound of one number by another."""
    if type(condition).__name__ != "LessThan":
        return False
    left, right = condition.args
    return bool(left.is_Symbol and right.is_Integer)


def _is_implied(text: str | None, known: Sequence[str], sizes: frozenset[str]) -> bool:
    """Return whether a condition is implied by others, where all but these sizes may be negative."""
    if text is None:
        return False
    scope = Scope.free()
    for name in {name for each in (text, *known) for name in names_in(each)} - sizes:
        scope.declare_integer(name)
    facts = [parse_formula(each, scope) for each in known]
    return isinstance(prove(parse_formula(text, scope), facts, budget=_BUDGET), Proved)


def mark_stated(module: Any, messages: frozenset[str]) -> None:
    """Mark the assertions with these messages in a program, at PyTorch's level or lowered, as declared."""
    if not messages:
        return
    with module.context:
        for function in module.body.operations:
            for op in function.regions[0].blocks[0].operations if function.regions else ():
                if _message(op.operation) in messages:
                    op.operation.attributes[DECLARED] = bindings.ir().UnitAttr.get()


def _message(op: Any) -> str:
    """Return the message of an assertion, "" for other operations."""
    if op.name == "cf.assert":
        return str(op.attributes["msg"].value)
    if op.name != _ASSERTION:
        return ""
    attributes = op.operands[1].owner.attributes
    return attributes["value"].value if "value" in attributes else ""


def _expression(condition: Any) -> Any:
    value = condition.meta.get("val") if hasattr(condition, "meta") else condition
    return getattr(getattr(value, "node", None), "expr", None)


def _normal(condition: Any) -> str | None:
    """Return a condition on data over the exporter's symbols in its normal form, None if it has none."""
    symbols: Mapping[str, str] = {str(each): str(each) for each in getattr(condition, "free_symbols", ())}
    unbacked = [each for each in symbols if each.startswith("u")]
    text = condition_text(condition, symbols) if unbacked else None
    return None if text is None else " and ".join(normalized_claims([text], unbacked))
