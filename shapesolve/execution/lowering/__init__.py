"""From a module of any of the dialects we know to machine code that says which check failed."""
