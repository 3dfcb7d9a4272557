"""Number of random examples of a property, scaled by the profile of the test run."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

USUAL = 100
"""Default number of examples of a property, unless a profile sets another one."""


def examples(count: int, *unlikely: HealthCheck) -> settings:
    """Set the number of examples of a property in a whole run.

    Under ``HYPOTHESIS_PROFILE=brief`` it is a fifth, as for all properties. ``unlikely`` are health checks to suppress
    besides those of the profile.
    """
    profile = settings()
    return settings(
        max_examples=max(1, count * profile.max_examples // USUAL),
        suppress_health_check=[*profile.suppress_health_check, *unlikely],
    )


def forget_constants_of_modules() -> None:
    """Let no constant in the modules that happen to be loaded be an example.

    Hypothesis collects those of the project as they are imported, so that what a property is tried on would depend on
    the tests that ran before it in the same process. There is no setting for that.
    """
    if hasattr(providers, "_get_local_constants"):
        none = Constants()
        providers._get_local_constants = lambda: none
