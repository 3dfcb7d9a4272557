"""Seconds until diagnostics are in the editor: of a file that is opened, and of one function that is edited in it.

Files of 500 lines: 50 functions of 10 lines, 10 of 50, and one of 500, of which each has two operations that may fail.
Measured is the analysis of the language server, with the time that it waits after the last key.

    python benchmarks/editor.py [--lines 500] [--edits 5]
"""

from __future__ import annotations

import argparse
import statistics
from time import perf_counter

from shapesolve.servers.analyzer import Analyzer
from shapesolve.servers.language_server import PARTIAL_SECONDS, QUIET_SECONDS

SCALAR = ("tanh", "exp", "abs", "floor", "ceil")


def function(number: int, lines: int, shift: int = 0) -> str:
    """Return a function of so many lines; two of its operations may fail."""
    known, other = f"tensor<?x{number + 2}xf32>", "tensor<?x?xf32>"
    body = [
        f"func.func @f{number}(%a: {known}, %b: {known}, %c: {other}) -> {other} {{",
        f"  %0 = tosa.add %a, %b : ({known}, {known}) -> {known}",
    ]
    count = lines - 5
    for each in range(count):
        body.append(f"  %{each + 1} = tosa.{SCALAR[(each + shift) % 5]} %{each} : ({known}) -> {known}")
    body.append(f"  %{count + 1} = tosa.add %{count}, %c : ({known}, {other}) -> {other}")
    return "\n".join((*body, f"  return %{count + 1} : {other}", "}", ""))


def seconds(analyzer: Analyzer, text: str) -> tuple[float, float]:
    """Return the seconds until the first diagnostics are published, and until the last ones are."""
    begun = perf_counter()
    first = last = 0.0
    for each in analyzer.analyze(text):
        now = perf_counter() - begun
        if not first and (each.is_checked or now > PARTIAL_SECONDS):
            first = now
        if not last and each.is_checked:
            last = now
    return first, last


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, default=500)
    parser.add_argument("--edits", type=int, default=5)
    given = parser.parse_args()
    seconds(Analyzer(), function(0, 10))  # what is imported once
    for count in (50, 10, 1):
        length = given.lines // count
        texts = [function(number, length) for number in range(count)]
        analyzer = Analyzer()
        first, last = seconds(analyzer, "".join(texts))
        edits: list[float] = []
        for edit in range(given.edits):
            texts[count // 2] = function(count // 2, length, edit + 1)
            edits.append(QUIET_SECONDS + seconds(analyzer, "".join(texts))[1])
        print(
            f"{count} functions of {length} lines: first diagnostics {first:.2f} s, all {last:.2f} s; "
            f"after an edit {statistics.median(edits):.2f} s"
        )


if __name__ == "__main__":
    main()
