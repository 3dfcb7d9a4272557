"""Element expressions: the scalar functions and elements of arguments that stand at an index of a result."""
