"""Theorems about the specification: statements that are proved for all sizes, or refuted with a smallest instance."""
