"""Semantics of the torch dialect."""
