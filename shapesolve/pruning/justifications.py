"""Justifications of decisions, in words that name the lines; and claims that survive overflow in inserted checks.

`a*b <= 100` bounds `a` in whole numbers. A program that compares the product computes it in 64 bits: 2**32 times 2**32
is 0 there, and passes. So what follows from an inserted check must follow whatever such products are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from shapesolve.checker.undecided_reasons import undecided_words
from shapesolve.int64 import MAX_SIZE, MIN_INDEX
from shapesolve.ir.program import Location, Operation
from shapesolve.pruning.recheck import FunctionRecheck
from shapesolve.solver.entailment import entails
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, Unreachable, Verdict
from shapesolve.symbolic.atoms import Atom, Monomial, Variable
from shapesolve.symbolic.dims import Dim, dim, of_monomial, variable
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.visitors import Transformer, Visitor, rebuilt_sum
from shapesolve.trace.assumed_overflow import Place
from shapesolve.trace.concretization import ShortArguments
from shapesolve.trace.events import Fact, Obligation, Source, Trace

TRUSTED = "--trust-ub would remove it"
_ALWAYS_FAILS = "it ALWAYS FAILS"
PRODUCTS = "it follows from a check that is put in only where no product there wraps around"

MOST_FACTS = 6
"""Largest number of facts that a reason names."""

Key = tuple[str, Location | None, Source]


def key_of(fact: Fact) -> Key:
    """Return the key under which two facts count as one."""
    return fact.because, fact.location, fact.source


def key_of_claim(obligation: Obligation) -> Key:
    """Return the key of a claim, once it is a fact."""
    return obligation.label, obligation.location, obligation.source


class Justifications:
    """Finds the facts that a proof finally rests on: those that were not proved themselves.

    Args:
        entries: Rechecked entry points.
        place: Returns the location in the original of a location in the program.
        added: Phrases for the checks at locations that are not in the original.
    """

    def __init__(
        self,
        entries: Sequence[FunctionRecheck],
        place: Place = lambda location: location,
        added: Mapping[Location, str] | None = None,
    ) -> None:
        self.place = place
        self._added = added or {}
        self._entries = entries
        self._survivors: dict[tuple[str, Key], bool] = {}
        self._arguments: ShortArguments | None = None

    @cached_property
    def _proofs(self) -> Mapping[Key, Sequence[Proved]]:
        """The proofs of the claims that were proved wherever they were raised."""
        proofs: dict[Key, list[Proved]] = {}
        standing: set[Key] = set()
        for entry in self._entries:
            for each in entry.all:
                key, verdict = key_of_claim(each.obligation), each.verdict
                if isinstance(verdict, Proved):
                    proofs.setdefault(key, []).append(verdict)
                else:
                    standing.add(key)
        return {key: found for key, found in proofs.items() if key not in standing}

    @cached_property
    def _proved_at(self) -> Mapping[tuple[str, Key], Sequence[tuple[Formula, Proved]]]:
        """The proved claims with their proofs, by entry point and key."""
        found: dict[tuple[str, Key], list[tuple[Formula, Proved]]] = {}
        for entry in self._entries:
            for each in entry.all:
                if isinstance(each.verdict, Proved):
                    known = entry.trace.function.name, key_of_claim(each.obligation)
                    found.setdefault(known, []).append((each.obligation.claim, each.verdict))
        return found

    def of(self, facts: Iterable[Fact]) -> list[Fact]:
        """Return the facts that justify these facts, each once, in the order of lines."""
        found: dict[Key, Fact] = {}
        seen: set[Key] = set()
        waiting = list(facts)
        while waiting:
            fact = waiting.pop()
            key = key_of(fact)
            if key in seen:
                continue
            seen.add(key)
            if key in self._proofs:
                waiting += [each for proof in self._proofs[key] for each in proof.facts]
            else:
                found[key] = fact
        return sorted(found.values(), key=_order)

    def hold_in_64_bits(self, claim: Formula, facts: Iterable[Fact], entry: str) -> bool:
        """Return whether a proved claim follows whatever the products in inserted checks compute.

        A fact that rests on such a check holds if it follows like that itself, or if it is checked where it stands.

        Args:
            entry: The entry point of which the claim was proved.
        """
        if not self._added:
            return True
        given = list(facts)
        computed = [each for each in given if any(map(self._is_added, self.of([each])))]
        held = [each for each in computed if each.source is Source.CHECK or self._survives_overflow(each, entry)]
        others = [each.formula for each in given if each not in computed]
        is_whole = len(held) == len(computed)
        return holds_in_64_bits(claim, [each.formula for each in held], others, is_complete=is_whole)

    def _is_added(self, fact: Fact) -> bool:
        return fact.source is Source.CHECK and fact.location in self._added

    def _survives_overflow(self, fact: Fact, entry: str) -> bool:
        """Return whether an operation's requirement follows, wherever it was proved, whatever the products are."""
        known = entry, key_of(fact)
        if known not in self._survivors:
            self._survivors[known] = False  # a proof does not rest on what it proves
            proofs = self._proved_at.get(known, [])
            self._survivors[known] = all(self.hold_in_64_bits(claim, proof.facts, entry) for claim, proof in proofs)
        return self._survivors[known]

    def line(self, location: Location) -> int:
        """Return the line of a location, in the original."""
        return self.place(location).line

    def words(self, facts: Iterable[Fact]) -> str:
        """Return the facts as a list: ``line 7 (cf.assert) and line 12 (the branch is taken)``; "" for none."""
        basis = self.of(facts)
        parts = [self._fact(each) for each in basis[:MOST_FACTS]]
        if len(basis) > MOST_FACTS:
            parts.append(f"and {len(basis) - MOST_FACTS} more")
        return (" and " if len(parts) == 2 else "; ").join(parts)

    def _fact(self, fact: Fact) -> str:
        words = fact.because
        if fact.source is Source.CHECK and fact.location is not None and fact.location in self._added:
            return self._added[fact.location]
        if fact.source is Source.CHECK:
            words = fact.operation or words
        elif fact.source is Source.UB:
            words += ", trusted not to be undefined"
        location = fact.location
        if location is None or not location.line or fact.source is Source.ASSUMPTION:
            return words
        return f"line {self.line(location)} ({words})"

    def proved(self, verdicts: Iterable[Verdict]) -> str:
        """Return why something is proved."""
        basis = self._basis(verdicts)
        return f"implied by {basis}" if basis else "holds for all sizes"

    def proved_sentence(self, sentence: str, verdicts: Iterable[Verdict]) -> str:
        """Return a sentence that is proved, with the reason."""
        basis = self._basis(verdicts)
        return f"{sentence}, implied by {basis}" if basis else f"{sentence} for all sizes"

    def _basis(self, verdicts: Iterable[Verdict]) -> str:
        return self.words(fact for verdict in verdicts if isinstance(verdict, Proved) for fact in verdict.facts)

    def ub_reason(self, op: Operation | None) -> str:
        """Return why something is kept that is redundant only if an operation is defined; None: some operation."""
        who = "no operation before it is" if op is None else f"{self.describe_op(op.name, op.location)} is not"
        return f"redundant only if {who} undefined; {TRUSTED}"

    def describe_op(self, name: str, location: Location | None) -> str:
        """Return an operation's name and line, in words."""
        line = self.line(location) if location is not None else 0
        return f"`{name}` (line {line})" if line else f"`{name}`"

    def out_of_scope(self, op: Operation) -> str:
        """Return why a check is kept whose implying witness does not dominate what it guards."""
        witness_op = self.describe_op(op.name, op.location)
        return f"what it guards cannot wait for the witness of {witness_op}, which it follows from"

    def unproved(self, verdict: Verdict, trace: Trace) -> str:
        """Return why something is not proved."""
        match verdict:
            case Refuted():
                if self._arguments is None or self._arguments.trace is not trace:
                    self._arguments = ShortArguments(trace)
                sizes = self._arguments.at(verdict.sizes)
                if verdict.always:
                    return f"{_ALWAYS_FAILS}, for example for {sizes}" if sizes else _ALWAYS_FAILS
                return f"it fails for {sizes}" if sizes else "it may fail"
            case Undecided():
                return undecided_words(trace.approximations, verdict)
            case Unreachable():
                return f"the facts there contradict each other, which is no proof: {self.words(verdict.facts)}"
            case Proved():
                return self.proved([verdict])


def _order(fact: Fact) -> tuple[int, int, str]:
    location = fact.location
    return (location.line, location.column, fact.because) if location is not None else (0, 0, fact.because)


def holds_in_64_bits(
    claim: Formula, computed: Iterable[Formula], others: Iterable[Formula], *, is_complete: bool = True
) -> bool:
    """Return whether a claim follows from formulas whatever the products in the ``computed`` ones are.

    Args:
        is_complete: These are all that the claim follows from, so no query is needed if they contain no product.
    """
    opaque = OpaqueProducts()
    premises = [opaque.formula(each) for each in computed]
    if is_complete and not opaque.found:
        return True
    return entails(opaque.formula(claim), [*premises, *map(opaque.formula, others)])


class OpaqueProducts(Visitor[Dim, Formula], Transformer):
    """Replaces each product of sizes that may overflow 64 bits by a 64-bit variable."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[Monomial, Dim] = {}

    def read_size(self, size: Dim) -> Dim:
        return sum((self._product(each) * times for each, times in size.terms), dim(size.constant))

    def read_atom(self, atom: Atom) -> Dim:
        return atom.rebuilt(self)

    def read_formula(self, formula: Formula) -> Formula:
        return formula.rebuilt(self)

    def _product(self, monomial: Monomial) -> Dim:
        product = of_monomial(monomial)
        if monomial.degree < 2 or fits(product):
            return rebuilt_sum(product, self.atom)
        found = self.found.get(monomial)
        if found is None:
            found = self.found[monomial] = variable(f"({monomial.text} in 64 bits)", MIN_INDEX, MAX_SIZE)
        return found


def fits(size: Dim) -> bool:
    """Return whether a number is computed in 64 bits without overflow: inputs are, and sums of bounded value."""
    if size.constant == 0 and len(size.terms) == 1:
        ((monomial, coefficient),) = size.terms
        if coefficient == 1 and isinstance(monomial.single, Variable):
            return True
    low, high = size.bounds()
    return low is not None and high is not None and low >= MIN_INDEX and high <= MAX_SIZE
