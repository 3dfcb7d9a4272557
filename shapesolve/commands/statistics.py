"""``--stats`` and ``SHAPESOLVE_LOG``: what a command spent its time on, and what it does while it does it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping

from shapesolve.errors import InputError
from shapesolve.measuring import Statistics, current, measuring

LEVELS = ("debug", "info", "warning")
VARIABLE = "SHAPESOLVE_LOG"


def json_text(document: Mapping[str, object]) -> str:
    """A document as it is printed, with the statistics until now where they were asked for."""
    statistics = current()
    if statistics is not None:
        document = {**document, "stats": statistics_object(statistics)}
    return json.dumps(document, indent=2)


def statistics_object(statistics: Statistics) -> dict[str, object]:
    """Statistics as JSON values; seconds to the microsecond."""
    seconds = statistics.seconds
    return {
        "seconds": {"total": round(sum(seconds.values()), 6)} | {each: round(seconds[each], 6) for each in seconds},
        "claims": dict(statistics.claims.most_common()),
        "queries": dict(statistics.queries.most_common()),
        "executions": dict(statistics.executions.most_common()),
    }


def with_statistics(command: Callable[[], int]) -> int:
    """Run a command and say on standard error where its time went, however it ends."""
    with measuring() as statistics:
        try:
            return command()
        finally:
            sys.stdout.flush()
            print("\n".join(_lines(statistics)), file=sys.stderr)


def _lines(statistics: Statistics) -> list[str]:
    seconds = statistics.seconds
    lines = [f"seconds      {sum(seconds.values()):8.3f}"]
    lines += [f"  {name:<10} {spent:8.3f}" for name, spent in seconds.items()]
    for what, counts in (
        ("claims", statistics.claims),
        ("queries", statistics.queries),
        ("executions", statistics.executions),
    ):
        lines.append(f"{what:<12} {counts.total():8}")
        lines += [f"  {name:<21} {number:>8}" for name, number in counts.most_common()]
    return lines


def listen(level: str) -> None:
    """Print what the loggers of the stages say from a level on to standard error. Raises InputError."""
    import logging

    if level.lower() not in LEVELS:
        raise InputError(f"`{level[:40]}` is none of {', '.join(LEVELS)}", where=VARIABLE)
    logger = logging.getLogger("shapesolve")
    if not logger.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(relativeCreated)7.0f ms  %(name)s: %(message)s"))
        logger.addHandler(handler)
    logger.setLevel(level.upper())
