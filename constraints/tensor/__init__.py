"""Semantics of the tensor dialect."""
