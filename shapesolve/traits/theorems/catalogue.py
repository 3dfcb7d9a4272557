"""All theorems by name, and the page of the documentation that lists them, made from the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from shapesolve.errors import InputError
from shapesolve.solver.verdicts import VerdictKind
from shapesolve.traits.theorems import (
    acceptance,
    erasure,
    inference,
    lattice,
    lowering,
    runtime,
    shape_dialect,
    verification,
)
from shapesolve.traits.theorems.statement import Result, Theorem, Topic

CATALOGUE: Mapping[str, Theorem] = {
    theorem.name: theorem
    for module in (inference, verification, acceptance, erasure, runtime, shape_dialect, lattice, lowering)
    for theorem in module.THEOREMS
}
"""The theorems in the order of their topics."""


def theorem_named(name: str) -> Theorem:
    """Return the theorem of a name.

    Raises:
        InputError: There is no such theorem.
    """
    found = CATALOGUE.get(name)
    if found is None:
        near = get_close_matches(name, CATALOGUE, n=1)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        raise InputError(f"there is no theorem `{name}`{hint}", where="theorems")
    return found


_HEAD = """\
# Theorems about the specification

After this page you know which statements about the trait and the shape dialect are proved, and which are refuted, and
at which sizes. `shapesolve theorems --markdown` makes the page; a test proves everything on it again.

Each statement is about the `Broadcastable` trait, the shape dialect's operations beside it, or the lowerings of both.
It is proved for all sizes from 0 to 2^63-1, or refuted with a smallest instance: sizes of 2 and more before 1, and 1
before 0. Statements marked "all ranks" are proved for shapes of unknown rank, with no bound. Statements about one
column hold for all ranks because columns do not interact: the shorter shape is filled up with static ones, and
`one-is-neutral` says that these change nothing.

In the symbols, `d`, `e`, `f` and `r` are extents of types, `?` or a number (0 included), `r` that of the result; `x`,
`y`, `z` are sizes at run time; `a`, `b`, `c` are shapes of any rank, and `a[i]` is the extent in column `i` from the
right, 1 beyond the rank. `infer` is what MLIR computes for two extents, `InferDim` the pseudo-code of the page.
"""


def page(results: Sequence[Result]) -> str:
    """Return the page for results in the order given."""
    proved = sum(result.word is VerdictKind.PROVED for result in results)
    lines = [_HEAD, f"{len(results)} statements: {proved} proved, {len(results) - proved} refuted.", ""]
    for topic in Topic:
        chosen = [result for result in results if result.theorem.topic is topic]
        if chosen:
            lines += [f"## {topic.value}", "", *_table(chosen), ""]
            for result in chosen:
                lines += _section(result)
    return "\n".join(lines).rstrip() + "\n"


def _table(results: Sequence[Result]) -> list[str]:
    rows = [
        f"| [{result.theorem.name}](#{result.theorem.name}) | {result.word}{_at(result)} | {result.theorem.words} |"
        for result in results
    ]
    return ["| name | outcome | statement |", "| --- | --- | --- |", *rows]


def _at(result: Result) -> str:
    return f" at `{result.instance}`" if result.instance else ""


def _section(result: Result) -> list[str]:
    theorem = result.theorem
    lines = [f"### {theorem.name}", "", theorem.words, "", "```text", theorem.symbols, "```", ""]
    lines += [f"**{result.word.capitalize()}**{_at(result)}, for {theorem.scope}."]
    if theorem.lesson:
        lines += ["", theorem.lesson]
    return [*lines, ""]
