"""Adapter to z3, the only place that imports it."""
