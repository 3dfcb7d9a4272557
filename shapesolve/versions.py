"""Tested versions of the dependencies, and a warning for any other version.

A newer z3 may answer slower or give up elsewhere; a newer MLIR may print or verify operations in another way. Neither
makes a proof wrong, but it is untested.
"""

from __future__ import annotations

import re
from functools import cache

from shapesolve.records import value_record


@value_record
class KnownGood:
    """Dependency, with the oldest and the newest version that the tests were run with."""

    package: str
    oldest: str
    newest: str

    def includes(self, version: str) -> bool:
        """Return whether a version is in the range; a further part of it, such as a build number, does not count."""
        found = _numbers(version)
        newest = _numbers(self.newest)
        return _numbers(self.oldest) <= found and found[: len(newest)] <= newest


TESTED = (KnownGood("z3-solver", "4.13.0", "5.4"), KnownGood("torch-mlir", "20261001", "20261001"))


@cache
def untested() -> tuple[str, ...]:
    """Return a sentence for each dependency that is installed in an untested version."""
    from importlib.metadata import PackageNotFoundError, version

    found: list[str] = []
    for each in TESTED:
        try:
            installed = version(each.package)
        except PackageNotFoundError:  # built from source, perhaps
            continue
        if not each.includes(installed):
            tested = each.oldest if each.oldest == each.newest else f"{each.oldest} to {each.newest}"
            found.append(f"{each.package} {installed} is installed; this version was tested with {tested}")
    return tuple(found)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(each) for each in re.findall(r"\d+", version))
