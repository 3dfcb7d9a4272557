"""Semantics of the arith dialect."""
