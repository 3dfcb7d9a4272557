"""Passes from stage to stage: what they make of a program is proved, and wrong variants of that are not.

A file of ``stages/`` holds a program, the passes, what is shown of them, and edits of their output that make it wrong:

    // passes: cse
    // shown: sizes, checks and elements
    // wrong (refuted): the name of a variant
    //   old text => new text
    //   drop part of a line
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import shapesolve
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.records import record
from shapesolve.refinement.refine import refine_programs

STAGES = Path(__file__).parent / "stages"
PAGE = Path(__file__).parents[2] / "docs" / "validate.md"
IN_FULL, IN_PART = "sizes, checks and elements", "contents not compared"
FAST = {"slices", "forall", "unroll"}
"""Programs whose passes also run outside of the sweep."""


@record
class Variant:
    """A wrong variant of the output of a pass.

    Attributes:
        title: The mistake.
        found: ``refuted``, ``undecided``, or ``contents not compared`` where sizes and checks are right.
        edits: Texts, and what stands in their place; a line with the text is dropped if that is None.
    """

    title: str
    found: str
    edits: tuple[tuple[str, str | None], ...]

    def of(self, output: str) -> str:
        """Return the output with the edits."""
        for old, new in self.edits:
            assert old in output, old
            if new is None:
                output = "\n".join(line for line in output.split("\n") if old not in line)
            else:
                output = output.replace(old, new, 1)
        return output


@record
class Stage:
    """A program and its passes.

    Attributes:
        title: The name of the file.
        passes: The passes, as they stand in a pipeline on a module.
        shown: The part that is proved.
        program: The program.
        variants: Wrong variants of the output.
    """

    title: str
    passes: str
    shown: str
    program: str
    variants: tuple[Variant, ...]


def stage_of(path: Path) -> Stage:
    """Read a file of the folder."""
    head, program = path.read_text().split("\n\n", 1)
    fields: dict[str, str] = {}
    variants: list[Variant] = []
    for line in head.split("\n"):
        wrong = re.fullmatch(r"// wrong \((.*)\): (.*)", line)
        if wrong is not None:
            variants.append(Variant(wrong[2], wrong[1], ()))
        elif line.startswith("//   "):
            old, arrow, new = line.removeprefix("//   ").partition(" => ")
            edit = (old, new) if arrow else (old.removeprefix("drop "), None)
            last = variants[-1]
            variants[-1] = Variant(last.title, last.found, (*last.edits, edit))
        else:
            name, _, value = line.removeprefix("// ").partition(": ")
            fields[name] = value
    return Stage(path.stem, fields["passes"], fields["shown"], program, tuple(variants))


ALL = [stage_of(each) for each in sorted(STAGES.glob("*.mlir"))]


def parameters(fast: set[str]) -> list[object]:
    """Return a parameter for each stage, those that are not fast only in the sweep."""
    marks = {each.title: () if each.title in fast else pytest.mark.exhaustive for each in ALL}
    return [pytest.param(each, id=each.title, marks=marks[each.title]) for each in ALL]


@cache
def validated(stage: Stage) -> shapesolve.Validation:
    return shapesolve.validate(stage.program, f"builtin.module({stage.passes})")


@pytest.mark.process
@pytest.mark.parametrize("stage", parameters(FAST))
def test_outputs_of_the_passes_are_proved(stage: Stage) -> None:
    found = validated(stage)
    assert all(each.standing.is_shown for each in found.steps), found.steps
    assert (IN_PART if found.is_partial else IN_FULL) == stage.shown


@pytest.mark.process
@pytest.mark.parametrize("stage", parameters(FAST))
def test_wrong_variants_are_not(stage: Stage) -> None:
    """Elements are shown to differ by runs; without runs nothing is claimed of them."""
    output = str(validated(stage).steps[-1].after)
    options = Options(execute=stage.title not in FAST)
    for variant in stage.variants:
        (found,) = refine_programs(read_text(stage.program), read_text(variant.of(output)), options)
        shown = IN_PART if found.word == "proved" and found.is_partial else str(found.word)
        accepted = {variant.found} if options.execute or variant.found != "refuted" else {"refuted", IN_PART}
        assert shown in accepted, (stage.title, variant.title)


def test_the_table_counts_them() -> None:
    assert len(ALL) >= 20 and all(each.variants for each in ALL)
    assert {each.shown for each in ALL} == {IN_FULL, IN_PART}
    assert not any(variant.found.startswith("proved") for each in ALL for variant in each.variants)
    variants = [variant.found for each in ALL for variant in each.variants]
    in_full = sum(each.shown == IN_FULL for each in ALL)
    rows = (
        f"| right | {len(ALL)} | {in_full} | {len(ALL) - in_full} | 0 | 0 |",
        f"| wrong | {len(variants)} | 0 | {variants.count(IN_PART)} "
        f"| {variants.count('refuted')} | {variants.count('undecided')} |",
    )
    page = PAGE.read_text()
    assert all(each in page for each in rows), rows
