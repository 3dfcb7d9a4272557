"""Observed behavior of real verifiers, row by row, and the answers of our profiles."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from shapesolve.traits.inference_tables import shape_of_text
from shapesolve.traits.profiles import profile_named
from shapesolve.traits.verifier import TypedValue, Verification, verify

TABLE = Path(__file__).parent / "data" / "broadcastable_observed.csv"

OUTCOMES = {"accept": None, "reject": "rejected", "crash": "crashed"}

CLAUSES_OF_MESSAGES = (
    ("operands don't have broadcast-compatible shapes", {"C5"}),
    ("not broadcast compatible with broadcasted operands's shapes", {"C6", "C8"}),
    ("must be tosa-conformant tensor", {"C9"}),
    ("requires the same shape", {"C13"}),
    ("requires the same type for all operands and results", {"C13", "C15"}),
    ("operands don't have matching ranks", {"C10"}),
    ("result type has different rank", {"C11"}),
    ("requires the same element type", {"C12"}),
    ("unregistered operation", {"C14"}),
    ("of any type values, but got 'vector", {"C2"}),
    ("are incompatible with return type(s)", {"C15"}),
    ("CRASH", {"C16"}),
)


@dataclass(frozen=True)
class Row:
    version: str
    op: str
    group: str
    operands: tuple[str, ...]
    result: str
    verdict: str
    message: str

    @property
    def verification(self) -> Verification:
        """The verification by our profile of that version, with the containers and elements that were probed."""
        containers, result_container = ["tensor"] * len(self.operands), "tensor"
        if self.group == "vector" and "result #0" in self.message:
            result_container = "vector"
        elif self.group == "vector":
            containers[0] = "vector"
        elements = ("i1", "i32", "i64") if self.group == "eltype" else ("",) * 9
        operands = [
            TypedValue(shape_of_text(text), container, element)
            for text, container, element in zip(self.operands, containers, elements, strict=False)
        ]
        result = TypedValue(shape_of_text(self.result), result_container, elements[-1])
        rules = profile_named(f"mlir-{self.version}").rules_for(self.op)
        return verify(operands, [result], rules)

    @property
    def clauses(self) -> set[str]:
        """The clauses that the message of the real verifier is about."""
        return next((clauses for words, clauses in CLAUSES_OF_MESSAGES if words in self.message), set())


def rows() -> list[Row]:
    with TABLE.open(newline="", encoding="utf-8") as stream:
        return [
            Row(
                each["version"],
                each["op"],
                each["group"],
                tuple(each["operands"].split()),
                each["result"],
                each["verdict"],
                each["message"],
            )
            for each in csv.DictReader(stream)
        ]
