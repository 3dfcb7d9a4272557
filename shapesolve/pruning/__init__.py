"""Removal of redundant checks, with the output verified."""
