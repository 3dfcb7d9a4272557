"""Compares two programs: whether one refines the other for all sizes, or the smallest sizes for which it does not."""
