"""Theorems about the specification, each proved for all sizes or refuted with a smallest instance."""
