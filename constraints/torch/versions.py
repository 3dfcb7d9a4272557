"""The version of PyTorch whose behavior is claimed, where versions differ."""

from __future__ import annotations

import re
from functools import cache

from shapesolve.symbolic.formula_kinds import Formula

NEWEST = (2, 15)
"""The newest version that the rules were compared with."""


@cache
def installed() -> tuple[int, int] | None:
    """Return the version of PyTorch that is installed, without importing it."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        found = re.match(r"(\d+)\.(\d+)", version("torch"))
    except PackageNotFoundError:
        return None
    return (int(found[1]), int(found[2])) if found else None


def by_version(changed: tuple[int, int], before: Formula, since: Formula) -> tuple[Formula, tuple[str, ...]]:
    """Return the requirement of the installed version of PyTorch, and the assumption that the model runs on it.

    If none is installed, the newest known version is assumed. Requirements that do not differ need no assumption.

    Args:
        changed: The first version that requires ``since``.
        before: The requirement of older versions.
        since: The requirement of this version and later ones.
    """
    if before is since:
        return since, ()
    here = installed()
    older = here is not None and here < changed
    major, minor = here or NEWEST
    why = "which is installed" if here else "for none is installed"
    return before if older else since, (f"the model runs on PyTorch {major}.{minor}, {why}",)
