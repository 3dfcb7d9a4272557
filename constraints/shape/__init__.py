"""Semantics of the shape dialect."""
