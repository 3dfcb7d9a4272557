"""Rewriting of a query before z3 sees it."""
