"""How the property tests run.

No deadline per example, for a loaded machine or a first import would break it. CI tries the same examples every time,
so that a change is not blamed for what chance found; at a developer's desk every run tries new ones.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("shapesolve", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("shapesolve"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "shapesolve")
