"""Declared sizes of an exported model, and the conditions (guards) that its exporter found."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from shapesolve.records import value_record

RAISED_BY_MODEL = "what the model states and fixes"
"""Author of what a model needs of sizes that are not declared: where it was run outside, it raised."""
LEFT_OPEN = "what dynamic_shapes declares, and what the model needs of the sizes it leaves open,"
"""Author of the facts where some sizes are left to torch.export, and the model raises where these are 0."""

_EXTENT = re.compile(r"\b(\w+)__(\d+)\b")
_SHOWN_EXTENT = re.compile(r"%?\b(?P<name>\w+)\[(?P<dimension>\d+)\]")


def extent_symbol(argument: str, dimension: int) -> str:
    """Return the symbol made for an extent without a name."""
    return f"{argument}__{dimension}"


def is_extent_symbol(text: str) -> bool:
    """Return whether a symbol was made for an extent without a name."""
    return _EXTENT.fullmatch(text) is not None


def shown_text(text: str) -> str:
    """Return a claim over symbols as reports and options write it: ``x__1 % 2 == 0`` is ``x[1] % 2 == 0``."""
    return _EXTENT.sub(r"\1[\2]", text)


def unshown_text(text: str, arguments: Sequence[str]) -> str:
    """Return a claim that an option gives, with ``x[1]`` replaced by the symbol of that extent."""
    for name in arguments:
        text = re.sub(rf"%?\b{re.escape(name)}\[(\d+)\]", rf"{name}__\1", text)
    return text


_ZERO_OR_ONE = re.compile(r"(?P<size>[A-Za-z_]\w*(\[\d+\])?) (>= [12]|!= [01])")


def sizes_without_zero_or_one(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the sizes that conditions say are neither 0 nor 1, as reports write them; none if they say more."""
    found = [match for each in texts if (match := _ZERO_OR_ONE.fullmatch(each)) is not None]
    return tuple(shown_text(each["size"]) for each in found) if len(found) == len(texts) else ()


@value_record
class Guard:
    """Condition on sizes that an exporter found while it traced the model.

    Attributes:
        text: The condition over the symbols of the declarations.
        file: The file of the model's line that caused it, "" if that is not known.
        line: The number of that line.
        source: The text of that line.
        is_branch: Whether that line itself tests it, as a branch does, and not PyTorch inside of an operation.
        is_specialization: Whether it fixes a size to one number, which the program then has in its place.
    """

    text: str
    file: str = ""
    line: int = 0
    source: str = ""
    is_branch: bool = False
    is_specialization: bool = False

    @property
    def sides(self) -> tuple[str, str]:
        """The sides of an equation, "" and the text of any other: for a specialization the size and its number."""
        left, _, right = self.text.rpartition(" == ")
        return left, right

    @property
    def shown(self) -> str:
        """The condition in the form that reports print."""
        return shown_text(self.text)


@value_record
class ExcludedSizes:
    """Declared sizes that an export excludes, at which the model was run when it was exported.

    Attributes:
        guard: The condition that excludes them.
        inputs: The sizes, as text.
        message: What the framework did.
        place: The line that raised, "" where none did.
        raised: Whether the model raised an error; else it returned.
    """

    guard: Guard
    inputs: str
    message: str
    place: str = ""
    raised: bool = False


@value_record
class Declarations:
    """Sizes that the user of an exporter declared, and the guards that the exporter found.

    Attributes:
        shapes: The extents of each argument over symbols, by position; a single text for an argument that is a number.
        scalars: The positions of arguments that are numbers.
        claims: The declared claims about the symbols.
        guards: The conditions that the exporter found.
        places: The positions of the arguments among the leaves of the example inputs.
        refusal: The exporter's message if it refused the declared sizes, else "".
        can_run: Whether the model itself can be run.
        excluded: Declared sizes that the export excludes, where these were run already.
        fixed: What is not declared of sizes and holds wherever the model returns, with the numbers for which it raises.
    """

    shapes: Mapping[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    scalars: tuple[int, ...] = ()
    claims: tuple[str, ...] = ()
    guards: tuple[Guard, ...] = ()
    places: tuple[int, ...] = ()
    refusal: str = ""
    can_run: bool = False
    excluded: tuple[ExcludedSizes, ...] = ()
    fixed: tuple[ExcludedSizes, ...] = ()

    def over_symbols(self, text: str, arguments: Sequence[str]) -> str:
        """Return a claim that an option gives, with ``x[1]`` replaced by what is declared of that extent.

        Args:
            text: The claim.
            arguments: The names of the arguments, in order.
        """

        def declared(found: re.Match[str]) -> str:
            place = int(found["dimension"])
            extents = self.shapes.get(arguments.index(found["name"]), ()) if found["name"] in arguments else ()
            if place >= len(extents):
                return unshown_text(found[0], arguments)
            extent = extents[place]
            return extent if extent.isidentifier() or extent.isdecimal() else f"({extent})"

        return _SHOWN_EXTENT.sub(declared, text)

    def encoded(self) -> dict[str, Any]:
        """Return the declarations in a form that JSON can hold."""
        return {
            "shapes": [[position, list(texts)] for position, texts in self.shapes.items()],
            "scalars": list(self.scalars),
            "claims": list(self.claims),
            "guards": [_encoded(each) for each in self.guards],
            "places": list(self.places),
            "refusal": self.refusal,
            "can_run": self.can_run,
            "excluded": [_encoded_sizes(each) for each in self.excluded],
            "fixed": [_encoded_sizes(each) for each in self.fixed],
        }

    @staticmethod
    def decoded(held: Mapping[str, Any]) -> Declarations:
        """Return the declarations that `encoded` converted."""
        return Declarations(
            {int(position): tuple(map(str, texts)) for position, texts in held["shapes"]},
            tuple(map(int, held["scalars"])),
            tuple(map(str, held["claims"])),
            tuple(Guard(*each) for each in held["guards"]),
            tuple(map(int, held["places"])),
            str(held["refusal"]),
            bool(held["can_run"]),
            *map(_decoded_sizes, (held["excluded"], held["fixed"])),
        )


def _encoded_sizes(each: ExcludedSizes) -> list[Any]:
    return [_encoded(each.guard), each.inputs, each.message, each.place, each.raised]


def _decoded_sizes(held: Sequence[Any]) -> tuple[ExcludedSizes, ...]:
    return tuple(ExcludedSizes(Guard(*guard), *rest) for guard, *rest in held)


def _encoded(guard: Guard) -> list[Any]:
    return [guard.text, guard.file, guard.line, guard.source, guard.is_branch, guard.is_specialization]
