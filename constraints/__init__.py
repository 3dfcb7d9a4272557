"""Op semantics of the supported dialects: one module or package per dialect, one rule per operation.

Importing this package registers every rule. It installs as ``shapesolve.constraints`` and is reached through the
entry-point group ``shapesolve.rules``, as rules of third parties are. Imports inside the package are relative.
"""

import importlib
import pkgutil

for _module in pkgutil.walk_packages(__path__, f"{__name__}."):
    importlib.import_module(_module.name)
