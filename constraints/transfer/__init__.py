"""Transfer functions that several dialects share."""
