"""Evidence about a rewrite besides its proof: cvc5's answers, and runs outside of its preconditions."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from math import prod
from pathlib import Path
from typing import Any
from unittest.mock import patch

from rewrite_rules import Rewrite
from stablehlo_programs import Extents, parsed

from shapesolve.certificates.checkers import Word
from shapesolve.certificates.cvc5_checker import Cvc5Checker
from shapesolve.certificates.reader import script_of
from shapesolve.certificates.semantics import PRELUDE
from shapesolve.certificates.smtlib_terms import Terms
from shapesolve.certificates.writer import HEADER
from shapesolve.execution.execution import Execution, Outcome, TensorInput
from shapesolve.execution.runner import execute_many
from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Proved
from shapesolve.symbolic.derivations import Record
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope
from shapesolve.symbolic.shapes import shape

MOST_EXTENT = 6
MOST_CALLS = 400
SECONDS = 20.0


@dataclass
class Proofs:
    """Claims on sizes that a proof used, each with the facts that it was proved from."""

    claims: dict[tuple[Formula, tuple[Formula, ...]], None] = field(
        default_factory=dict[tuple[Formula, tuple[Formula, ...]], None]
    )

    def confirmed(self) -> int:
        """Return the number of claims that cvc5 proves as well, from the text alone.

        Raises:
            AssertionError: cvc5 found sizes at which a claim is false.
        """
        checker = Cvc5Checker(SECONDS)
        count = 0
        for claim, facts in self.claims:
            script = script_of(Path("claim.smt2"), _question(claim, facts).encode())
            assert script is not None
            (answer,) = checker.check(script).answers
            assert answer.word is not Word.DISAGREES, (str(claim), answer.detail)
            count += answer.word is Word.CONFIRMED
        return count


def _question(claim: Formula, facts: Iterable[Formula]) -> str:
    """Return the question whether facts hold where a claim does not, as SMT-LIB."""
    terms = Terms(Record())
    asserted = [str(terms.normal(each)) for each in facts]
    asserted.append(f"(not {terms.normal(claim)})")
    lines = [
        f"{HEADER} of a proof",
        "(set-logic ALL)",
        PRELUDE,
        *terms.declarations,
        *terms.definitions,
        *(f"(assert {each})" for _, each in terms.domains),
        *(f"(assert {each})" for each in asserted),
        "(check-sat)",
    ]
    return "\n".join([*lines, ""])


@contextmanager
def proofs_kept() -> Generator[Proofs]:
    """Keep the claims that are proved inside the block; those that are true in normal form need no proof."""
    kept = Proofs()
    ask = Prover.verdict_on

    def asked(prover: Prover, claim: Formula, **options: Any) -> Any:
        verdict = ask(prover, claim, **options)
        if isinstance(verdict, Proved) and claim is not TRUE:
            kept.claims[claim, tuple(each.formula for each in verdict.facts)] = None
        return verdict

    with patch.object(Prover, "verdict_on", asked):
        yield kept


def sizes_outside(rule: Rewrite, arguments: str) -> Iterator[tuple[Extents, ...]]:
    """Yield small sizes of all arguments at which a precondition of a rule does not hold."""
    types = [parsed(each)[0] for each in arguments.split(",")]
    choices = [[range(MOST_EXTENT + 1) if each is None else (each,) for each in extents] for extents in types]
    for sizes in product(*(list(product(*each)) for each in choices)):
        shapes = {name: shape(each) for name, each in zip("abcdefgh", sizes, strict=False)}
        scope = Scope.closed(shapes=shapes)
        if not all(parse_formula(each, scope) is TRUE for each in rule.requires):
            yield sizes


def call_of(arguments: str, sizes: Sequence[Extents]) -> list[TensorInput]:
    """Return tensors of given sizes with small numbers, most of them different."""
    call: list[TensorInput] = []
    for number, (text, extents) in enumerate(zip(arguments.split(","), sizes, strict=True)):
        known = tuple(each or 0 for each in extents)
        values = tuple((7 * place + 5 * number) % 13 - 6 for place in range(prod(known)))
        is_float = parsed(text)[1].startswith("f")
        call.append(TensorInput(known, floats=values) if is_float else TensorInput(known, values))
    return call


def right_outside(rule: Rewrite, arguments: str) -> tuple[int, tuple[Extents, ...] | None]:
    """Return how many sizes outside the preconditions were run, and the first where both programs return the same.

    Sizes at which the program before is undefined are left out: there, any program is right.
    """
    sizes = list(sizes_outside(rule, arguments))[:MOST_CALLS]
    calls = [call_of(arguments, each) for each in sizes]
    before, after = (execute_many(each, "f", calls, runtime_checks=True) for each in rule.pair(arguments))
    tried = [
        (each, ours, theirs)
        for each, ours, theirs in zip(sizes, before, after, strict=True)
        if ours.outcome is Outcome.RETURNED
    ]
    return len(tried), next((each for each, ours, theirs in tried if _are_same(ours, theirs)), None)


def _are_same(first: Execution, second: Execution) -> bool:
    return (first.outcome, first.result_extents, first.result_values) == (
        second.outcome,
        second.result_extents,
        second.result_values,
    )
