"""The only writer of IR: edits of a live module, its text, and the check that nothing else changed."""
