"""Runs of single passes, whoever runs them."""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Iterator, Sequence
from typing import Protocol

from shapesolve.records import record
from shapesolve.validation.pipelines import PassStep


class PassEnding(enum.Enum):
    """The ending of a pass."""

    RAN = "ran"
    FAILED = "failed"
    """The pass says that it cannot go on."""
    INVALID = "invalid"
    """MLIR's verifier rejects the output."""
    CRASHED = "crashed"
    TIMED_OUT = "timed out"


@record
class PassRun:
    """Run of one pass.

    Attributes:
        step: The pass.
        ending: The ending.
        text: The module after the pass, if it ran; None if the pass changed nothing.
        message: The error, if there is one.
        seconds: Seconds taken by the pass.
    """

    step: PassStep
    ending: PassEnding
    text: str | None = None
    message: str = ""
    seconds: float = 0.0


class PassRunner(Protocol):
    """Program that runs passes."""

    @property
    def title(self) -> str:
        """The program and its version."""
        ...

    def steps(self, pipeline: str) -> tuple[PassStep, ...]:
        """Return the passes of a pipeline, named pipelines expanded.

        Raises:
            InputError: The program refuses the pipeline.
        """
        ...

    def run(self, module: str | bytes, steps: Sequence[PassStep]) -> Iterator[PassRun]:
        """Run the passes one after the other, each on the output of the one before, up to the first that has none.

        Raises:
            InputError: The program cannot read the module, or cannot be run.
        """
        ...

    def run_each(self, module: str | bytes, steps: Sequence[PassStep]) -> Iterator[PassRun]:
        """Run every pass on the module itself.

        Raises:
            InputError: The program cannot read the module, or cannot be run.
        """
        ...


def fingerprint(text: str | bytes) -> bytes:
    """Return a hash of a printed module."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return hashlib.blake2b(data, digest_size=16).digest()
