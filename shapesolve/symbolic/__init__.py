"""Sizes, shapes and formulas in normal form; parser, printer, evaluator."""
