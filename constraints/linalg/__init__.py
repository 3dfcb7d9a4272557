"""Semantics of the linalg dialect."""
