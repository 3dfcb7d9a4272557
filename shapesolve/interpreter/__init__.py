"""Abstract interpretation of one function into a trace."""
