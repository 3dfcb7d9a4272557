"""How reports of ours begin: by these a file is known before it is replaced. Nothing here costs an import."""

CHECK = "shapesolve-check"
"""The ``format`` of the JSON of a check."""

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
"""The ``$schema`` of a SARIF log."""
