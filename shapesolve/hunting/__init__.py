"""Search for wrong passes: generated programs, validated, and the findings sorted by cause."""
