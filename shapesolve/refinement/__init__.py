"""Translation validation: whether one program refines another for all sizes, or the smallest sizes for which not."""
