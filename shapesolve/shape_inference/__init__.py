"""Shape inference: extents that are proved constant, and the program whose types state them."""
