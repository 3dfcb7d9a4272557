"""How the property tests run: no deadline per example, for a loaded machine or a first import would break it."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("shapesolve", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("shapesolve")
