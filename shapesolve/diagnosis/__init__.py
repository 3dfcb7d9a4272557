"""Finished data for every report: findings, requirements and suggestions of a checked file. Nothing here prints."""
