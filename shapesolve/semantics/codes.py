"""Codes of findings: stable names such as ``tosa-matmul-inner``, one for each clause of each operation.

A code is the operation's name and a word for the clause. Clauses that many operations share, and those that people meet
first, have a word of their own here; any other is called by its number, as in ``tosa-pad-c2``.
"""

from __future__ import annotations

import re
from functools import lru_cache

from shapesolve.records import value_record
from shapesolve.semantics.registry import RuleRegistry

_WORDS = {
    "Every extent that is just one loop index equals": "extents",
    "Every other index expression stays between 0": "access",
    "The last window ends within the input": "window",
    "The tensors broadcast together": "broadcast",
    "The operands broadcast together": "broadcast",
    "The ranks are equal, and in every column the two extents are equal or one": "broadcast",
    "In every column all extents that are not 1 are equal": "broadcast",
    "The ranks are equal, and in every column all extents of the predicate": "broadcast",
    "Shaped operands have the same extents": "extents",
    "The operands have the same shape": "extents",
    "Two operands have the same shape": "extents",
    "All inputs have the same shape": "extents",
    "All ranks and extents are equal": "extents",
    "Both have the same shape": "extents",
    "The operands have equal extents in every other dimension": "extents",
    "All other extents are equal": "extents",
    "Both operands have the same batch size": "batch",
    "Batches are of equal size": "batch",
    "Batch dimensions that belong together have the same extent": "batch",
    "The columns of the first are the rows of the second": "inner",
    "Both operands have the same C": "inner",
    "The last extent of the left operand is the first of the right": "inner",
    "Contracted dimensions that belong together have the same extent": "inner",
    "Input and weights have the same channels": "channels",
    "The bias has one element": "bias",
    "Along both axes at least one window fits": "window",
    "Along all axes at least one window fits": "window",
    "Every size is at least 0": "negative-size",
    "No size is negative": "negative-size",
    "No divisor is 0": "zero-divisor",
    "No integer is divided by 0": "zero-divisor",
    "The divisor is not 0": "zero-divisor",
    "Every divisor in the map": "divisor",
    "Every index is at least 0 and below the extent": "bounds",
    "Every index is at least 0 and less than K": "bounds",
    "Every integer is a place of the dimension": "bounds",
    "Every coordinate is at least 0 and below the extent": "bounds",
    "The place lies inside of the memref": "bounds",
    "The index is at least 0 and below the rank": "bounds",
    "Every offset is at least 0 and at most the extent": "offset",
    "Along every dimension in which the slice has elements": "bounds",
    "In every dimension 0 <= start <= limit <= extent": "bounds",
    "In every dimension start and size are not negative": "bounds",
    "The condition holds": "condition",
    "The operand has the rank of the result's type": "rank",
    "The operand has every extent that the result's type states": "extents",
    "The old and the new shape have the same number of elements": "elements",
    "The number of elements stays the same": "elements",
    "The sizes multiply to the number of elements": "elements",
    "The extents that a dimension is expanded to multiply to its size": "elements",
    "The step is positive": "step",
    "Every step is positive": "step",
    "What the function requires of its arguments": "requires",
    "What the function ensures": "ensures",
    "The witness passes": "witness",
    "Every extent of the operand is 1 or the result's extent": "broadcast",
    "Nothing gets here": "reached",
    "Other numbers are what the operator takes": "numbers",
    "No extent but that of the batch is 0": "empty",
    "For the greatest and the least": "empty",
    "``logsumexp`` along an empty list": "empty-list",
    "The input has a batch and channels": "rank",
    "The input has the channels that the weights": "channels",
    "The input has channels": "channels",
    "Each zero point is one number": "zero-point",
    "The input has as many dimensions as the weights": "rank",
    "The window and the input have elements": "empty",
    "Of a transposed one something is left": "negative-size",
    "The tensor has a dimension": "rank",
    "The input has one or two dimensions besides those": "rank",
    "The tensor has one or two dimensions besides those": "rank",
    "There is a place for the window in each dimension": "window",
    "What sums are divided by": "divisor",
    "A probability lies from 0 to 1": "probability",
    "There is an integer between the bounds": "range",
    "No size is less than -1": "negative-size",
    "No wanted size is negative": "negative-size",
    "A size is not negative": "negative-size",
    "The size is not negative": "negative-size",
    "No extent of the result is negative": "negative-size",
    "No padding is negative": "negative-padding",
    "No extent that the windows move over is 0": "empty",
    "There is at least one point": "points",
    "There are points in each dimension": "points",
    "As many numbers of points are given": "count",
    "What is mirrored is smaller than the extent": "padding",
    "Something is left in each of the padded dimensions": "negative-size",
    "A dimension that the result's type leaves out has an extent of 1": "unit",
    "There are not more tensors of places than dimensions": "count",
    "The tensors of places broadcast together": "broadcast",
    "The tensor and the mask broadcast together": "broadcast",
    "What is put there expands to what indexing would give": "value",
    "There is a dimension for the batch and one for channels": "rank",
    "Mean and variance are both given": "given",
    "What mean and variance are taken from has elements": "empty",
    "Matrices have two dimensions": "rank",
    "The operands have the ranks that the operator takes": "rank",
    "The factors have the ranks that the operator takes": "rank",
    "The columns of the first factor are the rows of the second": "inner",
    "The first operand expands to the shape of the product": "broadcast",
    "The least number is not divided by -1": "overflow",
    "The least number of the type is not divided by -1": "overflow",
    "Every tile size is at least 1": "tile",
    "The tensors have the same rank": "rank",
    "They have the same extents": "extents",
    "Every integer is a place": "bounds",
    "The tensor has one element": "one-element",
    "The table is a matrix": "rank",
    "Every integer is the number of a row": "bounds",
    "Each integer is the number of a class": "bounds",
    "There is one weight for each class": "weights",
    "The rest of a vector lies inside as well": "vector",
    "There are at least as many sizes as dimensions": "rank",
    "Every extent is 1 or the size in its place": "broadcast",
    "The image is not empty": "empty",
    "The batches are equal": "batch",
    "The inner extents of the destination are the tile sizes": "inner-extents",
    "The inner extents of the source are the tile sizes": "inner-extents",
    "Every outer extent of the destination is the number of tiles": "tiles",
    "Every outer extent of the source is the number of tiles": "tiles",
    "Without a padding value every tile is full": "full-tiles",
    "The output has the extents of the input": "extents",
    "Every extent of the output shape is at least 0": "negative-size",
    "Every extent of the new shape is at least 0": "negative-size",
    "There is an element along the axis": "empty",
    "The index is less than the rank": "bounds",
}
"""Words by the beginning of a clause's text."""

OF_EVERY_OPERATION = {
    "T1": "The rank of the result is the one that its type declares.",
    "T2": "The extents of the result are those that its type declares.",
    "T4": "What the operation demands is known.",
}
"""Clauses that no docstring states, by number."""

_OF_TYPES = {"T1": "result-rank", "T2": "result-extents", "T4": "known"}

UNCHECKED, RETURNED, POSSIBLE = "unchecked", "returned-error", "possible-error"
MODEL_FAILS, NARROWER = "exporter-model-fails", "exporter-narrower-than-declared"

OF_NO_CLAUSE = {
    UNCHECKED: "An operation that may fail is not checked, because what it demands is not known.",
    RETURNED: "A result of the function is an error value in every call.",
    POSSIBLE: "A result of the function is an error value for some sizes.",
    MODEL_FAILS: "The model fails at declared sizes that its exporter excludes.",
    NARROWER: "The export admits fewer sizes than were declared.",
}
"""Codes of findings that belong to no clause."""


@value_record
class CodedClause:
    """A clause that a code stands for.

    Attributes:
        op: The operation.
        clause: The clause's number.
        words: The clause's text.
    """

    op: str
    clause: str
    words: str


@lru_cache(4096)
def code(op: str, clause: str, words: str) -> str:
    """Return the code of a clause of an operation, in lower case with hyphens.

    Args:
        op: The operation's name.
        clause: The clause's number.
        words: The clause's text; empty where no rule describes the operation.
    """
    name = re.sub(r"[^a-z0-9]+", "-", op.lower().replace("._", ".private-")).strip("-")
    found = (word for beginning, word in _WORDS.items() if words.startswith(beginning))
    return f"{name}-{_OF_TYPES.get(clause) or next(found, clause.lower())}"


def clause_of(wanted: str, registry: RuleRegistry) -> CodedClause | None:
    """Return the clause that a code stands for, or None; it may be given by its number, ``tensor-pad-c1``, too."""
    for rule in registry.rules():
        for number, words in (*rule.clauses.items(), *OF_EVERY_OPERATION.items()):
            if wanted in (code(rule.op, number, words), code(rule.op, number, "")):
                return CodedClause(rule.op, number, words)
    return None


def unused_words(registry: RuleRegistry) -> list[str]:
    """Return the beginnings of clauses that have a word here and occur in no rule."""
    texts = [words for rule in registry.rules() for words in rule.clauses.values()]
    return [beginning for beginning in _WORDS if not any(text.startswith(beginning) for text in texts)]
