"""Boundary-value analysis: the few sizes worth testing a function at, with what each covers."""
