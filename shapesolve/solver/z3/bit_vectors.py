"""Equality of integers of fixed width, whose arithmetic wraps, for all values of their variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shapesolve.records import record

BUDGET = 400_000
"""z3 rlimit (steps) of one question."""

_LONGEST = 400


@record
class BitVector:
    """Integer of fixed width, or a truth of width 1.

    Attributes:
        operation: ``constant``, ``variable``, or what is done with the operands: the name that SMT-LIB has for it
            without ``bv``, ``ite``, or ``zext``, ``sext`` and ``trunc`` for other widths.
        width: The number of bits.
        operands: The operands.
        number: The value of a constant, the number of a variable.
    """

    operation: str
    width: int
    operands: tuple[BitVector, ...] = ()
    number: int = 0

    @property
    def size(self) -> int:
        """The number of operations."""
        return 1 + sum(each.size for each in self.operands)


def are_shown_equal(first: BitVector, second: BitVector, z3: Any) -> bool:
    """Return whether two integers are shown to be equal for all values of their variables.

    Args:
        first, second: The integers.
        z3: The module.
    """
    if first.width != second.width or first.size + second.size > _LONGEST:
        return False
    context = z3.Context()
    translation = _Translation(z3, context)
    solver = z3.SolverFor("QF_BV", ctx=context)
    solver.set(rlimit=BUDGET, ctrl_c=False)
    solver.add(translation.term(first) != translation.term(second))
    return solver.check() == z3.unsat


class _Translation:
    """Makes terms of z3."""

    def __init__(self, z3: Any, context: Any) -> None:
        self._z3 = z3
        self._context = context

        def truth(compared: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
            return lambda a, b: z3.If(compared(a, b), z3.BitVecVal(1, 1, context), z3.BitVecVal(0, 1, context))

        self._binary: dict[str, Callable[[Any, Any], Any]] = {
            "add": lambda a, b: a + b,
            "sub": lambda a, b: a - b,
            "mul": lambda a, b: a * b,
            "and": lambda a, b: a & b,
            "or": lambda a, b: a | b,
            "xor": lambda a, b: a ^ b,
            "shl": lambda a, b: a << b,
            "ashr": lambda a, b: a >> b,
            "lshr": z3.LShR,
            "sdiv": lambda a, b: a / b,
            "udiv": z3.UDiv,
            "srem": z3.SRem,
            "urem": z3.URem,
            "eq": truth(lambda a, b: a == b),
            "ne": truth(lambda a, b: a != b),
            "slt": truth(lambda a, b: a < b),
            "sle": truth(lambda a, b: a <= b),
            "sgt": truth(lambda a, b: a > b),
            "sge": truth(lambda a, b: a >= b),
            "ult": truth(z3.ULT),
            "ule": truth(z3.ULE),
            "ugt": truth(z3.UGT),
            "uge": truth(z3.UGE),
        }

    def term(self, each: BitVector) -> Any:
        """Return a term of z3."""
        z3 = self._z3
        operands = [self.term(inner) for inner in each.operands]
        match each.operation:
            case "constant":
                return z3.BitVecVal(each.number, each.width, self._context)
            case "variable":
                return z3.BitVec(f"x{each.number}", each.width, self._context)
            case "ite":
                return z3.If(operands[0] == 1, operands[1], operands[2])
            case "zext":
                return z3.ZeroExt(each.width - operands[0].size(), operands[0])
            case "sext":
                return z3.SignExt(each.width - operands[0].size(), operands[0])
            case "trunc":
                return z3.Extract(each.width - 1, 0, operands[0])
            case name:
                return self._binary[name](*operands)
