"""Shape inference: extents that are proved to be one number, and the program whose types say so."""
