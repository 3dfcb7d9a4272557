"""What follows from conditions in each of the cases that one of them leaves.

Divisions by sizes are not linear: there a solver does not take disjunctions apart as far as it would elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.atoms import Quotient, Remainder
from shapesolve.language.folding import atoms_within
from shapesolve.language.formulas import Formula, Or, conjuncts, negation

_MOST_CASES = 6


def divides_by_sizes(condition: Formula) -> bool:
    """Whether a size is divided by another one, and not by a number."""
    divided = [each for each in atoms_within(condition) if isinstance(each, Quotient | Remainder)]
    return any(not each.parts[1].is_constant for each in divided)


def each_part_follows(claim: Formula, premises: Sequence[Formula], budget: int) -> bool:
    """Whether every claim of which one consists is proved from premises."""
    from shapesolve.solving import follows

    return all(follows(part, premises, budget=budget) for part in conjuncts(claim))


def not_implied(
    parts: Sequence[Formula], known: Sequence[Formula], budget: int, *, longest: int | None = None
) -> list[Formula]:
    """The parts that do not follow from the others together with what is known; the longest go first.

    Those of more than ``longest`` characters stay without a look.
    """
    kept = list(dict.fromkeys(parts))
    lengths = {part: len(str(part)) for part in kept}
    for part in sorted(kept, key=lengths.__getitem__, reverse=True):
        rest = [each for each in kept if each is not part]
        if (longest is None or lengths[part] <= longest) and each_part_follows(part, [*known, *rest], budget):
            kept = rest
    return kept


def follows_by_cases(claim: Formula, premises: Sequence[Formula], budget: int) -> bool:
    """Whether a claim is proved from premises, or in each case of the first of them that is one of several things."""
    if each_part_follows(claim, premises, budget):
        return True
    known = [part for each in premises for part in conjuncts(each)]
    plain = [each for each in known if not isinstance(each, Or)]
    several = [each for each in known if isinstance(each, Or) and divides_by_sizes(each)]
    return any(
        all(each_part_follows(claim, [*plain, case], budget) or _excludes(plain, case, budget) for case in whole.parts)
        for whole in several
        if len(whole.parts) <= _MOST_CASES
    )


def _excludes(known: Sequence[Formula], case: Formula, budget: int) -> bool:
    return each_part_follows(negation(case), known, budget)
