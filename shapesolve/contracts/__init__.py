"""Contracts: the weakest condition over a function's inputs under which nothing in it fails."""
