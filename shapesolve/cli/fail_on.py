"""``--fail-on``: the failures for which a check ends with an exit code of its own."""

from __future__ import annotations

import argparse
from typing import NamedTuple

MODEL, LOWERING = "model", "lowering"
POSSIBLE, ALWAYS = "possible", "always"
WORDS = (MODEL, LOWERING, POSSIBLE, ALWAYS)


class FailOn(NamedTuple):
    """Failures that determine the exit code.

    Attributes:
        model: Whether those of a program as given, or of a model at its own level, count.
        lowering: Whether those that the lowering of a model adds count.
        always: Whether only functions of which every call fails count.
    """

    model: bool = True
    lowering: bool = False
    always: bool = False


def fail_on(text: str) -> FailOn:
    """Return the meaning of ``model,lowering`` or ``always``, in any order.

    Raises:
        ArgumentTypeError: The text has other words.
    """
    words = [each.strip() for each in text.split(",")]
    unknown = [each for each in words if each not in WORDS]
    if unknown:
        raise argparse.ArgumentTypeError(f"`{unknown[0][:40]}` is none of {', '.join(WORDS)}")
    if POSSIBLE in words and ALWAYS in words:
        raise argparse.ArgumentTypeError(f"{POSSIBLE} and {ALWAYS} exclude each other")
    lowering = LOWERING in words
    return FailOn(MODEL in words or not lowering, lowering, ALWAYS in words)
