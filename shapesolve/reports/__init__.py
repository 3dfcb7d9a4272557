"""Sizes, claims and lines of a file in words: what every output says in the same way."""
