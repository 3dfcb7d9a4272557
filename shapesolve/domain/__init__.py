"""Abstract values: the domain of the interpreter."""
