"""The page on rewrites of an algebraic simplifier: ``python benchmarks/rewrites_page.py > docs/rewrites.md``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from rewrite_rules import Rewrite
from rewrites import RULES, Result, compared, is_wrong, judged
from rewrites_evidence import MOST_EXTENT, proofs_kept, right_outside
from stablehlo_programs import Extents

HEAD = """# Rewrites of an algebraic simplifier

After this page you know which rewrites of tensor programs are proved for all sizes, and what stands behind each proof.

XLA's algebraic simplifier replaces a program of tensor operations by a simpler one. TensorRight (POPL 2025) has stated
175 of its rewrites: its language expresses 121, and it proves 115 of them, for all ranks and over unbounded integers.
Here, {rules} rewrites of the same families are pairs of StableHLO programs, written anew, and [`refine`](refine.md)
compares each pair at every rank from 0 to 4 for which the rewrite is stated, for all sizes, with sizes of 64 bits,
machine integers, and floats with NaN and both zeros. The numbers of the two are not of the same rules: there, reshapes
are left out, and here, ranks above 4.

- {proved} of {ordinary} rewrites are proved, elements included. {ideal} more are right over the reals or the integers
  only: {ideal_proved} of these is proved.
- {confirmed} of the {claims} claims on sizes that these proofs use are confirmed by cvc5, each with the facts it was
  proved from. What the operations mean is not part of that, so programs are also run.
- {refuted} of {mutants} mutants are refuted by a run: a program that is wrong, or a rewrite without one of its
  preconditions.

| column | meaning |
| --- | --- |
| pairs | the number of ranks at which it is stated, or 1 where its types are given |
| elements | the verdict on elements; sizes and checks are {sizes} for all |
| cvc5 | claims on sizes that cvc5 confirms, of those that the proof uses; 0 of 0: normal forms are equal |
| precondition | what is required of sizes |
| weakest | whether the programs differ at all extents up to {most} outside of it; if not, the first such extents |
| inputs | whether there is an input that the precondition admits and the first program is defined for |
| mutants | mutants refuted by a run |
| seconds | processor time for all pairs, without mutants and cvc5 |

Extents at which the first program is undefined are left out of *weakest*: any program is right there.

`python benchmarks/rewrites_page.py` writes this page.
"""

COLUMNS = ("rewrite", "pairs", "elements", "cvc5", "precondition", "weakest", "inputs", "mutants", "seconds")
ALIGNED = "| --- | --: | --- | --- | --- | --- | --- | --- | --: |"


@dataclass(frozen=True)
class Row:
    """A rewrite with its verdicts and its evidence.

    Attributes:
        claims, confirmed: The number of claims on sizes that its proofs use, and of those that cvc5 confirms.
        weakest: Whether its precondition is the weakest one at small sizes, in words.
    """

    result: Result
    claims: int
    confirmed: int
    weakest: str

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells of the table, all but the last."""
        result, rule = self.result, self.result.rule
        return (
            rule.name,
            str(result.instances),
            f"{result.elements}{', right over the reals only' if rule.ideal else ''}",
            f"{self.confirmed} of {self.claims}",
            ", ".join(f"`{each}`" for each in rule.requires),
            self.weakest,
            "none" if result.sizes == "vacuous" else "yes",
            f"{result.refuted} of {result.mutants}" if result.mutants else "",
        )


def row_of(rule: Rewrite) -> Row:
    """Return a rewrite with its verdicts and its evidence."""
    result = judged(rule, with_mutants=True)  # first: a question that was asked before costs nothing
    claims = confirmed = 0
    for arguments in rule.instances:
        with proofs_kept() as kept:
            compared(rule.pair(arguments), rule.requires)
        if not rule.ideal:
            claims += len(kept.claims)
            confirmed += kept.confirmed()
    found = [right_outside(rule, each)[1] for each in rule.instances] if rule.requires else []
    outside = next((each for each in found if each is not None), None)
    weakest = "" if not rule.requires else "yes" if outside is None else f"no: right at {_sizes(outside)}"
    return Row(result, claims, confirmed, weakest)


def _sizes(sizes: Sequence[Extents]) -> str:
    """Return sizes of the arguments in words; scalars have none."""
    named = zip("abcdefgh", sizes, strict=False)
    return ", ".join(f"{name}: {'x'.join(map(str, each))}" for name, each in named if each)


def page(rows: Sequence[Row]) -> list[str]:
    """Return the page, in lines."""
    ordinary = [each.result for each in rows if not each.result.rule.ideal]
    ideal = [each.result for each in rows if each.result.rule.ideal]
    words = {
        "rules": len(rows),
        "ordinary": len(ordinary),
        "proved": sum(each.elements == "proved" for each in ordinary),
        "ideal": len(ideal),
        "ideal_proved": sum(each.elements == "proved" for each in ideal) or "none",
        "claims": sum(each.claims for each in rows),
        "confirmed": sum(each.confirmed for each in rows),
        "refuted": sum(each.result.refuted for each in rows),
        "mutants": sum(each.result.mutants for each in rows),
        "sizes": " or ".join(dict.fromkeys(each.result.sizes for each in rows)),
        "most": MOST_EXTENT,
    }
    lines = HEAD.format(**words).splitlines()
    for family in dict.fromkeys(each.result.rule.family for each in rows):
        lines += ["", f"## {family.capitalize()}", "", f"| {' | '.join(COLUMNS)} |", ALIGNED]
        for each in rows:
            if each.result.rule.family == family:
                lines.append(f"| {' | '.join((*each.cells, f'{each.result.seconds:.2f}'))} |")
    return lines


def main() -> int:
    """Print the page; return 1 if a verdict is wrong."""
    rows: list[Row] = []
    for rule in RULES:
        print(rule.name, file=sys.stderr, flush=True)
        rows.append(row_of(rule))
    print("\n".join(page(rows)))
    return int(any(is_wrong(each.result) for each in rows))


if __name__ == "__main__":
    sys.exit(main())
