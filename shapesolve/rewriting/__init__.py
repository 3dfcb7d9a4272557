"""The only writer of IR: edits of a live module, its text, and what the text must still be."""
