"""``--fail-on``: the findings for which a command ends with an exit code of its own."""

from __future__ import annotations

import argparse
from typing import NamedTuple

MODEL, LOWERING = "model", "lowering"
WRAPS, HUGE_SIZES = "wraps", "huge-sizes"
ALWAYS, REFUTED, UNDECIDED, POSSIBLE = "always", "refuted", "undecided", "possible"
THRESHOLDS = (ALWAYS, REFUTED, UNDECIDED, POSSIBLE)
WORDS = (MODEL, LOWERING, *THRESHOLDS, WRAPS, HUGE_SIZES)
KEPT = "kept"


class FailOn(NamedTuple):
    """Findings that determine the exit code.

    Attributes:
        model: Whether those of a program as given, or of a model at its own level, count.
        lowering: Whether those that the lowering of a model adds count.
        always: Whether only functions of which every call fails count.
        undecided: Whether claims that are undecided, and operations that are not checked, count.
        wraps: Whether operations that can wrap around count, if `--check-wraps` looks for them.
        huge: Whether findings count of which it is proved that only huge sizes show them.
    """

    model: bool = True
    lowering: bool = False
    always: bool = False
    undecided: bool = True
    wraps: bool = False
    huge: bool = False


def fail_on(text: str) -> FailOn:
    """Return the meaning of ``model,lowering`` and one of the thresholds, in any order.

    The threshold ``possible`` means the same as ``undecided``.

    Raises:
        ArgumentTypeError: The text has other words.
    """
    words = [each.strip() for each in text.split(",")]
    unknown = [each for each in words if each not in WORDS]
    if unknown:
        raise argparse.ArgumentTypeError(f"`{unknown[0][:40]}` is none of {', '.join(WORDS)}")
    thresholds = list(dict.fromkeys(each for each in words if each in THRESHOLDS))
    if len(thresholds) > 1:
        raise argparse.ArgumentTypeError(f"{thresholds[0]} and {thresholds[1]} exclude each other")
    threshold = thresholds[0] if thresholds else UNDECIDED
    lowering = LOWERING in words
    return FailOn(
        MODEL in words or not lowering,
        lowering,
        threshold == ALWAYS,
        threshold in (UNDECIDED, POSSIBLE),
        WRAPS in words,
        HUGE_SIZES in words,
    )
