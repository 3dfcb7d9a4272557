"""The `Broadcastable` trait: verification of types, and its consequences for the sizes at run time."""
