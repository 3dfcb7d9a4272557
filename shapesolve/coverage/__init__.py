"""Coverage of the source documents, item by item: the rule that meets each, and the tests that show it."""
