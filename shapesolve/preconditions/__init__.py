"""Assumptions that a program, a side file or a caller states."""
