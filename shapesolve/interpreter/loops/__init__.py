"""Abstract interpretation of loops: invariants, trip counts, recurrences."""
