"""Guards: runtime checks of a program's requirements, at its entry or before the operation that needs them."""
