"""Semantics of the TOSA dialect."""
