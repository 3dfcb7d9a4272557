"""Checks written into a program: what it needs, at its entry or before the operation that needs it."""
