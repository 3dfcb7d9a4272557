"""What a check is: the operations that stop a program, and the structure around them that can go with them."""

from __future__ import annotations

from collections.abc import Iterator

from shapesolve.reading.program import Operation, Program

ASSERTIONS = ("cf.assert", "tosa.assert_equal_shape")
"""Operations that stop the program in a defined way, and have no results."""

CONSTRAINTS = ("shape.cstr_broadcastable", "shape.cstr_eq", "shape.cstr_require")
"""Operations that stop the program in a defined way, and make a witness."""

SHAPE_ASSERTION = "stablehlo.custom_call @shape_assertion"
ASSUMING = "shape.assuming"
ASSUMING_ALL = "shape.assuming_all"
GUARD = "scf.if"


def check_name(op: Operation) -> str | None:
    """What a check is called in a report; None for what is no check."""
    if op.name in (*ASSERTIONS, *CONSTRAINTS, ASSUMING, ASSUMING_ALL, GUARD):
        return op.name
    if op.name == "stablehlo.custom_call" and op.attributes.get("call_target_name") == "shape_assertion":
        return SHAPE_ASSERTION
    return None


def can_be_asked(op: Operation) -> bool:
    """Whether the operation itself stops the program when its claim is false."""
    return op.name in (*ASSERTIONS, *CONSTRAINTS) or (check_name(op) == SHAPE_ASSERTION and not op.results)


def checks_of(program: Program) -> Iterator[Operation]:
    """Every check of a program, in program order."""
    return (op for op in program.operation.walk() if check_name(op) is not None)


def counted(program: Program) -> dict[str, int]:
    """How many checks there are of each kind."""
    counts: dict[str, int] = {}
    for op in checks_of(program):
        name = check_name(op)
        assert name is not None
        counts[name] = counts.get(name, 0) + 1
    return counts


def message_of(op: Operation) -> str:
    """What the check says when it fails; "" where it says nothing."""
    for key in ("msg", "error_message", "error"):
        said = op.attributes.get(key)
        if isinstance(said, str) and said:
            return said
    return ""
