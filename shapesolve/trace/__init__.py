"""Facts, obligations and region events of one function."""
