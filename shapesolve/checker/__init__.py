"""Verdicts of a whole function: its obligations in order, what may come before them, and what running them showed."""
