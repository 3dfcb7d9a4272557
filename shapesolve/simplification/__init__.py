"""Shortest equivalent conditions in readable form."""
