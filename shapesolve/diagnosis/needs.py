"""Required conditions for people, and the obligations of a finding whose conditions its first line states together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.enormous_sizes import refuted_sizes
from shapesolve.records import value_record
from shapesolve.simplification.boolean_minimization import shorter
from shapesolve.simplification.readable import readable_parts
from shapesolve.solver import budgets
from shapesolve.solver.entailment import not_implied
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.evaluation import holds_if_determined
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import conjunction, conjuncts
from shapesolve.trace.events import Obligation, quoted_messages

LONGEST_NEED = 100
"""Characters of a requirement that stands in the first line of a finding."""
MOST_COMPARED = 8
"""Conditions of one line that are compared with each other."""


@value_record
class Need:
    """Required condition for people.

    Attributes:
        condition: The condition, without the case of empty tensors.
        exception: That case, in which nothing is required, "a[0] or b[1] is 0"; empty if there is none.
        is_internal: Whether it speaks of elements or other values that have no name in the model it comes from.
        parts: The conditions that the first one joins, for lists: one with alternatives stands in parentheses.
        formula: The condition, if ``parts`` are all of it.
        is_exact: Whether it is needed: sizes that violate it fail. Otherwise it is only known to be enough, because
            such sizes may never get there.
        may_not_arrive: Whether some runs may not get there, and which is not known: its path condition is not modeled.
        is_implied: Whether it speaks of iterations, and follows wherever control gets there from what the operation
            needs of the inputs: a line that states the latter leaves it out.
    """

    condition: str
    exception: str = ""
    is_internal: bool = False
    parts: tuple[str, ...] = ()
    formula: Formula | None = None
    is_exact: bool = True
    may_not_arrive: bool = False
    is_implied: bool = False

    @property
    def text(self) -> str:
        """All of it: ``a[1] == b[0] (unless a[0] or b[1] is 0)``."""
        return f"{self.condition} (unless {self.exception})" if self.exception else self.condition


Needs = Mapping[CheckedObligation, Need]


def stated_together(needs: Needs, finding: Sequence[CheckedObligation]) -> tuple[CheckedObligation, ...]:
    """Return the obligations of a finding that its line states: the first, and others of the same operation."""
    first, *others = finding
    verdict = refuted_sizes(first.verdict)
    is_merged = verdict is not None and not verdict.always and not stated_reason(first.obligation)
    stated = [first]
    for each in others if is_merged and joined_text(needs, [first]) else ():
        if each.obligation.op is first.obligation.op and joined_text(needs, [each]):
            together = [*stated, each]
            stated = together if len(joined_text(needs, together)) <= LONGEST_NEED else stated
    return tuple(stated)


def counterexamples(needs: Needs, stated: Sequence[CheckedObligation]) -> list[tuple[CheckedObligation, Refuted]]:
    """Return sizes for each condition of a line that those returned before it do not violate."""
    found: list[tuple[CheckedObligation, Refuted]] = []
    said: set[Formula] = set()
    for each in stated:
        if found and needs[each].is_implied:
            continue
        refuted, formula = refuted_sizes(each.verdict), needs[each].formula
        condition = each.obligation.claim if formula is None else formula
        new = [part for part in conjuncts(condition) if part not in said]
        said.update(new)
        is_shown = any(all(holds_if_determined(part, other.sizes) is False for part in new) for _, other in found)
        if refuted is not None and not is_shown:
            found.append((each, refuted))
    return found


def are_exact(needs: Needs, checked_obligations: Sequence[CheckedObligation]) -> bool:
    """Return whether sizes that violate one of the required conditions fail, as far as they are known."""
    stated = [each for each in checked_obligations if each in needs and not needs[each].is_implied]
    return all(needs[each].is_exact for each in stated or checked_obligations if each in needs)


def joined_text(needs: Needs, checked_obligations: Sequence[CheckedObligation]) -> str:
    """Return required conditions in one text; empty if they are not known, or are none of the sizes."""
    found = _stated(needs, checked_obligations)
    if len(set(found)) == 1 and len(found[0].parts) < 2:
        return found[0].text
    listed = [Need(", ".join(each.parts or (each.condition,)), each.exception) for each in found]
    if len({each.exception for each in found}) == 1:
        return Need(", ".join(dict.fromkeys(each.condition for each in listed)), found[0].exception).text
    return ", ".join(dict.fromkeys(each.text for each in listed))


def stated_texts(needs: Needs, finding: Sequence[CheckedObligation], most_others: int) -> set[str]:
    """Return the texts of the required conditions that a finding states: in its line and for so many others."""
    together = stated_together(needs, finding)
    others = [each for each in finding if each not in together][:most_others]
    stated = _stated(needs, [*together, *others])
    return {Need(part, need.exception).text for need in stated for part in (need.condition, *need.parts)}


def text_without_implied(
    needs: Needs, checked_obligations: Sequence[CheckedObligation], known: Sequence[Formula]
) -> str:
    """Return the text of a conjunction of requirements, without those that others imply and as short as can be found.

    It is empty where that is no shorter than the text of each requirement by itself: none is proved to be implied, none
    is stated twice, no two are the bounds of one size, and no shorter form is found.
    Under what is known, the text means the same as all of them.
    """
    found = _stated(needs, checked_obligations)
    formulas = [each.formula for each in found if each.formula is not None]
    if not found or len(formulas) < len(found) or len({each.exception for each in found}) > 1:
        return ""
    parts = [part for each in formulas for part in conjuncts(each)]
    kept = without_implied(list(dict.fromkeys(parts)), known)
    short = shorter(kept, known) if 2 <= len(kept) <= MOST_COMPARED else kept
    text = Need(", ".join(readable_parts(conjunction(short))), found[0].exception).text
    is_longer = len(text) >= len(joined_text(needs, checked_obligations))  # which may have names for elements
    return "" if short == parts and is_longer else text


def without_implied(parts: Sequence[Formula], known: Sequence[Formula]) -> list[Formula]:
    """Return conditions without those that the solver quickly proves from the others and what is known."""
    return not_implied(parts, known, budgets.BRIEF) if 2 <= len(parts) <= MOST_COMPARED else list(parts)


def stated_reason(obligation: Obligation) -> str:
    """Return the failure in the words of the author of the program, or of a shape function; empty without any."""
    if obligation.of_shape_function:
        return obligation.message
    return quoted_messages(obligation.authors_messages) or obligation.authors_words


def _stated(needs: Needs, checked_obligations: Sequence[CheckedObligation]) -> list[Need]:
    """Return the requirements of obligations that are conditions on sizes with names in the model.

    Those that are implied are left out, unless all are.
    """
    found = [need for each in checked_obligations if (need := needs.get(each)) is not None]
    found = [each for each in found if each.condition not in ("true", "false") and not each.is_internal]
    return [each for each in found if not each.is_implied] or found
