"""What is asked of an execution, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

#: Line and column, both counted from 1.
Place = tuple[int, int]

#: What one result says about itself: the extents of a tensor, the value of an integer, or nothing (floats, tuples).
ResultSize = tuple[int, ...] | int | None


@dataclass(frozen=True)
class TensorInput:
    """A tensor or memref argument: its extents and, where the contents matter, its integers in row-major order.

    Without ``values`` it is filled with the same number throughout: see ``integer_fill`` and ``zero_floats`` of the
    execution.
    """

    extents: tuple[int, ...]
    values: tuple[int, ...] | None = None


@dataclass(frozen=True)
class ScalarInput:
    """An argument of type ``index``, ``iN`` or ``fN``."""

    value: int


Input = TensorInput | ScalarInput


class Outcome(Enum):
    """How an execution ended."""

    RETURNED = "returned"
    """The function returned; its results have sizes."""

    ABORTED = "aborted"
    """A check in the program, or one inserted to verify its operations, did not hold."""

    CRASHED = "crashed"
    """The process was ended by a signal: memory out of bounds, division by zero."""

    TIMED_OUT = "timed out"
    """The function was still running when its time was up."""

    NOT_EXECUTABLE = "not executable"
    """The program never got to an end that says anything: no lowering, too large, arguments that do not fit."""


@dataclass(frozen=True)
class Execution:
    """One call of one function, for real."""

    outcome: Outcome
    result_extents: tuple[ResultSize, ...]
    """Per result, when it returned: extents of a tensor, value of an integer scalar, None for others."""

    message: str
    """One paragraph: what the failing check said, or why there is no answer. Empty when the function returned."""

    failing_location: Place | None
    """Where the failing operation stands in the text, if that is known."""

    with_runtime_checks: bool
    """Whether operations were verified while running, or only the program's own assertions were."""

    failing_op: str = ""
    """The operation of the original program that failed, such as ``tosa.add``; empty if not known."""

    result_values: tuple[tuple[int, ...] | None, ...] = ()
    """Per result, when it returned: the integers of a small integer tensor in row-major order, None for others."""

    @property
    def failed_in_lowering(self) -> bool:
        """Whether what failed stands for one of PyTorch's operators.

        Their meaning is PyTorch's. What torch-mlir makes of them may fail where they do not, and says nothing of them.
        """
        return self.outcome is Outcome.ABORTED and self.failing_op.startswith("torch.")

    @property
    def failed_in_stand_in(self) -> bool:
        """Whether a check of an operation of MLIR's loops failed that an operation of another dialect was lowered to.

        A lowering may demand more than the operation does: of channels that a type of TOSA leaves open, of 1 and 0.
        """
        return (
            self.outcome is Outcome.ABORTED
            and self.with_runtime_checks
            and self.failing_op.startswith(("tosa.", "stablehlo.", "chlo."))
            and self.message.startswith(f"{self.failing_op} (as ")
        )


@dataclass(frozen=True)
class ExecutionLimits:
    """What one execution may use. Seconds of the processor hold for each call; lowering has ``lowering_seconds``."""

    timeout_seconds: float = 30.0
    memory_limit_bytes: int = 1 << 30
    lowering_seconds: float = 120.0


def bytes_of(bits: int) -> int:
    """What an element of so many bits takes in memory: a power of 2 of whole bytes."""
    return 1 << (-(-bits // 8) - 1).bit_length()


def too_many_bytes(taken: int, limit: int) -> str:
    """Why arguments are not made that take more than the limit."""
    return f"the arguments take {taken:,} bytes, and the limit is {limit:,}"
