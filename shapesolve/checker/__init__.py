"""Verdicts of a function: obligations in order, preemption, and confirmation by execution."""
