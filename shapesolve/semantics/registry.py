"""The rule registry: one function for the op semantics of each operation.

A rule is registered by `rule` and found through the entry-point group ``shapesolve.rules``: an entry point names a
module (or package) whose import registers rules. The built-in rules are registered in the same way.

Only operations of built-in rules may be executed. Rules of a user's file, of a shape function library or of a package
are used in proofs, but cannot state that running an operation is safe.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from functools import cache
from typing import TYPE_CHECKING

from shapesolve.ir.program import Operation
from shapesolve.records import value_record
from shapesolve.semantics.effects import UNSTATED, Effects, EffectsOf
from shapesolve.semantics.op_semantics import OpSemantics

if TYPE_CHECKING:
    from shapesolve.semantics.context import RuleContext


RuleFunction = Callable[[Operation, "RuleContext"], OpSemantics]


@value_record
class ExternalEffect:
    """The external effect for which an operation with a rule must never be executed.

    Attributes:
        because: What it reaches outside of the program.
        unless: An attribute, and the values of it (as text) with which the operation has no external effect.
    """

    because: str
    unless: tuple[str, tuple[str, ...]] | None = None


@value_record
class Rule:
    """A registered rule.

    Attributes:
        op: The name of the operation.
        function: The function that gives the op semantics.
        example: The path of a case that shows the operation.
        module: The module, file or library that registered the rule.
        words: The docstring of the function.
        largest_size: A program with the operation is checked for sizes up to this only, and the report says so.
        outside: The external effect for which a program with the operation is not executed.
        effects: The effects of the operation besides returning results.
    """

    op: str
    function: RuleFunction
    example: str
    module: str
    words: str
    largest_size: int | None = None
    outside: ExternalEffect | None = None
    effects: EffectsOf = UNSTATED

    @property
    def clauses(self) -> Mapping[str, str]:
        """The numbered clauses of the docstring, by number ("C1")."""
        return clauses_in(self.words)

    @property
    def is_shape_function(self) -> bool:
        """Return whether the rule comes from a shape function library: no run of the program checks its claims."""
        return self.module.startswith("@")

    @property
    def has_requirements(self) -> bool:
        """Return whether the operation has requirements."""
        return any(number.startswith("C") for number in self.clauses)


TraitFunction = Callable[[Operation, "RuleContext", int], OpSemantics]
"""The op semantics of an operation with a trait; the number is that of a parametric trait, else 0."""


@value_record
class TraitSemantics:
    """The op semantics that a trait gives to operations without a rule.

    Attributes:
        name: The name of the trait. A parametric one is written with a number behind it: ``as-operand-0``.
        function: The function that gives the op semantics.
        module: The module that registered it.
        words: The docstring of the function.
        is_parametric: Whether the trait takes a number.
        carried_by: The operations known to carry it that have no rule.
    """

    name: str
    function: TraitFunction
    module: str
    words: str
    is_parametric: bool = False
    carried_by: tuple[str, ...] = ()


class RuleError(Exception):
    """Error of a rule that cannot be registered: no docstring, no example, or the operation already has a rule."""


CLAUSE = re.compile(r"^\s*\((?P<number>[A-Z]\d+)\)\s*(?P<text>.*?)(?=^\s*\([A-Z]\d+\)|\Z)", re.MULTILINE | re.DOTALL)


@cache  # asked for by the claim
def clauses_in(words: str) -> Mapping[str, str]:
    """Return the clauses of a docstring by their numbers, each in one line."""
    return {each["number"]: " ".join(each["text"].split()) for each in CLAUSE.finditer(words)}


class RuleRegistry:
    """All rules by operation name, including those of a base registry ``under`` this one, none of which is replaced."""

    def __init__(self, under: RuleRegistry | None = None) -> None:
        self._rules: dict[str, Rule] = {}
        self._safe_ops: dict[str, str] = {}
        self._effects: dict[str, Effects] = {}
        self._traits: dict[str, TraitSemantics] = {}
        self._under = under

    def __contains__(self, op: str) -> bool:
        return self.get(op) is not None

    def __len__(self) -> int:
        return len(self._rules) + (len(self._under) if self._under is not None else 0)

    def get(self, op: str) -> Rule | None:
        """Return the rule for an operation, or None."""
        found = self._rules.get(op)
        return found if found is not None or self._under is None else self._under.get(op)

    def clause_text(self, op: str, clause: str) -> str:
        """Return the text of a clause of an operation's rule, or "" if there is none."""
        rule = self.get(op)
        return "" if rule is None else rule.clauses.get(clause, "")

    def rules(self) -> list[Rule]:
        """Return all rules, by operation name."""
        below = self._under.rules() if self._under is not None else []
        return sorted([*below, *self._rules.values()], key=lambda each: each.op)

    def register(self, rule: Rule) -> None:
        """Add a rule.

        Raises:
            RuleError: if it lacks a docstring or an example, or if the operation already has a rule.
        """
        if not rule.words:
            raise RuleError(f"the rule for {rule.op} in {rule.module} has no words: say in its docstring what it means")
        if not rule.example:
            raise RuleError(f"the rule for {rule.op} in {rule.module} names no example")
        there = self.get(rule.op)
        if there is not None and there.function is not rule.function:
            raise RuleError(f"two rules for {rule.op}: one in {there.module}, one in {rule.module}")
        self._rules[rule.op] = rule

    def register_trait(self, semantics: TraitSemantics) -> None:
        """Add the op semantics of a trait.

        Raises:
            RuleError: if the trait has some already.
        """
        if semantics.name in self.traits():
            raise RuleError(f"two definitions of the trait {semantics.name}; one is in {semantics.module}")
        self._traits[semantics.name] = semantics

    def traits(self) -> dict[str, TraitSemantics]:
        """Return the traits with semantics, by name."""
        return {**(self._under.traits() if self._under is not None else {}), **self._traits}

    def safe_ops(self) -> dict[str, str]:
        """Return the operations without a rule that are safe to execute, and the module that says so.

        ``dialect.*`` stands for all operations of a dialect.
        """
        return {**(self._under.safe_ops() if self._under is not None else {}), **self._safe_ops}

    def register_safe_op(self, op: str, module: str) -> None:
        """Register an operation without a rule as safe to execute."""
        self._safe_ops[op] = module

    def effects(self, op: Operation) -> Effects:
        """Return the effects of an operation; all possible ones if they are not stated."""
        rule = self.get(op.name)
        if rule is None:
            return self._effects_without_rule(op.name)
        return rule.effects if isinstance(rule.effects, Effects) else rule.effects(op)

    def register_effects(self, op: str, effects: Effects) -> None:
        """Register the effects of an operation without a rule."""
        self._effects[op] = effects

    def _effects_without_rule(self, op: str) -> Effects:
        found = self._effects.get(op)
        if found is None and self._under is not None:
            return self._under._effects_without_rule(op)
        return UNSTATED if found is None else found


RULEBOOK = RuleRegistry()
"""The rule registry of this process."""

_current_registry: ContextVar[RuleRegistry] = ContextVar("_current_registry", default=RULEBOOK)


@contextmanager
def registering_in(registry: RuleRegistry) -> Generator[RuleRegistry]:
    """Make `rule` register in this registry instead of that of the process, within the context."""
    token = _current_registry.set(registry)
    try:
        yield registry
    finally:
        _current_registry.reset(token)


def split_names(names: str) -> list[str]:
    """Split names separated by spaces."""
    return names.split()


def rule(
    *ops: str,
    example: str,
    effects: EffectsOf = UNSTATED,
    largest_size: int | None = None,
    outside: ExternalEffect | None = None,
) -> Callable[[RuleFunction], RuleFunction]:
    """Register a function as the rule of one or more operations. ``example`` is the path of a case that shows it.

    ``effects`` are those of the operation besides returning results (`PURE`: none), or a function from an instance to
    its effects; an operation without stated effects is never erased, and is no function of its operands. An operation
    of a built-in rule may be executed unless it is said to reach ``outside`` of the program.
    """

    def register(function: RuleFunction) -> RuleFunction:
        words = inspect.getdoc(function) or ""
        for op in ops:
            made = Rule(op, function, example, function.__module__, words, largest_size, outside, effects)
            _current_registry.get().register(made)
        return function

    return register


def trait(
    name: str, *, is_parametric: bool = False, carried_by: tuple[str, ...] = ()
) -> Callable[[TraitFunction], TraitFunction]:
    """Register a function as the op semantics of every operation that is declared to carry a trait of this name."""

    def register(function: TraitFunction) -> TraitFunction:
        words = inspect.getdoc(function) or ""
        made = TraitSemantics(name, function, function.__module__, words, is_parametric, carried_by)
        _current_registry.get().register_trait(made)
        return function

    return register


def safe_to_execute(*ops: str, module: str) -> None:
    """Register operations without a rule as safe to execute: they have no external effect.

    ``dialect.*`` (or ``dialect.family.*``) stands for all operations whose names begin so. ``module`` is ``__name__``.
    """
    for op in ops:
        _current_registry.get().register_safe_op(op, module)


def without_rule(*ops: str, effects: Effects) -> None:
    """Register the effects of operations without a rule."""
    for op in ops:
        _current_registry.get().register_effects(op, effects)


_loaded = False


def load_rules() -> RuleRegistry:
    """Import every module that an entry point of ``shapesolve.rules`` names, once, and return the registry."""
    global _loaded
    if not _loaded:
        from importlib.metadata import entry_points

        _loaded = True
        for entry_point in sorted(
            entry_points(group="shapesolve.rules"),
            key=lambda entry_point: (entry_point.name != "builtin", entry_point.name),
        ):
            try:
                entry_point.load()
            except RuleError:
                raise
            except Exception as error:
                raise RuleError(
                    f"the rules of `{entry_point.name}` ({entry_point.value}) cannot be loaded: {error}"
                ) from error
    return RULEBOOK


_OWN = "shapesolve.constraints."


@value_record
class Executable:
    """The operations that may be executed.

    Attributes:
        names: The names of allowed operations.
        families: Prefixes of allowed names, up to a dot.
        only: For operations that are allowed for some values of an attribute: the attribute, and those values.
        outside: For known operations that are not allowed: their external effect.
    """

    names: frozenset[str]
    families: tuple[str, ...] = ()
    only: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict[str, tuple[str, tuple[str, ...]]])
    outside: Mapping[str, str] = field(default_factory=dict[str, str])

    def allows(self, op: str) -> bool:
        """Return whether an operation may be executed with some attributes."""
        return op in self.names or op.startswith(self.families)

    @property
    def dialects(self) -> frozenset[str]:
        """The dialects with operations that may be executed."""
        return frozenset(name.partition(".")[0] for name in (*self.names, *self.families))


def executable(registry: RuleRegistry | None = None) -> Executable:
    """Return the operations that may be executed according to the built-in rules."""
    book = load_rules() if registry is None else registry
    rules = [each for each in book.rules() if each.module.startswith(_OWN)]
    safe = [op for op, module in book.safe_ops().items() if module.startswith(_OWN)]
    outside = {each.op: each.outside for each in rules if each.outside is not None}
    names = {each.op for each in rules if each.outside is None} | {op for op in safe if not op.endswith(".*")}
    return Executable(
        frozenset(names),
        tuple(sorted(op.removesuffix("*") for op in safe if op.endswith(".*"))),
        {op: each.unless for op, each in outside.items() if each.unless is not None},
        {op: each.because for op, each in outside.items()},
    )
