"""Incremental decision procedure for the facts at one program point."""
