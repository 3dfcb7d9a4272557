"""Values of options: times and whole numbers within limits."""

from __future__ import annotations

import argparse


def seconds(text: str) -> float:
    """Return a time limit from the command line.

    Raises:
        ArgumentTypeError: The text is no positive number.
    """
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{text[:40]}` is not a number of seconds") from None
    if not 0 < number <= 10**6:
        raise argparse.ArgumentTypeError(f"{text[:40]} is not more than 0 and at most {10**6:,}")
    return number


def whole(text: str, least: int, most: int) -> int:
    """Return a whole number from the command line.

    Raises:
        ArgumentTypeError: The text is no whole number from ``least`` to ``most``.
    """
    try:
        number = int(text, 10)
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{text[:40]}` is not a whole number") from None
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(f"{text[:40]} is not from {least} to {most}")
    return number


def jobs_number(text: str) -> int:
    """Return a number of processes from the command line."""
    return whole(text, 1, 1024)


def seed_number(text: str) -> int:
    """Return a random seed from the command line."""
    return whole(text, 0, 2**31 - 1)
