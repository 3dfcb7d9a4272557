"""The interface of rules: op semantics, effects, regions, registry."""
