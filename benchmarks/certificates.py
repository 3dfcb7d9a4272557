"""Every proof of the examples and of the cases, asked of cvc5: how many it confirms, in which time, and which not.

    python benchmarks/certificates.py [SECONDS]

SECONDS bound each question (60). Exit code 1 where cvc5 disagrees with anything.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from time import monotonic

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.certificates_asked import FILES, SECONDS, asked, proved_in, reports_of, unconfirmed  # noqa: E402

from shapesolve.certificates.checkers import Word  # noqa: E402


def main(seconds: float) -> int:
    """Print the table of the page on certificates, and name what is not confirmed."""
    totals: dict[str, Counter[str]] = {}
    left: list[str] = []
    for path in FILES:
        part = totals.setdefault("examples" if path.parent.name == "examples" else "cases", Counter())
        started = monotonic()
        reports = reports_of(path)
        part["writing"] += round(1000 * (monotonic() - started))
        for report in reports:
            checked = asked(list(report.certificates), seconds)
            part["files"] += 1
            part["proved"] += proved_in(report)
            for each in checked:
                part["asking"] += round(1000 * each.seconds)
                for answer in each.answers:
                    part[f"{'proofs' if each.script.is_proof else 'lemmas'} {answer.word.value}"] += 1
            left += [
                f"| `{path.relative_to(ROOT)}` `{each.identity}` | {each.word.value}: {each.detail} |"
                for each in unconfirmed(checked)
            ]
    print("| | functions | proved | proofs confirmed | lemmas confirmed | not confirmed | check and write | cvc5 |")
    print("|---|---|---|---|---|---|---|---|")
    for name, part in totals.items():
        lemmas = sum(part[f"lemmas {word.value}"] for word in Word)
        rest = sum(part[f"{what} {word.value}"] for what in ("proofs", "lemmas") for word in Word) - (
            part["proofs confirmed"] + part["lemmas confirmed"]
        )
        print(
            f"| {name} | {part['files']} | {part['proved']} | {part['proofs confirmed']} | "
            f"{part['lemmas confirmed']} of {lemmas} | {rest} | {part['writing'] / 1000:.1f} s | "
            f"{part['asking'] / 1000:.1f} s |"
        )
    print("\n".join(["", *left]) if left else "\nnothing is left unconfirmed")
    return int(any(f"{what} disagrees" in part for part in totals.values() for what in ("proofs", "lemmas")))


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS))
