"""What the source documents ask for, item by item: which rule meets it, and which tests show that."""
