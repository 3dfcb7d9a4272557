"""Codes of findings: stable names such as ``tosa-matmul-inner``, one for each clause of each operation.

A code is the operation's name and a word for the clause. Clauses that many operations share, and those that people meet
first, have a word of their own here; any other is called by its number, as in ``torch-aten-histc-c2``.
"""

from __future__ import annotations

import re
from functools import lru_cache

from shapesolve.records import value_record
from shapesolve.semantics.registry import RULEBOOK, RuleRegistry

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
    "The sizes of the basis are positive": "basis",
    "With ``disjoint``, no size of the basis": "basis",
    "Every divisor in the set": "divisor",
    "With a flag nsw or nuw": "wrap",
    "A shaped operand and its scale": "scale",
    "With ``exact``, nothing is left over": "exact",
    "With ``exact``, only zeros": "exact",
    "With ``nneg``": "negative",
    "Tensors, a condition among them": "extents",
    "The amount, read as an unsigned number": "amount",
    "The number of elements that is expected": "expected",
    "The last dimension has as many elements": "count",
    "The lower bound is not above the upper one": "range",
    "0 is not raised to a negative power": "zero-divisor",
    "The size is at least 0": "negative-size",
    "The offset is at least 0, and the elements end": "bounds",
    "The first number that the loop does not reach": "counter",
    "The constant is not negative": "negative",
    "Where a size takes part, neither operand": "negative",
    "The index is not negative": "negative",
    "The operands are equal, where the result": "equal",
    "The size is not an error": "error",
    "The shape is not an error": "error",
    "The operand is not an error": "error",
    "The dimension is in [-rank, rank]": "bounds",
    "The contents are sizes": "sizes",
    "Scale, mean and variance have one element a feature": "features",
    "Scale, offset, mean and variance have one element a feature": "features",
    "Scale and offset have one element a feature": "features",
    "The gradient of the output has": "extents",
    "Where elements become wider": "last-extent",
    "The last two extents": "square",
    "Each bound has the shape of the operand": "extents",
    "The input's features are the kernel's": "channels",
    "The kernel's output features are a multiple": "groups",
    "The input's batch is a multiple": "batch-groups",
    "The window has at least one place": "window",
    "@shape_assertion": "assertion",
    "@stablehlo.dynamic_reduce_window: all inputs": "extents",
    "@stablehlo.dynamic_reduce_window: windows": "window",
    "@stablehlo.dynamic_top_k: the last dimension": "top-k",
    "@stablehlo.dynamic_rng_bit_generator, and where": "negative-size",
    "@stablehlo.dynamic_rng_bit_generator: the state": "state",
    "No size of the result is negative": "negative-size",
    "Dimensions that are said to expand": "expanding",
    "No slice is larger than the operand": "slice",
    "No slice of the updates is larger": "slice",
    "An index vector has one element": "index-vector",
    "A slice is no longer than 1": "collapsed",
    "The room between elements is not negative": "negative-interior",
    "No size is greater than the operand's extent": "slice",
    "No extent of the part is greater": "slice",
    "The last extents are the transform's lengths": "lengths",
    "Every stride is positive": "stride",
    "The state has two elements": "state",
    "The updates are numbered as the index vectors": "updates",
    "The two tensors have the same shape": "extents",
    "The source has one element a window": "windows",
    "The new size is at least 0 and at most": "bounds",
    "The unknowns that the matrices multiply": "inner",
    "The batch extents are equal": "batch",
    "There is one coordinate for each": "coordinates",
    "With ``unique``, no two coordinates": "unique",
    "No two coordinates are the same": "unique",
    "The source has the sizes of the slice": "source",
    "The source is the batch of the coordinates": "source",
    "The accumulator has all of these": "accumulator",
    "Every update has a row": "updates",
    "Along every dimension that no column moves along": "extents",
    "Wherever a slice is put": "bounds",
    "All operands have the extents of the first": "extents",
    "Operands that are tensors have the same shape": "extents",
    "The lists are equal; where": "equal",
    "The condition has one element": "one-element",
    "Exponents are at least 0": "exponent",
    "Both parts have the same shape": "extents",
    "H and W are powers of two": "power-of-two",
    "Both operands have the same N": "batch",
    "All three operands have the same N": "batch",
    "The batch size of the second": "batch",
    "The shift is one number": "shift",
    "No amount is negative": "negative-padding",
    "What the room is filled with is one number": "value",
    "There is one multiplier and one shift": "multiplier",
    "At most one size is -1": "negative-size",
    "Along both axes (H - 1)": "sampling",
    "There are a row and a column to sample": "empty",
    "Along both axes n and d are positive": "scale",
    "The operand has that axis": "axis",
    "Every index is at least 0, and the last row of its group": "bounds",
    "A group has at least one row": "group",
    "Indices and input have the same W": "extents",
    "There are no more indices than rows": "count",
    "No two indices for the same of N": "unique",
    "The part lies within the list": "bounds",
    "The table has 256 numbers": "table",
    "No multiple is negative": "negative-multiple",
    "What is taken away at an end": "padding",
    "The value has the extents that the variable's type": "extents",
    "Every element that is written lies inside": "bounds",
    "Every element that is read lies inside": "bounds",
    "Every operand that is an index": "bounds",
    "The whole vector lies inside": "bounds",
    "Along a dimension that is no dimension of the vector": "bounds",
    "Along a dimension that is marked in bounds": "in-bounds",
    "Along any other dimension the index is at least 0": "negative-index",
    "The window, spread out, fits into the padded input": "window",
    "Where strides are given, there is one": "strides",
    "The dimensions are different ones; from real numbers": "dimensions",
    "Their extents are not larger than the tensor's": "extents",
    "Their extents are not larger than those of what": "value-extents",
    "The integers, and what is put there, have the rank": "rank",
    "Weights, bias, mean and variance have one element": "channels",
    "Weights and bias have one element a channel": "channels",
    "There is a tensor.": "empty-list",
    "The value is a scalar": "scalar",
    "The step is not 0, and leads": "step",
    "The number of the places of the window": "window",
    "Weights and bias have these sizes": "weights",
    "To real numbers, the last of the dimensions": "last-extent",
    "The tensor has no dimensions": "scalar",
    "The last extents are the sizes that are normalised": "last-extents",
    "The grid's last extent": "grid",
    "The dimension has the place": "bounds",
    "Image and grid have two dimensions": "rank",
    "Where there are elements, they lie in the memory": "memory",
    "Where the last offset is only an end": "offsets",
    "Weights of the integers are one for each": "weights",
    "There is one size or factor for each dimension": "count",
    "There is an image with channels": "rank",
    "There is a vector.": "empty-list",
    "There is a step for each size": "strides",
    "There are at least as many numbers as dimensions": "rank",
    "There are as many as results": "count",
    "The window is not larger than the extent": "window",
    "The tensors are vectors, or scalars": "rank",
    "The operand has a dimension": "rank",
    "The offsets begin with 0": "offset-order",
    "The number of the row that is left out": "left-out-row",
    "The number of elements is not negative": "negative-size",
    "The number is positive": "positive",
    "The number is not negative": "negative",
    "The list holds a number": "empty-list",
    "The integers have the rank of the tensor": "rank",
    "The integers exceed no extent": "extents",
    "The input has rank 4": "rank",
    "The exponent of the norm": "exponent",
    "The channels are divided by the square": "factor",
    "Scales and zero points are lists": "scales",
    "No size of the matrix is negative": "negative-size",
    "No size and no step is negative": "negative-size",
    "No extent times its number is negative": "negative-size",
    "Its last extent is 2": "last-extent",
    "For each prediction there is one class": "classes",
    "Both operands have rows and columns": "rank",
    "Both have as many columns": "columns",
    "All other extents broadcast": "broadcast",
    "There are two numbers for each axis": "count",
    "The tensors have the same number of elements": "elements",
    "The tensors have the same shape": "extents",
    "The tensor and the shape broadcast together": "broadcast",
    "The slopes broadcast to the tensor": "broadcast",
    "The sizes sum up to the extent": "sum",
    "The sizes multiply to the extent": "elements",
    "The second broadcasts to the shape of the first": "broadcast",
    "The second tensor has the shape of the slice": "slice",
    "The number of parts is positive": "parts",
    "The mask expands to one number for each query": "mask",
    "Queries and keys have the same last extent": "inner",
    "Queries, keys and values are matrices": "rank",
    "The batches broadcast together; where heads": "heads",
    "The batches broadcast": "batch",
    "The channels are divided into the groups": "groups",
    "The bias expands to the shape of the result": "bias",
    "The factors are matrices": "rank",
    "The operand is a matrix": "rank",
    "The operand is a vector or a matrix": "rank",
    "The extent is even": "even",
    "The last extent is that of the weights": "weights",
    "The input has the channels of the weights": "channels",
    "The probability lies from 0 to 1": "probability",
    "No operand is a scalar": "scalar",
    "Neither operand is a scalar": "scalar",
    "No extent is negative": "negative-size",
    "No number is negative": "negative",
    "Each parameter has one element for each channel": "parameters",
    "There are as many operands as terms": "equation",
    "The rank of an operand is the number of letters": "rank",
    "The dimensions that have the same letter inside": "letters",
    "The dimensions that have the same letter in different": "broadcast",
    "What is added expands to the product": "broadcast",
    "The scale and the shift broadcast": "broadcast",
    "What is padded with its own elements": "empty",
    "There is an end for each start": "count",
    "A named axis has an extent of 1": "unit",
    "There is one number for each dimension": "count",
    "There are as many elements as are wanted": "count",
    "There is a tensor, and the equation": "equation",
    "A tensor has as many dimensions as its term": "rank",
    "The dimensions of one letter in one term": "letters",
    "The dimensions of one letter in several terms": "broadcast",
    "Every extent is 1 or that of the other tensor": "broadcast",
    "The integers, if there are any, have the rank": "rank",
    "The integers are a vector, or one": "rank",
    "The rows are no scalar, and the weights": "rank",
    "Both operands are vectors": "rank",
    "The boundaries are a list": "rank",
}
"""Words by the beginning of a clause's text."""

_NUMBERED = re.compile(r"-[a-z]\d+\Z")

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


@lru_cache(4096)
def current_code(given: str) -> str:
    """Return the code of the clause that is given by its number, ``tosa-pad-c2``, or else what is given."""
    if not _NUMBERED.search(given):
        return given
    found = clause_of(given, RULEBOOK)
    return given if found is None else code(found.op, found.clause, found.words)


def unused_words(registry: RuleRegistry) -> list[str]:
    """Return the beginnings of clauses that have a word here and occur in no rule."""
    texts = [words for rule in registry.rules() for words in rule.clauses.values()]
    return [beginning for beginning in _WORDS if not any(text.startswith(beginning) for text in texts)]
