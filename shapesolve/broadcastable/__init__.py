"""The `Broadcastable` trait: what a verifier says of the types, and what that means for the sizes at run time."""
