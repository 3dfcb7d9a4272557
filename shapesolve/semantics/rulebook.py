"""The rulebook: what each operation means, one function each.

A rule is registered by `rule` and found through the entry-point group ``shapesolve.rules``: an entry point names a
module (or package) whose import registers rules in the rulebook. Ours enter by the same door as anybody's.

Which operations may be executed: those that the rulebook's own rules understand, and say nothing against.

What a user's file of rules, a library or somebody's package registers has a meaning for proofs. Whether running it is
harmless only our own rules can say, which were written beside the lowering.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import KW_ONLY, field
from functools import cache
from typing import TYPE_CHECKING

from shapesolve.domain.values import Abstract
from shapesolve.ir.program import Operation, Value
from shapesolve.reasons import Reason
from shapesolve.records import record, value_record
from shapesolve.semantics.effects import UNSTATED, Effects, EffectsOf
from shapesolve.semantics.regions import RegionRun
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.derivations import maker
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.trace.events import Kind
from shapesolve.trace.trust import ModelingAssumption

if TYPE_CHECKING:
    from shapesolve.semantics.context import RuleContext


@record
class Claim:
    """A claim of a rule: the numbered clause of its docstring, the formula, and what is said when it is false.

    ``is_barrier``: the operations behind it in the program come after it when they run, so that they may rely on it.
    ``made_by`` is the step of the record, if one is kept, that made the formula.
    ``of_type``: it says that a result has the rank and the static extents that its type states.
    ``may_be_dropped``: a check that the language defines, and that a lowering of the operation may leave out.
    ``here`` is said after the message of the values at hand; the message is the same wherever the operation runs.
    ``said`` is what the program's author says of it, in quotes, which comes first.
    """

    clause: str
    formula: Formula
    message: str
    kind: Kind = Kind.UB
    shown: tuple[tuple[str, Dim], ...] = ()
    is_barrier: bool = True
    of_type: bool = False
    may_be_dropped: bool = False
    here: str = ""
    said: str = ""
    made_by: int | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "made_by", maker(self.formula))


Yields = Sequence[tuple[Abstract, ...] | None]
"""What each region's terminator yielded; None where no terminator was reached."""


@value_record
class Branch:
    """A way on from the end of a block: when it is taken, and what the next block is given."""

    condition: Formula
    given: tuple[Value, ...] = ()


@value_record
class Memory:
    """What an operation does to the life of memory.

    ``frees``: the buffers that may not be used afterwards. ``allocates``: its results are buffers of their own, to be
    freed at most once; where it ``is_scoped``, they end by themselves with the scope around them.
    """

    frees: tuple[Value, ...] = ()
    allocates: bool = False
    is_scoped: bool = False


@value_record
class Folds:
    """What an operation comes down to, and where: what a rewriter may leave of it, wherever all that it demands holds.

    Where one of the conditions in ``branches`` holds, the region of that number runs and no other, and the results are
    what it yields. The result is one of the values in ``chooses`` (an operand or a constant), or has the extents and
    the elements of one in ``copies``, where what stands beside it holds. ``runs``: where the region never runs, so that
    the results are what it carries first; and where it runs once.
    """

    branches: tuple[Formula, ...] = ()
    chooses: tuple[tuple[Value | int, Formula], ...] = ()
    copies: tuple[tuple[Value, Formula], ...] = ()
    runs: tuple[Formula, ...] = ()


@record
class OpSemantics:
    """What an operation means at one place; its results first, everything else by name.

    What is ``known`` of the operands holds from the beginning; then the claims are raised, in order; then the facts
    hold, and what somebody ``stated`` is assumed; then the regions run; then the results exist. ``finish`` computes the
    results from what the regions yielded, instead of ``results``. ``free`` are the variables that the approximations
    stand for. ``asks`` are conditions that choose between regions: whether one always holds here, a rewriter may want
    to know. Where the results exist, the ``guard`` has held. The results are right only where what the rule
    ``presumes`` holds; that is what ``leans_on`` says in words, and ``otherwise`` is what the operation does elsewhere.
    ``memory`` says which memory begins and ends here.

    Where a claim of undefined behaviour is false, the results are *some* values of their types. What holds of them all
    the same is said by ``bears``: that the extents of the results (and results that are numbers) are those given here,
    whatever the operation demands, as long as these operands have the extents that their types state. None: nothing is
    said, and nothing is assumed.

    ``simpler`` says what the operation comes down to.

    ``branches`` are the ways on of the end of a block, one for each of its successors; exactly one of them is taken.

    ``unchecked`` says why nobody knows whether the claims are all that is demanded; ``may_end``, why the program may
    end here, or never get further, for sizes that nobody knows.
    """

    results: tuple[Abstract, ...] = ()
    _: KW_ONLY
    claims: tuple[Claim, ...] = ()
    facts: tuple[tuple[Formula, str], ...] = ()
    stated: tuple[tuple[Formula, str], ...] = ()
    asks: tuple[Formula, ...] = ()
    regions: tuple[RegionRun, ...] = ()
    finish: Callable[[Yields], tuple[Abstract, ...]] | None = None
    approximations: tuple[Reason, ...] = ()
    free: frozenset[Variable] = frozenset()
    leans_on: tuple[ModelingAssumption, ...] = ()
    known: tuple[tuple[Formula, str], ...] = ()
    only_bounds: bool = False
    """What is known, and the facts, bound what the free variables stand for, and are true of whatever that is."""
    guard: Formula = TRUE
    is_undefined: bool = False
    """The results, or what they hold, are whatever a compiler likes."""
    presumes: Formula = TRUE
    otherwise: str = "wraps around"
    memory: Memory = Memory()
    bears: tuple[Value, ...] | None = None
    simpler: Folds = Folds()
    branches: tuple[Branch, ...] = ()
    unchecked: str = ""
    may_end: str = ""


RuleFunction = Callable[[Operation, "RuleContext"], OpSemantics]


@value_record
class ExternalEffect:
    """Why an operation that has a rule must never be executed: what it reaches outside of the program.

    ``unless`` names an attribute and the values of it (text) with which the operation reaches nothing.
    """

    because: str
    unless: tuple[str, tuple[str, ...]] | None = None


@value_record
class Rule:
    """A registered rule: ``words`` is its docstring.

    ``largest_size``: a program that holds the operation is checked for sizes up to this only, and the report says so.
    ``outside``: a program that holds the operation is not executed. ``effects``: what it does besides giving results.
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
        """The numbered clauses of its words, by number ("C1")."""
        return _clauses_in(self.words)

    @property
    def is_shape_function(self) -> bool:
        """Whether a shape function of a library says it: what that checks, nothing checks where the program runs."""
        return self.module.startswith("@")

    @property
    def demands(self) -> bool:
        """Whether the operation demands anything."""
        return any(number.startswith("C") for number in self.clauses)


TraitFunction = Callable[[Operation, "RuleContext", int], OpSemantics]
"""The semantics of an operation that carries a trait; the number is that of a parametric trait, else 0."""


@value_record
class TraitSemantics:
    """The semantics that a trait gives to operations without a rule. ``words`` is the docstring of the function.

    A parametric trait is written with a number behind its name: ``as-operand-0``. ``carried_by`` are the operations
    known to carry it that have no rule.
    """

    name: str
    function: TraitFunction
    module: str
    words: str
    is_parametric: bool = False
    carried_by: tuple[str, ...] = ()


class RuleError(Exception):
    """A rule cannot be registered: no words, no example, or the operation already has one."""


CLAUSE = re.compile(r"^\s*\((?P<number>[A-Z]\d+)\)\s*(?P<text>.*?)(?=^\s*\([A-Z]\d+\)|\Z)", re.MULTILINE | re.DOTALL)


@cache  # asked for by the claim
def _clauses_in(words: str) -> Mapping[str, str]:
    return {each["number"]: " ".join(each["text"].split()) for each in CLAUSE.finditer(words)}


class RuleRegistry:
    """All rules by operation name; those of the rulebook ``under`` this one included, none of which is replaced."""

    def __init__(self, under: RuleRegistry | None = None) -> None:
        self._rules: dict[str, Rule] = {}
        self._harmless: dict[str, str] = {}
        self._effects: dict[str, Effects] = {}
        self._traits: dict[str, TraitSemantics] = {}
        self._under = under

    def __contains__(self, op: str) -> bool:
        return self.get(op) is not None

    def __len__(self) -> int:
        return len(self._rules) + (len(self._under) if self._under is not None else 0)

    def get(self, op: str) -> Rule | None:
        """The rule for an operation."""
        found = self._rules.get(op)
        return found if found is not None or self._under is None else self._under.get(op)

    def words_of(self, op: str, clause: str) -> str:
        """What a clause of an operation's rule says; "" where there is none."""
        rule = self.get(op)
        return "" if rule is None else rule.clauses.get(clause, "")

    def rules(self) -> list[Rule]:
        """All rules, by operation name."""
        below = self._under.rules() if self._under is not None else []
        return sorted([*below, *self._rules.values()], key=lambda each: each.op)

    def register(self, rule: Rule) -> None:
        """Add a rule; RuleError when it lacks words or an example, or when the operation already has a rule."""
        if not rule.words:
            raise RuleError(f"the rule for {rule.op} in {rule.module} has no words: say in its docstring what it means")
        if not rule.example:
            raise RuleError(f"the rule for {rule.op} in {rule.module} names no example")
        there = self.get(rule.op)
        if there is not None and there.function is not rule.function:
            raise RuleError(f"two rules for {rule.op}: one in {there.module}, one in {rule.module}")
        self._rules[rule.op] = rule

    def register_trait(self, semantics: TraitSemantics) -> None:
        """Add the semantics of a trait; RuleError where the trait has some already."""
        if semantics.name in self.traits():
            raise RuleError(f"two definitions of the trait {semantics.name}; one is in {semantics.module}")
        self._traits[semantics.name] = semantics

    def traits(self) -> dict[str, TraitSemantics]:
        """Return the traits with semantics, by name."""
        return {**(self._under.traits() if self._under is not None else {}), **self._traits}

    def harmless(self) -> dict[str, str]:
        """Operations that may be executed without a rule, and the module that says so; ``dialect.*`` is all of them."""
        return {**(self._under.harmless() if self._under is not None else {}), **self._harmless}

    def register_harmless(self, op: str, module: str) -> None:
        """An operation may be executed without having a rule."""
        self._harmless[op] = module

    def effects(self, op: Operation) -> Effects:
        """What an operation does besides giving results; where nobody says it, all that it might do."""
        rule = self.get(op.name)
        if rule is None:
            return self._effects_without_rule(op.name)
        return rule.effects if isinstance(rule.effects, Effects) else rule.effects(op)

    def register_effects(self, op: str, effects: Effects) -> None:
        """What an operation does that has no rule."""
        self._effects[op] = effects

    def _effects_without_rule(self, op: str) -> Effects:
        found = self._effects.get(op)
        if found is None and self._under is not None:
            return self._under._effects_without_rule(op)
        return UNSTATED if found is None else found


RULEBOOK = RuleRegistry()
"""The rulebook of this process."""

_receiving: ContextVar[RuleRegistry] = ContextVar("_receiving", default=RULEBOOK)


@contextmanager
def receiving(rulebook: RuleRegistry) -> Generator[RuleRegistry]:
    """Meanwhile `rule` registers in this rulebook instead of that of the process."""
    token = _receiving.set(rulebook)
    try:
        yield rulebook
    finally:
        _receiving.reset(token)


def rule(
    *ops: str,
    example: str,
    effects: EffectsOf = UNSTATED,
    largest_size: int | None = None,
    outside: ExternalEffect | None = None,
) -> Callable[[RuleFunction], RuleFunction]:
    """Register a function as the rule of one or more operations. ``example`` is the path of a case that shows it.

    ``effects`` says what the operation does besides giving results (`PURE`: nothing), or gives that of an instance; an
    operation that says nothing is never erased, and is no function of its operands. An operation of the rulebook's own
    rules may be executed unless it is said to reach ``outside`` of the program.
    """

    def register(function: RuleFunction) -> RuleFunction:
        words = inspect.getdoc(function) or ""
        for op in ops:
            made = Rule(op, function, example, function.__module__, words, largest_size, outside, effects)
            _receiving.get().register(made)
        return function

    return register


def trait(
    name: str, *, is_parametric: bool = False, carried_by: tuple[str, ...] = ()
) -> Callable[[TraitFunction], TraitFunction]:
    """Register a function as the semantics of every operation that is declared to carry a trait of this name."""

    def register(function: TraitFunction) -> TraitFunction:
        words = inspect.getdoc(function) or ""
        made = TraitSemantics(name, function, function.__module__, words, is_parametric, carried_by)
        _receiving.get().register_trait(made)
        return function

    return register


def safe_to_execute(*ops: str, module: str) -> None:
    """Say that operations without a rule reach nothing outside of the program, so that they may be executed.

    ``dialect.*`` (or ``dialect.family.*``) stands for all operations whose names begin so. ``module`` is ``__name__``.
    """
    for op in ops:
        _receiving.get().register_harmless(op, module)


def without_rule(*ops: str, effects: Effects) -> None:
    """Say what operations without a rule do besides giving results."""
    for op in ops:
        _receiving.get().register_effects(op, effects)


_loaded = False


def load_rules() -> RuleRegistry:
    """Import every module that an entry point of ``shapesolve.rules`` names, once, and return the rulebook."""
    global _loaded
    if not _loaded:
        from importlib.metadata import entry_points

        _loaded = True
        for door in sorted(
            entry_points(group="shapesolve.rules"), key=lambda door: (door.name != "builtin", door.name)
        ):
            try:
                door.load()
            except RuleError:
                raise
            except Exception as error:
                raise RuleError(f"the rules of `{door.name}` ({door.value}) cannot be loaded: {error}") from error
    return RULEBOOK


_OWN = "shapesolve.constraints."


@value_record
class Executable:
    """What may be executed. ``families`` are beginnings of names, up to a dot.

    ``only`` allows an operation for some values of an attribute: the attribute, and the values. ``outside`` says of
    operations that are known and not allowed why that is.
    """

    names: frozenset[str]
    families: tuple[str, ...] = ()
    only: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict[str, tuple[str, tuple[str, ...]]])
    outside: Mapping[str, str] = field(default_factory=dict[str, str])

    def allows(self, op: str) -> bool:
        """Whether an operation may be executed, whatever its attributes are."""
        return op in self.names or op.startswith(self.families)

    @property
    def dialects(self) -> frozenset[str]:
        """Dialects of which something may be executed."""
        return frozenset(name.partition(".")[0] for name in (*self.names, *self.families))


def executable(rulebook: RuleRegistry | None = None) -> Executable:
    """What may be executed, by the rulebook's own rules."""
    book = load_rules() if rulebook is None else rulebook
    rules = [each for each in book.rules() if each.module.startswith(_OWN)]
    harmless = [op for op, module in book.harmless().items() if module.startswith(_OWN)]
    outside = {each.op: each.outside for each in rules if each.outside is not None}
    names = {each.op for each in rules if each.outside is None} | {op for op in harmless if not op.endswith(".*")}
    return Executable(
        frozenset(names),
        tuple(sorted(op.removesuffix("*") for op in harmless if op.endswith(".*"))),
        {op: each.unless for op, each in outside.items() if each.unless is not None},
        {op: each.because for op, each in outside.items()},
    )
