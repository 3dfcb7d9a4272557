"""Lowering of modules to machine code that reports which check failed."""
