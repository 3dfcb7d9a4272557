"""Semantics of the StableHLO dialect."""
